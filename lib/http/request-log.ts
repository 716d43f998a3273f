import { errorFields } from '../domain/values/problem.ts';
import { isUuid } from '../domain/values/uuid.ts';
import type { MetricFields } from '../metrics.ts';
import type { Event, RequestState, Result } from './request.ts';

type RequestLogger = {
  info(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
};

export type LogService = {
  logger: RequestLogger;
  metricFields: MetricFields;
  /** Milliseconds since the epoch. */
  now(): number;
};

/**
 * Writes the log line of a request (method, route, status, duration, ids and codes), which also counts as its metrics. If
 * the status is 500 or more, or records are rejected because the code failed on them, it first writes a line with the cause.
 */
export function logRequest(
  { logger, metricFields, now }: LogService,
  route: string,
  event: Event,
  { startedAt, caller, problem }: RequestState,
  { statusCode: status = 0 }: Result,
): void {
  const ids = {
    // Other callers of a function than API Gateway leave it out.
    method: event.requestContext.http?.method,
    requestId: event.requestContext.requestId,
    ...(caller ? { client_id: caller.clientId, team_id: caller.teamId } : {}),
    ...loggedIds(event),
  };
  if (problem && (status >= 500 || (problem.details && problem.cause)))
    logger.error('request failed', { route, ...ids, ...errorFields(problem) });
  // Errors in the format of OAuth have no code of this service. Their code is `http_401`, for example.
  const dimensions = status < 400 ? [{ route }] : [{ route }, { code: problem?.code ?? `http_${status}` }];
  const measured = metricFields(dimensions, {
    latency: now() - startedAt,
    ...(status >= 400 ? { errors: 1 } : {}),
    ...(status === 429 ? { throttles: 1 } : {}),
  });
  logger.info('request', { route, status, ...ids, ...(problem ? { code: problem.code } : {}), ...measured });
}

/**
 * Path parameters that are logged. A `batch_id` is not, because it is the caller's own text. Slugs and references are
 * not, because anyone who has one can open the page.
 */
const loggedParams = new Set(['contact_id', 'template_id', 'journey_id', 'channel_id', 'page_id']);

type PathOf = Pick<Event, 'routeKey' | 'pathParameters'>;

/** The ids of the objects in the path of a request. A value that is not a UUID is the caller's own text: not logged. */
export function loggedIds({ routeKey, pathParameters = {} }: PathOf): Record<string, string> {
  const named = Object.entries(pathParameters).map(([name, value = '']) => [
    name === 'id' ? idName(routeKey) : name,
    value.toLowerCase(),
  ]);
  return Object.fromEntries(named.filter(([name, value]) => loggedParams.has(name!) && isUuid(value!)));
}

/** `{id}` of `GET /v1/contacts/{id}` is a `contact_id`. */
const idName = (routeKey: string): string => `${/(\w+)s\/\{id\}/.exec(routeKey)?.[1]}_id`;
