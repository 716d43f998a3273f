import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Problem } from '../domain/problem.ts';
import type { Scope } from '../domain/scope.ts';

/** The client that an access token names, and its team. */
export type Identity = { teamId: string; clientId: string };
/** The client that sends the request, and the scopes of its access token. */
export type Caller = Identity & { scopes: ReadonlySet<Scope> };

/** State of one request. Middy keeps it as `request.internal`. */
export type RequestState = {
  /** Milliseconds since the epoch. */
  startedAt?: number;
  /** The client that the access token names, also if the request is rejected afterwards. */
  caller?: Identity;
  usesDeprecated?: boolean;
  /** Why the request failed. */
  problem?: Problem;
};

export type Event = APIGatewayProxyEventV2;
export type Result = APIGatewayProxyStructuredResultV2;
/** Middy passes only event and context to the handler, so the state is in the context too. */
export type StateContext = Context & { state: RequestState };
export type HttpRequest = Request<Event, Result, Error, StateContext, RequestState>;
export type Middleware = MiddlewareObj<Event, Result, Error, StateContext, RequestState>;
