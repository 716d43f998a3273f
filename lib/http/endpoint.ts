import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type * as z from 'zod';
import type { JsonObject } from '../domain/json.ts';
import { Problem, validationFailed } from '../domain/problem.ts';
import { routes } from '../routes.ts';
import { jsonBody } from './body.ts';
import type { Contract } from './contract.ts';
import { deprecationNotice } from './deprecation.ts';
import { problemReply } from './errors.ts';
import { type Reply, render } from './reply.ts';
import { faultsOf, validQuery } from './validation.ts';

/** Who calls: the client that a valid access token names, and its team. */
export type Caller = { teamId: string; clientId: string };

/** What a handler is given: everything checked, nothing left to parse. */
export type Call<Body = unknown, Query = unknown> = {
  caller: Caller;
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** The body as it was sent; empty where the contract has none. */
  json: JsonObject;
  requestId: string;
  event: APIGatewayProxyEventV2;
};

/** Gives the caller whom the `Authorization` header names. @throws Problem `invalid_token`. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

export type RequestDependencies = {
  logger: RequestLogger;
  /** Milliseconds since the epoch. */
  now(): number;
};

export type RequestLogger = {
  info(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
};

export type HttpHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * One endpoint of the contract as a Lambda handler. The order of the steps is the order of the contract's errors.
 * Whether it authenticates must agree with the route's access, or the function does not load.
 */
export function endpoint<Body extends z.ZodType, Query extends z.ZodType>(
  dependencies: () => RequestDependencies,
  contract: Contract<Body, Query>,
  handle: (call: Call<z.output<Body>, z.output<Query>>) => Promise<Reply> | Reply,
  authenticate?: Authenticate,
): HttpHandler {
  const access = routes.find((each) => each.id === contract.id)?.access;
  if (access !== (authenticate ? 'bearer' : 'public')) throw new Error(`access to ${contract.id} is not ${access}`);
  return httpHandler(dependencies, contract.id, async (event, requestId) => {
    const caller = authenticate ? await authenticate(event.headers.authorization) : nobody;
    const query = contract.query ? validQuery(contract.query, event.queryStringParameters ?? {}) : {};
    const json = contract.body ? noted(contract, event) : {};
    const body = contract.body && !contract.isValidatedLate ? validated(contract, json) : undefined;
    const params = (event.pathParameters ?? {}) as Record<string, string>;
    return handle({
      caller,
      params,
      query: query as z.output<Query>,
      body: body as z.output<Body>,
      json,
      requestId,
      event,
    });
  });
}

/** A handler with request id, error answers and the log line, and nothing more: for what is not of the common form. */
export function httpHandler(
  dependencies: () => RequestDependencies,
  name: string,
  handle: (event: APIGatewayProxyEventV2, requestId: string) => Promise<Reply>,
): HttpHandler {
  const handler = middy<APIGatewayProxyEventV2, Reply>()
    .use(outcome(dependencies, name))
    .handler((event) => handle(event, event.requestContext.requestId));
  return (event) => handler(event, undefined as never) as unknown as Promise<APIGatewayProxyStructuredResultV2>;
}

/** The requests under way that use what is deprecated. */
const deprecated = new WeakSet<APIGatewayProxyEventV2>();

function noted(contract: Contract, event: APIGatewayProxyEventV2): JsonObject {
  const body = jsonBody(event);
  if (contract.deprecated?.(body)) deprecated.add(event);
  return body;
}

/** @throws Problem with every fault of the body: 400 where one of them makes it a request that has no meaning. */
export function validated<Body extends z.ZodType>(contract: Contract<Body>, body: JsonObject): z.output<Body> {
  const refusals = contract.refusals?.(body) ?? [];
  const crossing = contract.crossFaults?.(body) ?? [];
  const result = contract.body?.safeParse(body);
  if (result?.success && refusals.length + crossing.length === 0) return result.data;
  const faults = [...refusals, ...crossing, ...(result?.success === false ? faultsOf(result.error) : [])];
  throw refusals.length > 0 ? new Problem('invalid_request', faults) : validationFailed(faults);
}

const nobody: Caller = { teamId: '', clientId: '' };

/** Renders the reply or the problem, and writes the one log line of a request: route, status, time, ids and codes. */
function outcome(
  dependencies: () => RequestDependencies,
  name: string,
): MiddlewareObj<APIGatewayProxyEventV2, Reply | APIGatewayProxyStructuredResultV2> {
  const started = new WeakMap<APIGatewayProxyEventV2, number>();
  const finish = (event: APIGatewayProxyEventV2, reply: Reply, code?: string) => {
    const { logger, now } = dependencies();
    const requestId = event.requestContext.requestId;
    const milliseconds = now() - (started.get(event) ?? now());
    logger.info('request', { route: name, status: reply.status, milliseconds, requestId, ...(code ? { code } : {}) });
    const notice = deprecated.has(event) ? deprecationNotice : {};
    return render({ ...reply, headers: { ...reply.headers, ...notice } }, requestId);
  };
  return {
    before: ({ event }) => {
      started.set(event, dependencies().now());
    },
    after: (request) => {
      request.response = finish(request.event, request.response as Reply);
    },
    onError: (request) => {
      const problem = problemOf(request.error, dependencies(), request.event.requestContext.requestId);
      const hasCredentials = (request.event.headers.authorization ?? '') !== '';
      const requestId = request.event.requestContext.requestId;
      request.response = finish(request.event, problemReply(problem, { requestId, hasCredentials }), problem.code);
    },
  };
}

/** An error that is no Problem is a fault of ours: its name and place are logged, never its message or values. */
function problemOf(error: unknown, { logger }: RequestDependencies, requestId: string): Problem {
  if (error instanceof Problem) return error;
  const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined };
  const frames = stack?.split('\n').filter((line) => line.startsWith('    at '));
  logger.error('unexpected error', { error: name, frames, requestId });
  return new Problem('internal_error', undefined, { cause: error });
}
