import middy from '@middy/core';
import type { MetricFields } from '../metrics.ts';
import { compression, type Gzip } from './compression.ts';
import { deprecation } from './deprecation.ts';
import { conditionalReads } from './entity-tag.ts';
import { errorRendering, problemReply, type RenderError } from './errors.ts';
import type { Event, Middleware, RequestState, Result, StateContext } from './middleware.ts';
import { type Reply, render } from './reply.ts';
import { type RequestLogger, requestLog } from './request-log.ts';
import { responseHeaders } from './response-headers.ts';

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
    .use(compression(dependencies))
    .use(responseHeaders(dependencies, isPrivate))
    .use(takesConditionalReads ? [conditionalReads] : [])
    .use(deprecation)
    .use(errorRendering(renderError))
    .use(stateForHandler)
    .handler(async (event: Event, { state }: StateContext) => render(await handle(event, state)));
  return (event) => handler(withoutNull(event), {} as StateContext);
}

/** API Gateway leaves out what a request does not have. Other callers of a function send `null` or no headers. */
function withoutNull(event: Event): Event {
  const given = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)) as Partial<Event>;
  return { headers: {}, rawQueryString: '', ...given } as Event;
}

const stateForHandler: Middleware = {
  before: ({ context, internal }) => {
    context.state = internal;
  },
};
