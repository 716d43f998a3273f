import { resolve } from 'node:path';
import * as z from 'zod';
import { isEmbedderSetting } from '../../lib/domain/teams/frame-ancestors.ts';
import { maxAuditRetentionDays, payloadDays, retentionDefaults } from '../../lib/domain/teams/retention.ts';
import { StartFailure } from './ports.ts';

const whole = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`;
  return z.coerce.number(error).int(error).min(from, error).max(to, error);
};
/** 0 takes any free port. */
const port = whole(0, 65_535);
const endpoint = z.url({ protocol: /^https?$/, error: 'must be a URL such as http://localhost:8000' });

const schema = z.object({
  PORT: port.default(3000),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((folder) => resolve(folder)),
  /** A DynamoDB-compatible endpoint to use instead of the embedded engine. */
  DYNAMODB_ENDPOINT: endpoint.optional(),
  /** Ports of the embedded engine and queue. */
  DYNAMODB_PORT: port.default(0),
  SQS_PORT: port.default(0),
  /** Endpoints for the functions only, if a proxy is in front of engine or queue. Other parts connect directly. */
  FUNCTIONS_DYNAMODB_ENDPOINT: endpoint.optional(),
  FUNCTIONS_SQS_ENDPOINT: endpoint.optional(),
  TOKEN_LIFETIME_SECONDS: whole(1, 86_400).default(3600),
  AUDIT_RETENTION_DAYS: whole(1, maxAuditRetentionDays).default(retentionDefaults.audit),
  PAYLOAD_RETENTION_DAYS: whole(payloadDays.min, payloadDays.max).default(retentionDefaults.payloads),
  EVENT_RETENTION_DAYS: whole(1, 3650).default(retentionDefaults.events),
  /** Another text after each restore of the folder from a copy. */
  EVENT_EPOCH: z.string().max(64, 'must have at most 64 characters').default(''),
  /** An SMTP server that really sends the messages, instead of the outbox. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Sites that may frame channel content, separated by spaces. */
  FRAME_ANCESTORS: z.string().refine(isEmbedderSetting, 'must be * or origins separated by one space').default('*'),
  // INFO, the default on AWS, logs a line for each request, which would hide the messages of the service.
  LOG_LEVEL: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT']).default('WARN'),
});

/** With `inMemory`, only the lock remains in the folder. */
export type Settings = z.output<typeof schema> & { inMemory: boolean };

/** An empty variable counts as absent. @throws StartFailure naming every invalid variable */
export function settingsOf(environment: NodeJS.ProcessEnv, { memory }: { memory: boolean }): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const { data, error } = schema.safeParse(Object.fromEntries(given));
  if (data) return { ...data, inMemory: memory };
  const errors = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new StartFailure(`Environment variables are invalid. ${errors.join('; ')}`);
}
