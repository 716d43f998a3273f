import { Logger } from '@aws-lambda-powertools/logger';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { v4 as uuid4 } from 'uuid';
import * as z from 'zod';
import { createVerifier } from './auth/verifier.ts';
import type { Contract } from './http/contract.ts';
import { type Call, type EndpointDependencies, endpoint, type HttpHandler, httpHandler } from './http/endpoint.ts';
import type { Reply } from './http/reply.ts';
import type { ContactDependencies } from './operations/contacts/dependencies.ts';
import type { ImportDependencies } from './operations/imports/dependencies.ts';
import { loadClient } from './store/clients.ts';
import type { Database } from './store/database.ts';
import { DynamoDatabase } from './store/dynamodb.ts';
import { ProductCatalogue, ProductRegister } from './store/products.ts';
import { SqsImportQueue } from './store/queue.ts';
import { loadPublicKeys } from './store/signing-keys.ts';

/**
 * The composition root: the only reader of the environment, and the only place where the parts meet the clock, random
 * ids and the SDK. Built once for each function instance, at its first call.
 */
const environmentSchema = z.object({
  TABLE_NAME: z.string().min(3),
  /** Base address of the API: issuer and audience of its tokens. */
  ISSUER: z.url(),
  /** Base address of the web client; the API itself serves it unless set. */
  WEB_CLIENT_URL: z.url().optional(),
  /** Given to the functions that send to the import queue or postpone its messages. */
  QUEUE_URL: z.url().optional(),
  /** Given to the token function and the rotation: ARN of the secret, or a `file:` URL on a laptop. */
  SIGNING_KEYS: z.string().optional(),
  TOKEN_LIFETIME_SECONDS: z.coerce.number().int().min(1).max(86_400).default(3600),
  LOG_LEVEL: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT']).default('INFO'),
});

export type Environment = z.output<typeof environmentSchema>;

export type Runtime = {
  environment: Environment;
  database: Database;
  logger: Logger;
  http: EndpointDependencies;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A fresh UUID. */
  newId(): string;
};

/** What stands between the functions and the table. */
type Guard = (database: Database) => Database;

export function composeRuntime(
  source: Record<string, string | undefined>,
  guard: Guard = (database) => database,
): Runtime {
  const environment = environmentSchema.parse(source);
  const logger = new Logger({ serviceName: 'onboarding', logLevel: environment.LOG_LEVEL });
  // The database retries by itself, item by item; the SDK's own rounds on top would multiply the wait.
  const client = new DynamoDBClient({ maxAttempts: 1 });
  const database = guard(new DynamoDatabase({ tableName: environment.TABLE_NAME, client }));
  const now = () => Date.now();
  const newId = () => uuid4();
  const authenticate = createVerifier({
    issuer: environment.ISSUER,
    loadKeys: () => loadPublicKeys(database),
    loadClient: (clientId) => loadClient(database, clientId),
    now,
  });
  return { environment, database, logger, now, newId, http: { authenticate, logger, now, newId } };
}

let composed: Runtime | undefined;

/** @param guard of the first call holds: the local service refuses there what IAM would. */
export function runtime(guard?: Guard): Runtime {
  composed ??= composeRuntime(process.env, guard);
  return composed;
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** For the functions that write contacts. */
export const contacts = (): ContactDependencies => ({ ...runtime(), pause });

const pause = (round: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(50 * 2 ** round, 1500)));

/** For the functions that accept, work or watch over imports. */
export const imports = once((): ImportDependencies => {
  const { database, now, newId, environment } = runtime();
  const queue = new SqsImportQueue(z.url().parse(environment.QUEUE_URL));
  return { database, now, newId, queue, products: new ProductRegister(database) };
});

export const catalogue = once(() => new ProductCatalogue(runtime().database, runtime().now));

const http = () => runtime().http;

/** An endpoint of the contract, wired to this function's runtime. */
export const handlerFor = <Body extends z.ZodType, Query extends z.ZodType>(
  contract: Contract<Body, Query>,
  handle: (call: Call<z.output<Body>, z.output<Query>>) => Promise<Reply> | Reply,
): HttpHandler => endpoint(http, contract, handle);

/** A handler of a form of its own (the token endpoint, what no route matches). */
export const rawHandler = (name: string, handle: Parameters<typeof httpHandler>[2]): HttpHandler =>
  httpHandler(http, name, handle);
