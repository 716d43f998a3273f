import { errorFields } from '../domain/error-fields.ts';
import { loggedIds } from './logged-ids.ts';
import type { HttpRequest, Middleware } from './middleware.ts';

export type RequestLogger = {
  info(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
};

/**
 * Writes the log line of each request (route, status, duration, ids and codes). If the status is 500 or more, it first
 * writes a line with the cause.
 */
export function requestLog(dependencies: () => { logger: RequestLogger; now(): number }, route: string): Middleware {
  const log = (request: HttpRequest): void => {
    const { logger, now } = dependencies();
    const { startedAt = now(), problem } = request.internal;
    const status = request.response!.statusCode ?? 0;
    const ids = idsOf(route, request);
    if (problem && status >= 500) logger.error('request failed', { route, ...ids, ...errorFields(problem) });
    const code = problem ? { code: problem.code } : {};
    logger.info('request', { route, status, milliseconds: now() - startedAt, ...ids, ...code });
  };
  return {
    before: ({ internal }) => {
      internal.startedAt = dependencies().now();
    },
    after: log,
    onError: log,
  };
}

const idsOf = (route: string, { event, internal: { caller } }: HttpRequest) => ({
  requestId: event.requestContext.requestId,
  ...(caller ? { client_id: caller.clientId, team_id: caller.teamId } : {}),
  ...loggedIds(route, event.pathParameters),
});
