import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import { Logger } from '@aws-lambda-powertools/logger';
import { v4 as uuid4 } from 'uuid';
import * as z from 'zod';
import { errorFields } from '../domain/error-fields.ts';
import { isEmbedderSetting } from '../domain/frame-ancestors.ts';
import type { Contract } from '../http/contract.ts';
import { endpoint, type Handler } from '../http/endpoint.ts';
import type { RenderError } from '../http/errors.ts';
import { type HttpHandler, type HttpOptions, httpHandler } from '../http/handler.ts';

/**
 * The composition root, `lib/runtime/`, is the only place where the parts meet the environment, the clock, random ids
 * and the SDK. It is cut by what a function must load for it: this file is what every function needs, `table.ts` adds
 * DynamoDB, `endpoints.ts` access tokens, `imports.ts` SQS. Everything is made once for each function instance, at its
 * first call.
 */
const environmentSchema = z.object({
  TABLE_NAME: z.string().min(3),
  /** Base address of the API: issuer and audience of its tokens. */
  ISSUER: z.url(),
  /** Given to the functions that send to the import queue or postpone its messages. */
  QUEUE_URL: z.url().optional(),
  /** Given to the functions of the drop box: its bucket, and the queue of files that lie in it. */
  DROP_BUCKET: z.string().optional(),
  DROP_QUEUE_URL: z.url().optional(),
  /** Given to the function that serves the images of teams: their bucket. */
  IMAGE_BUCKET: z.string().optional(),
  /** Given to the token function and the rotation: ARN of the secret, or a `file:` URL on a laptop. */
  SIGNING_KEYS: z.string().optional(),
  TOKEN_LIFETIME_SECONDS: z.coerce.number().int().min(1).max(86_400).default(3600),
  /** Given to the function whose page is framed: the sites that may, see `lib/domain/frame-ancestors.ts`. */
  FRAME_ANCESTORS: z.string().refine(isEmbedderSetting).default(''),
  LOG_LEVEL: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT']).default('INFO'),
});

export const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** @throws ZodError naming every variable that is missing or wrong. */
export const environment = once(() => environmentSchema.parse(process.env));

export const logger = once(() => new Logger({ serviceName: 'onboarding', logLevel: environment().LOG_LEVEL }));

/**
 * Runs what no request calls. Why it broke off is logged here, without values; Lambda, which writes the whole message of
 * an error to the log, is given only its name.
 */
export async function logged<T>(what: string, ids: Record<string, string>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    logger().error(what, { ...ids, ...errorFields(error) });
    throw new Error(`${what}: ${error instanceof Error ? error.name : typeof error}`);
  }
}

/** Milliseconds since the epoch. */
export const now = (): number => Date.now();
/**
 * A random wait after a lost race, so that rivals do not meet again: up to `first` milliseconds, doubled with each
 * round, and never more than `most`.
 */
export const randomPause =
  (first: number, most: number) =>
  (round: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(first * 2 ** round, most)));

/** A fresh UUID. */
export const newId = (): string => uuid4();

export const gzip = promisify<string, Buffer>(gzipWithCallback);

export const requests = () => ({ logger: logger(), now, baseUrl: environment().ISSUER, gzip });

/** An endpoint of the contract that needs no access token. */
export const publicEndpoint = <Of extends Contract>(
  contract: Of,
  handle: Handler<Of>,
  renderError?: RenderError,
): HttpHandler => endpoint(requests, contract, handle, renderError ? { renderError } : {});

/** A handler that reads its requests by itself (the token endpoint, what no route matches). */
export const rawHandler = (
  name: string,
  handle: Parameters<typeof httpHandler>[2],
  options?: HttpOptions,
): HttpHandler => httpHandler(requests, name, handle, options);
