import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Caller } from '../domain/access/caller.ts';
import type { Problem } from '../domain/values/problem.ts';
import type { UnusedFields } from '../domain/values/unused-fields.ts';

export type Event = APIGatewayProxyEventV2;
export type Result = APIGatewayProxyStructuredResultV2;

/** What is known about one request, for its log line and for the headers of its response. */
export type RequestState = {
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** The client that the access token names, also if the request is rejected afterwards. */
  caller?: Pick<Caller, 'teamId' | 'clientId'>;
  usesDeprecated?: boolean;
  /** True if the preference for strict handling is applied. */
  isStrict?: boolean;
  /** What the response names, if the request is not strict. */
  unused?: UnusedFields;
  /** Why the request failed. */
  problem?: Problem;
};

/** A path with the query of the request. */
export const pathWithQuery = (path: string, { rawQueryString }: Event): string =>
  rawQueryString === '' ? path : `${path}?${rawQueryString}`;
