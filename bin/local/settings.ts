import { resolve } from 'node:path';
import * as z from 'zod';
import { isEmbedderSetting } from '../../lib/domain/frame-ancestors.ts';
import { StartFailure } from './failure.ts';

export type Settings = {
  /** 0 takes any free one. */
  port: number;
  dataDirectory: string;
  /** Nothing stays in the folder but the lock. */
  inMemory: boolean;
  /** A DynamoDB-compatible endpoint to use in place of the embedded engine. */
  dynamodbEndpoint: string | undefined;
  tokenLifetimeSeconds: number;
  /** Sites that may frame channel content, parted by blanks. */
  frameAncestors: string;
  logLevel: string;
};

const schema = z.object({
  PORT: z.coerce.number('must be a whole number from 0 to 65535').int().min(0).max(65_535).default(3000),
  DATA_DIR: z.string().default('.data'),
  DYNAMODB_ENDPOINT: z.url('must be an address such as http://localhost:8000').optional(),
  TOKEN_LIFETIME_SECONDS: z.coerce.number('must be from 1 to 86400, whole').int().min(1).max(86_400).default(3600),
  FRAME_ANCESTORS: z.string().refine(isEmbedderSetting, 'must be * or origins, parted by one blank').default('*'),
  // At Lambda's own level, a line for each request would bury what the service says.
  LOG_LEVEL: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT']).default('WARN'),
});

/** An empty variable counts as absent. @throws StartFailure naming every variable that is wrong. */
export function settingsOf(environment: NodeJS.ProcessEnv, { memory }: { memory: boolean }): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const result = schema.safeParse(Object.fromEntries(given));
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new StartFailure(`The environment is not usable. ${faults.join('; ')}`);
  }
  return {
    port: result.data.PORT,
    dataDirectory: resolve(result.data.DATA_DIR),
    inMemory: memory,
    dynamodbEndpoint: result.data.DYNAMODB_ENDPOINT,
    tokenLifetimeSeconds: result.data.TOKEN_LIFETIME_SECONDS,
    frameAncestors: result.data.FRAME_ANCESTORS,
    logLevel: result.data.LOG_LEVEL,
  };
}
