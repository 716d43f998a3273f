import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type * as z from 'zod';
import { errorFields } from '../domain/error-fields.ts';
import type { JsonObject } from '../domain/json.ts';
import { Problem, validationFailed } from '../domain/problem.ts';
import { requireScopes, type Scope } from '../domain/scope.ts';
import { routes } from '../routes.ts';
import { jsonBody, maxPublicBodyBytes, refuseLargeBody } from './body.ts';
import { compressed, type Gzip } from './compression.ts';
import type { Contract } from './contract.ts';
import { deprecationNotice } from './deprecation.ts';
import { problemReply } from './errors.ts';
import { loggedIds } from './logged-ids.ts';
import { type Reply, render } from './reply.ts';
import { type Checked, checkedBody, checkedQuery } from './validation.ts';

/** The client that an access token names, and its team. */
export type Identity = { teamId: string; clientId: string };
/** The client that calls, and the scopes that its access token holds. */
export type Caller = Identity & { scopes: ReadonlySet<Scope> };

/** What a handler is given: everything checked, nothing left to parse. */
export type Call<Body = unknown, Query = unknown> = {
  caller: Caller;
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** The body as it was sent; empty where the contract has none. */
  json: JsonObject;
  /** For a contract that `isValidatedLate`. @throws Problem with every fault of the request. */
  validate(): { query: Query; body: Body };
  requestId: string;
  event: APIGatewayProxyEventV2;
};

/**
 * Gives the caller whom the `Authorization` header names.
 * @param identify told whom a token of ours names, also where the caller is not let in then: for the log
 * @throws Problem `invalid_token`.
 */
export type Authenticate = (authorization: string | undefined, identify: (caller: Identity) => void) => Promise<Caller>;

export type RequestDependencies = {
  logger: RequestLogger;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Address of the API, as its callers know it. */
  baseUrl: string;
  gzip: Gzip;
};

export type RequestLogger = {
  info(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
};

export type HttpHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * One endpoint of the contract as a Lambda handler. The order of the steps is the order of the contract's errors.
 * Whether it authenticates, and needs a scope, must agree with the route's access, or the function does not load.
 */
export function endpoint<Body extends z.ZodType, Query extends z.ZodType>(
  dependencies: () => RequestDependencies,
  contract: Contract<Body, Query>,
  handle: (call: Call<z.output<Body>, z.output<Query>>) => Promise<Reply> | Reply,
  authenticate?: Authenticate,
): HttpHandler {
  const access = routes.find((each) => each.id === contract.id)?.access;
  if (access !== (authenticate ? 'bearer' : 'public')) throw new Error(`access to ${contract.id} is not ${access}`);
  if ((access === 'bearer') !== (contract.scope !== undefined)) throw new Error(`${contract.id} has the wrong scope`);
  const handler: Handle = async (event, requestId, identify) => {
    const caller = authenticate ? await authenticate(event.headers.authorization, identify) : nobody;
    if (contract.scope) requireScopes(caller.scopes, [contract.scope]);
    if (access === 'public' && (contract.body || contract.ownBody)) refuseLargeBody(event, maxPublicBodyBytes);
    const json = contract.body ? noted(contract, event) : {};
    requireScopes(caller.scopes, furtherScopes(contract, event, json));
    const validate = () => validRequest(contract, event, json);
    const valid = contract.isValidatedLate ? notYet : validate();
    const params = (event.pathParameters ?? {}) as Record<string, string>;
    return handle({ caller, params, ...(valid as ReturnType<typeof validate>), json, validate, requestId, event });
  };
  return httpHandler(dependencies, contract.id, handler, { isPrivate: access === 'bearer' });
}

/** @param identify told who calls, for the log lines of the request */
type Handle = (
  event: APIGatewayProxyEventV2,
  requestId: string,
  identify: (caller: Identity) => void,
) => Promise<Reply> | Reply;

/**
 * What the schemas make of the request. All faults are reported together, as those of the request as a whole where
 * there is one of these.
 */
function validRequest<Body extends z.ZodType, Query extends z.ZodType>(
  contract: Contract<Body, Query>,
  event: APIGatewayProxyEventV2,
  sent: JsonObject,
): { query: z.output<Query>; body: z.output<Body> } {
  const query = contract.query ? checkedQuery(contract.query, event) : nothing;
  const body = contract.body ? checkedBody(contract.body, sent) : nothing;
  const refusals = [...query.faults, ...(contract.refusals?.(sent) ?? [])];
  const faults = [...(contract.crossFaults?.(sent) ?? []), ...body.faults];
  if (refusals.length > 0) throw new Problem('invalid_request', [...refusals, ...faults]);
  if (faults.length > 0) throw validationFailed(faults);
  return { query: query.value as z.output<Query>, body: body.value as z.output<Body> };
}

function furtherScopes(contract: Contract, { rawQueryString = '' }: APIGatewayProxyEventV2, body: JsonObject): Scope[] {
  const { scope, furtherScopes: further } = contract;
  if (!scope || !further) return [];
  return [scope, ...further({ body, parameters: [...new URLSearchParams(rawQueryString).keys()] })];
}

const nothing: Checked<unknown> = { value: {}, faults: [] };
const notYet = { query: undefined, body: undefined };

/** A handler with request id, error answers and the log line, and nothing more: for what is not of the common form. */
export function httpHandler(
  dependencies: () => RequestDependencies,
  name: string,
  handle: Handle,
  { isPrivate = false } = {},
): HttpHandler {
  const callers = new WeakMap<APIGatewayProxyEventV2, Identity>();
  const handler = middy<APIGatewayProxyEventV2, Reply>()
    .use(outcome(dependencies, name, isPrivate, callers))
    .handler(async (event) =>
      handle(event, event.requestContext.requestId, (caller) => void callers.set(event, caller)),
    );
  return (event) => handler(event, undefined as never) as unknown as Promise<APIGatewayProxyStructuredResultV2>;
}

/** The requests under way that use what is deprecated. */
const deprecated = new WeakSet<APIGatewayProxyEventV2>();

function noted(contract: Contract, event: APIGatewayProxyEventV2): JsonObject {
  const body = jsonBody(event);
  if (contract.deprecated?.(body)) deprecated.add(event);
  return body;
}

const nobody: Caller = { teamId: '', clientId: '', scopes: new Set() };

/**
 * Renders the reply or the problem, and writes the log line of a request (route, status, time, ids and codes) and,
 * before it, the line that says why a request failed for a reason of ours.
 */
function outcome(
  dependencies: () => RequestDependencies,
  name: string,
  isPrivate: boolean,
  callers: WeakMap<APIGatewayProxyEventV2, Identity>,
): MiddlewareObj<APIGatewayProxyEventV2, Reply | APIGatewayProxyStructuredResultV2> {
  const started = new WeakMap<APIGatewayProxyEventV2, number>();
  const idsOf = (event: APIGatewayProxyEventV2) => ({
    requestId: event.requestContext.requestId,
    ...callerIds(callers.get(event)),
    ...loggedIds(name, event.pathParameters),
  });
  const finish = (event: APIGatewayProxyEventV2, reply: Reply, code?: string) => {
    const { logger, now, baseUrl, gzip } = dependencies();
    const requestId = event.requestContext.requestId;
    const milliseconds = now() - (started.get(event) ?? now());
    const timing = { status: reply.status, milliseconds };
    logger.info('request', { route: name, ...timing, ...idsOf(event), ...(code ? { code } : {}) });
    const notice = deprecated.has(event) ? deprecationNotice : {};
    const headers = { ...commonHeaders(baseUrl, isPrivate), ...reply.headers, ...notice };
    return compressed(render({ ...reply, headers }, requestId), event, gzip);
  };
  return {
    before: ({ event }) => {
      started.set(event, dependencies().now());
    },
    after: async (request) => {
      request.response = await finish(request.event, request.response as Reply);
    },
    onError: async (request) => {
      const problem = problemOf(request.error);
      const hasCredentials = (request.event.headers.authorization ?? '') !== '';
      const requestId = request.event.requestContext.requestId;
      const reply = problemReply(problem, { requestId, hasCredentials });
      if (reply.status >= 500) {
        dependencies().logger.error('request failed', {
          route: name,
          ...idsOf(request.event),
          ...errorFields(problem),
        });
      }
      request.response = await finish(request.event, reply, problem.code);
    },
  };
}

/** What every response carries (contract, section 1). */
const commonHeaders = (baseUrl: string, isPrivate: boolean): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  ...(isPrivate ? { 'cache-control': 'no-store' } : {}),
  ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});

const callerIds = (caller: Identity | undefined) =>
  caller ? { client_id: caller.clientId, team_id: caller.teamId } : {};

/** An error that is no Problem is a defect of ours. */
const problemOf = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem('internal_error', undefined, { reason: 'unexpected error', cause: error });
