import middy from '@middy/core';
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
  /** Milliseconds since the epoch. */
  now(): number;
  /** Base URL of the API, as its callers know it. */
  baseUrl: string;
  gzip: Gzip;
};

export type HttpOptions = {
  /** Whether responses are for the caller alone, so that nothing may cache them. */
  isPrivate?: boolean;
  /** Whether responses get an entity tag, and `If-None-Match` counts. */
  takesConditionalReads?: boolean;
  renderError?: RenderError;
};

/**
 * A Lambda handler for HTTP requests. A response passes the middlewares from the last to the first, one of an error
 * too.
 */
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
  return (event) => handler(event, {} as StateContext);
}

const stateForHandler: Middleware = {
  before: ({ context, internal }) => {
    context.state = internal;
  },
};
