import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Problem } from '../domain/problem.ts';
import type { Scope } from '../domain/scope.ts';

/** The client that an access token names, and its team. */
export type Identity = { teamId: string; clientId: string };
/** The client that calls, and the scopes that its access token holds. */
export type Caller = Identity & { scopes: ReadonlySet<Scope> };

/** What is known of one request; middy keeps it as `request.internal`. */
export type RequestState = {
  /** Milliseconds since the epoch. */
  startedAt?: number;
  /** Whom the access token names, also where it is then refused. */
  caller?: Identity;
  usesDeprecated?: boolean;
  /** Why the request failed. */
  problem?: Problem;
};

export type Event = APIGatewayProxyEventV2;
export type Result = APIGatewayProxyStructuredResultV2;
/** Middy gives the handler nothing of the request but event and context, so the state is in there as well. */
export type StateContext = Context & { state: RequestState };
export type HttpRequest = Request<Event, Result, Error, StateContext, RequestState>;
export type Middleware = MiddlewareObj<Event, Result, Error, StateContext, RequestState>;

/** A middleware that changes every response, those of errors too. */
export function onResponse(change: (response: Result, request: HttpRequest) => Result | Promise<Result>): Middleware {
  const run = async (request: HttpRequest): Promise<void> => {
    request.response = await change(request.response!, request);
  };
  return { after: run, onError: run };
}

export const withHeaders = (response: Result, headers: Record<string, string>): Result => ({
  ...response,
  headers: { ...response.headers, ...headers },
});
