import { resolve } from 'node:path';
import * as z from 'zod';
import { StartFailure } from './failure.ts';

export type Settings = {
  /** 0 takes any free one. */
  port: number;
  dataDirectory: string;
  /** Nothing but `local.json` is written, and that goes at the end. */
  inMemory: boolean;
  /** A DynamoDB-compatible endpoint to use in place of the embedded engine. */
  dynamodbEndpoint?: string;
};

const schema = z.object({
  PORT: z.coerce.number('must be a number').int().min(0).max(65_535).default(3000),
  DATA_DIR: z.string().min(1).default('.data'),
  DYNAMODB_ENDPOINT: z.url('must be an address such as http://localhost:8000').optional(),
  // The functions read it for themselves, but they do so too late to tell anybody at the terminal.
  TOKEN_LIFETIME_SECONDS: z.coerce.number('must be a number').int().min(1).max(86_400).optional(),
});

/** @throws StartFailure naming every variable that is wrong. */
export function settingsOf(environment: NodeJS.ProcessEnv, { memory }: { memory: boolean }): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const result = schema.safeParse(Object.fromEntries(given));
  if (!result.success) {
    const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new StartFailure(`The environment is not usable. ${faults.join('; ')}`);
  }
  const { PORT, DATA_DIR, DYNAMODB_ENDPOINT } = result.data;
  return {
    port: PORT,
    dataDirectory: resolve(DATA_DIR),
    inMemory: memory,
    ...(DYNAMODB_ENDPOINT === undefined ? {} : { dynamodbEndpoint: DYNAMODB_ENDPOINT }),
  };
}
