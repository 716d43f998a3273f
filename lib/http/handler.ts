import middy, { type Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import { Problem } from '../domain/values/problem.ts';
import { compressed, type Gzip } from './compression.ts';
import { deprecationNotice } from './deprecation.ts';
import { tagged } from './entity-tag.ts';
import { problemReply, type RenderError } from './errors.ts';
import { type Reply, render } from './reply.ts';
import type { Event, RequestState, Result } from './request.ts';
import { type LogService, logRequest } from './request-log.ts';
import { strictPreference, unusedFieldsHeader } from './strict.ts';

export type HttpHandler = (event: Event) => Promise<Result>;

export type HttpService = LogService & {
  /** Public base URL of the API. */
  baseUrl: string;
  gzip: Gzip;
};

export type HttpOptions = {
  /** True if responses are only for the caller, so that caches must not store them. */
  isPrivate?: boolean;
  /** True if responses get an entity tag and `If-None-Match` is evaluated. */
  takesConditionalReads?: boolean;
  renderError?: RenderError;
};

/** Middy passes its context on to the handler: the state of the request, because nothing needs the context of Lambda. */
type State = RequestState & Context;
type HttpRequest = Request<Event, Result, Error, State>;

/** The handler of a function that serves several routes, by their methods and paths. `HEAD` works as `GET`. */
export const byRoute =
  (handlers: Readonly<Record<string, HttpHandler>>): HttpHandler =>
  (event) =>
    handlers[event.routeKey.replace(/^HEAD /, 'GET ')]!(event);

/** A Lambda handler for HTTP requests. Every response, also an error, is finished and logged in the same way. */
export function httpHandler(
  service: () => HttpService,
  route: string,
  respond: (event: Event, state: RequestState) => Promise<Reply> | Reply,
  { isPrivate = false, takesConditionalReads = false, renderError = problemReply }: HttpOptions = {},
): HttpHandler {
  const finish = async (request: HttpRequest): Promise<void> => {
    const { event, context: state } = request;
    const { baseUrl, gzip } = service();
    const response = takesConditionalReads ? await tagged(request.response!, event) : request.response!;
    const headers = {
      'x-request-id': event.requestContext.requestId,
      'x-content-type-options': 'nosniff',
      ...(isPrivate ? { 'cache-control': 'no-store' } : {}),
      ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
      ...response.headers,
      ...(state.usesDeprecated ? deprecationNotice : {}),
      ...(state.isStrict ? { 'preference-applied': strictPreference } : {}),
      ...unusedFieldsHeader(state.unused?.paths),
    };
    request.response = await compressed({ ...response, headers }, event, gzip);
    logRequest(service(), route, event, state, request.response);
  };
  const handler = middy<Event, Result, Error, State>()
    .use({ after: finish, onError: finish })
    .onError(async (request) => {
      const { error, event, context: state } = request;
      // An error that is not a Problem is a bug.
      state.problem =
        error instanceof Problem
          ? error
          : new Problem('internal_error', undefined, { reason: 'unexpected error', cause: error });
      request.response = render(await renderError(state.problem, event));
    })
    .handler(async (event: Event, state: State) => render(await respond(event, state)));
  return (event) => handler(withoutNull(event), { startedAt: service().now() } as State);
}

/** API Gateway leaves out what a request does not have. Other callers of a function send `null` or no headers. */
function withoutNull(event: Event): Event {
  const given = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)) as Partial<Event>;
  return { headers: {}, rawQueryString: '', ...given } as Event;
}
