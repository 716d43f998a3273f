import { resolve } from 'node:path';
import * as z from 'zod';
import { isEmbedderSetting } from '../../lib/domain/frame-ancestors.ts';
import {
  auditRetentionOf,
  defaultAuditRetentionDays,
  payloadDays,
  payloadDaysOf,
  retentionDefaults,
} from '../../lib/domain/retention.ts';
import { StartFailure } from './ports.ts';

export type Settings = {
  /** 0 takes any free port. */
  port: number;
  dataDirectory: string;
  /** If true, only the lock remains in the folder. */
  inMemory: boolean;
  /** A DynamoDB-compatible endpoint to use instead of the embedded engine. */
  dynamodbEndpoint: string | undefined;
  /** Ports of the embedded engine and queue; 0 takes any free port. */
  dynamodbPort: number;
  sqsPort: number;
  /** Endpoints for the functions only, if a proxy is in front of engine or queue. Other parts connect directly. */
  functionsDynamodbEndpoint: string | undefined;
  functionsSqsEndpoint: string | undefined;
  tokenLifetimeSeconds: number;
  auditRetentionDays: number;
  payloadRetentionDays: number;
  eventRetentionDays: number;
  /** Sites that may frame channel content, separated by spaces. */
  frameAncestors: string;
  logLevel: string;
};

const port = z.coerce.number('must be a whole number from 0 to 65535').int().min(0).max(65_535);
const endpoint = z.url({ protocol: /^https?$/, error: 'must be a URL such as http://localhost:8000' });

const schema = z.object({
  PORT: port.default(3000),
  DATA_DIR: z.string().default('.data'),
  DYNAMODB_ENDPOINT: endpoint.optional(),
  DYNAMODB_PORT: port.default(0),
  SQS_PORT: port.default(0),
  FUNCTIONS_DYNAMODB_ENDPOINT: endpoint.optional(),
  FUNCTIONS_SQS_ENDPOINT: endpoint.optional(),
  TOKEN_LIFETIME_SECONDS: z.coerce
    .number('must be a whole number from 1 to 86400')
    .int()
    .min(1)
    .max(86_400)
    .default(3600),
  AUDIT_RETENTION_DAYS: z
    .string()
    .transform(auditRetentionOf)
    .pipe(z.number('must be a whole number from 1 to 36500'))
    .default(defaultAuditRetentionDays),
  PAYLOAD_RETENTION_DAYS: z
    .string()
    .transform(payloadDaysOf)
    .pipe(z.number(`must be a whole number from ${payloadDays.min} to ${payloadDays.max}`))
    .default(retentionDefaults.payloads),
  EVENT_RETENTION_DAYS: z.coerce
    .number('must be a whole number from 1 to 3650')
    .int()
    .min(1)
    .max(3650)
    .default(retentionDefaults.events),
  FRAME_ANCESTORS: z.string().refine(isEmbedderSetting, 'must be * or origins separated by one space').default('*'),
  // INFO, the default on AWS, logs a line for each request, which would hide the messages of the service.
  LOG_LEVEL: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT']).default('WARN'),
});

/** An empty variable counts as absent. @throws StartFailure naming every invalid variable */
export function settingsOf(environment: NodeJS.ProcessEnv, { memory }: { memory: boolean }): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const result = schema.safeParse(Object.fromEntries(given));
  if (!result.success) {
    const errors = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new StartFailure(`Environment variables are invalid. ${errors.join('; ')}`);
  }
  return {
    port: result.data.PORT,
    dataDirectory: resolve(result.data.DATA_DIR),
    inMemory: memory,
    dynamodbEndpoint: result.data.DYNAMODB_ENDPOINT,
    dynamodbPort: result.data.DYNAMODB_PORT,
    sqsPort: result.data.SQS_PORT,
    functionsDynamodbEndpoint: result.data.FUNCTIONS_DYNAMODB_ENDPOINT,
    functionsSqsEndpoint: result.data.FUNCTIONS_SQS_ENDPOINT,
    tokenLifetimeSeconds: result.data.TOKEN_LIFETIME_SECONDS,
    auditRetentionDays: result.data.AUDIT_RETENTION_DAYS,
    payloadRetentionDays: result.data.PAYLOAD_RETENTION_DAYS,
    eventRetentionDays: result.data.EVENT_RETENTION_DAYS,
    frameAncestors: result.data.FRAME_ANCESTORS,
    logLevel: result.data.LOG_LEVEL,
  };
}
