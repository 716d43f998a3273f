import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import { Logger } from '@aws-lambda-powertools/logger';
import { v4 as uuid4 } from 'uuid';
import * as z from 'zod/mini';
import { defaultScanUnits } from '../domain/access/scan-budget.ts';
import { isEmbedderSetting } from '../domain/teams/frame-ancestors.ts';
import {
  auditRetentionOf,
  defaultAuditRetentionDays,
  payloadDays,
  payloadDaysOf,
  retentionDefaults,
} from '../domain/teams/retention.ts';
import { errorFields } from '../domain/values/problem.ts';
import type { Contract } from '../http/contract.ts';
import { endpoint, type Handler } from '../http/endpoint.ts';
import type { RenderError } from '../http/errors.ts';
import type { HttpHandler } from '../http/handler.ts';
import type { LogService } from '../http/request-log.ts';
import { type MetricFields, serviceName } from '../metrics.ts';
import { randomDelay } from '../store/table/retrying.ts';
import { metricFieldsFor } from './metrics.ts';
import { sourceFrames } from './source-frames.ts';

const optionalText = z.optional(z.string());
const optionalUrl = z.optional(z.url());
const list = z._default(
  z.pipe(
    z.string(),
    z.transform((values: string) => values.split(' ')),
  ),
  [],
);

/**
 * By `zod/mini`, a quarter of zod: for the functions that need no other schemas.
 *
 * `lib/runtime/` is the composition root: the only place that connects the parts to the environment, the clock, random
 * ids and the SDK. It is split by what a function has to load: every function needs this file, `table.ts` adds
 * DynamoDB, `endpoints.ts` adds access tokens, `imports.ts` adds SQS. Everything is created once for each function
 * instance, when it is first used.
 */
const environmentSchema = z.object({
  /** Set by Lambda. */
  AWS_REGION: z._default(z.string(), 'us-east-1'),
  AWS_ACCESS_KEY_ID: optionalText,
  AWS_SECRET_ACCESS_KEY: optionalText,
  AWS_SESSION_TOKEN: optionalText,
  /** Set by the local service and by emulators, as for the SDK. */
  AWS_ENDPOINT_URL_DYNAMODB: optionalUrl,
  AWS_ENDPOINT_URL_EVENTBRIDGE: optionalUrl,
  AWS_ENDPOINT_URL_S3: optionalUrl,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: optionalUrl,
  AWS_ENDPOINT_URL: optionalUrl,
  TABLE_NAME: z.string().check(z.minLength(3)),
  /** Base URL of the API. It is also the issuer and the audience of its tokens. */
  ISSUER: z.url(),
  /** Set for the functions that send to the import queue or postpone its messages. */
  QUEUE_URL: optionalUrl,
  /** Set for the functions of the drop box: its bucket, and the queue of its files. */
  DROP_BUCKET: optionalText,
  DROP_QUEUE_URL: optionalUrl,
  /** Set for the functions that send to the queue of webhooks. */
  WEBHOOK_QUEUE_URL: optionalUrl,
  /** Set for the functions that mark contacts for targeting or judge them. */
  TARGETING_QUEUE_URL: optionalUrl,
  /** Set for the functions that send messages or make them due, if messages are sent. */
  MESSAGE_QUEUE_URL: optionalUrl,
  /** Set for the function that sends messages: where to, see `lib/runtime/messages.ts`. */
  MESSAGE_SENDER: optionalUrl,
  /** For the function that delivers webhooks: ranges of addresses to which none is sent, separated by spaces. */
  WEBHOOK_DENIED_RANGES: list,
  /** Set by the local service only: webhooks may also be sent to this machine, without TLS. */
  LOCAL_WEBHOOKS: z.optional(z.literal('allowed')),
  /** Set for the function that serves the images of teams: their bucket. */
  IMAGE_BUCKET: optionalText,
  /** Set for the token function and the rotation: ARN of the secret, or a `file:` URL for the local service. */
  SIGNING_KEYS: optionalText,
  /** Set for the functions that hash addresses, if messages are sent: ARN of the secret, or a `file:` URL. */
  MESSAGES_SECRET: optionalText,
  /** Set for the functions that list addresses, if messages are sent: the bucket of the journal. */
  MESSAGES_BUCKET: optionalText,
  TOKEN_LIFETIME_SECONDS: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(86_400)), 3600),
  /** Set for the authorizer of an API behind CloudFront: ARNs of the secrets of the origin, separated by spaces. */
  ORIGIN_SECRETS: list,
  /** Set for the functions that write to the audit log: the number of days that its entries are kept. */
  AUDIT_RETENTION_DAYS: z._default(
    z.pipe(z.pipe(z.string(), z.transform(auditRetentionOf)), z.number('must be a number of days')),
    defaultAuditRetentionDays,
  ),
  /** For the functions that accept or apply chunks: the number of days that the records of a chunk are kept. */
  PAYLOAD_RETENTION_DAYS: z._default(
    z.pipe(
      z.pipe(z.string(), z.transform(payloadDaysOf)),
      z.number(`must be a number of days from ${payloadDays.min} to ${payloadDays.max}`),
    ),
    retentionDefaults.payloads,
  ),
  /** For the functions that write or read the log of events: the number of days that events are kept. */
  EVENT_RETENTION_DAYS: z._default(z.coerce.number().check(z.int(), z.minimum(1)), retentionDefaults.events),
  /**
   * For the functions that write or read the log of events: another text after each restore of the table. It is in the
   * ids of new events and in the cursors of the feed.
   */
  EVENT_EPOCH: z._default(z.string(), ''),
  /** Set for the function that publishes events: the queue for records that it cannot publish. */
  EVENT_FAILURE_QUEUE_URL: optionalUrl,
  /** Set for the function that publishes events, if there is one: the name or the ARN of the event bus. */
  EVENT_BUS: optionalText,
  /** For the functions that scan directories: the read units that a client may use for this each minute. */
  SCAN_UNITS_PER_MINUTE: z._default(z.coerce.number().check(z.int(), z.minimum(1)), defaultScanUnits),
  /** Set for the function whose page is framed: the sites that may frame it, see `lib/domain/teams/frame-ancestors.ts`. */
  FRAME_ANCESTORS: z._default(z.string().check(z.refine(isEmbedderSetting)), ''),
  /** Set for the function `no-route` if the reference is served: the path to which `GET /` leads. */
  START_PAGE: optionalText,
  /** The namespace of the metrics. Without it, log lines are not counted as metrics. */
  METRICS_NAMESPACE: z.optional(z.string().check(z.minLength(1))),
  LOG_LEVEL: z._default(z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT']), 'INFO'),
});

export const once = <T>(make: () => T): (() => T) => {
  let created: { value: T } | undefined;
  return () => {
    created ??= { value: make() };
    return created.value;
  };
};

/**
 * Like `once`, for what can be wrapped. The local service calls `guard` before anything else, to reject the accesses that
 * IAM would deny.
 */
export function guarded<T>(make: () => T): { get: () => T; guard: (wrap: (made: T) => T) => void } {
  let guard = (made: T) => made;
  return {
    get: once(() => guard(make())),
    guard: (wrap) => {
      guard = wrap;
    },
  };
}

/** @throws ZodError with every variable that is missing or invalid. */
export const environment = once(() => environmentSchema.parse(process.env));

export const logger = once(() => {
  const jsonReplacerFn = (key: string, value: unknown) => (key === 'frames' ? sourceFrames(value as string[]) : value);
  return new Logger({ serviceName, logLevel: environment().LOG_LEVEL, jsonReplacerFn });
});

/** The log of requests. The local service also keeps those that failed. */
const requestLogger = guarded<LogService['logger']>(logger);
export const guardRequestLog = requestLogger.guard;

const fieldsOfMetrics = once(() => metricFieldsFor(environment().METRICS_NAMESPACE, now));

export const metricFields: MetricFields = (...measured) => fieldsOfMetrics()(...measured);

/**
 * Runs work that no request calls. It logs the reason of an error, without values, and throws a new error that has only
 * the error's name, because Lambda writes the whole message of an error to the log.
 */
export async function logged<T>(message: string, ids: Record<string, string>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    logger().error(message, { ...ids, ...errorFields(error) });
    throw new Error(`${message}: ${error instanceof Error ? error.name : typeof error}`);
  }
}

/** Milliseconds since the epoch. */
export const now = (): number => Date.now();
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
/** A wait after a lost race, of {@link randomDelay} milliseconds. */
export function randomPause(first: number, most: number): (round: number) => Promise<void> {
  const delay = randomDelay(first, most);
  return (round) => wait(delay(round));
}

/** A new UUID. */
export const newId = (): string => uuid4();

export const gzip = promisify<string, Buffer>(gzipWithCallback);

/** What every HTTP handler needs. */
export const requests = /* @__PURE__ */ once(() => {
  const { ISSUER: baseUrl } = environment();
  return { logger: requestLogger.get(), metricFields: fieldsOfMetrics(), now, baseUrl, gzip };
});

/** An endpoint of the contract that needs no access token. */
export const publicEndpoint = <Of extends Contract>(
  contract: Of,
  handle: Handler<Of>,
  renderError?: RenderError,
): HttpHandler => endpoint(requests, contract, handle, renderError ? { renderError } : {});
