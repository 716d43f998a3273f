import middy from '@middy/core';
import type { MetricFields } from '../metrics.ts';
import { compressed, type Gzip } from './compression.ts';
import { deprecationNotice } from './deprecation.ts';
import { tagged } from './entity-tag.ts';
import { errorRendering, problemReply, type RenderError } from './errors.ts';
import type { Event, HttpRequest, Middleware, RequestState, Result, StateContext } from './middleware.ts';
import { type Reply, render } from './reply.ts';
import { type RequestLogger, requestLog } from './request-log.ts';

export type HttpHandler = (event: Event) => Promise<Result>;

export type HttpDependencies = {
  logger: RequestLogger;
  metricFields: MetricFields;
  /** Milliseconds since the epoch. */
  now(): number;
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

/** A Lambda handler for HTTP requests. Every response, also an error, passes the middlewares from last to first. */
export function httpHandler(
  dependencies: () => HttpDependencies,
  name: string,
  handle: (event: Event, state: RequestState) => Promise<Reply> | Reply,
  { isPrivate = false, takesConditionalReads = false, renderError = problemReply }: HttpOptions = {},
): HttpHandler {
  const handler = middy<Event, Result, Error, StateContext, RequestState>()
    .use(requestLog(dependencies, name))
    .use(finishing(dependencies, isPrivate, takesConditionalReads))
    .use(errorRendering(renderError))
    .handler(async (event: Event, { state }: StateContext) => render(await handle(event, state)));
  return (event) => handler(withoutNull(event), {} as StateContext);
}

/**
 * Passes the state to the handler, and completes every response, also an error. A header that the reply sets has
 * precedence over the common ones.
 */
function finishing(
  dependencies: () => HttpDependencies,
  isPrivate: boolean,
  takesConditionalReads: boolean,
): Middleware {
  const finish = async (request: HttpRequest): Promise<void> => {
    const { event, internal } = request;
    const { baseUrl, gzip } = dependencies();
    const reply = request.response!;
    // Error responses announce the deprecation too.
    const announced = internal.usesDeprecated
      ? { ...reply, headers: { ...reply.headers, ...deprecationNotice } }
      : reply;
    const response = takesConditionalReads ? await tagged(announced, event) : announced;
    const headers = { ...commonHeaders(event, baseUrl, isPrivate), ...response.headers };
    request.response = await compressed({ ...response, headers }, event, gzip);
  };
  const before = ({ context, internal }: HttpRequest): void => {
    context.state = internal;
  };
  return { before, after: finish, onError: finish };
}

/** The headers of every response (contract, section 1). */
const commonHeaders = ({ requestContext }: Event, baseUrl: string, isPrivate: boolean): Record<string, string> => ({
  'x-request-id': requestContext.requestId,
  'x-content-type-options': 'nosniff',
  ...(isPrivate ? { 'cache-control': 'no-store' } : {}),
  ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});

/** API Gateway leaves out what a request does not have. Other callers of a function send `null` or no headers. */
function withoutNull(event: Event): Event {
  const given = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)) as Partial<Event>;
  return { headers: {}, rawQueryString: '', ...given } as Event;
}
