import type * as z from 'zod';
import type { JsonObject } from '../domain/json.ts';
import { Problem, validationFailed } from '../domain/problem.ts';
import { requireScopes, type Scope } from '../domain/scope.ts';
import { jsonBody, maxPublicBodyBytes, refuseLargeBody } from './body.ts';
import type { Contract } from './contract.ts';
import type { RenderError } from './errors.ts';
import { type HttpDependencies, type HttpHandler, httpHandler } from './handler.ts';
import type { Caller, Event, Identity } from './middleware.ts';
import type { Reply, ReplyOf } from './reply.ts';
import { type Checked, checkedBody, checkedQuery } from './validation.ts';

type BodyOf<Of extends Contract> = z.output<NonNullable<Of['body']>>;
type QueryOf<Of extends Contract> = z.output<NonNullable<Of['query']>>;
type Valid<Of extends Contract> = { query: QueryOf<Of>; body: BodyOf<Of> };

/** The input of a handler, authenticated and validated. */
export type Call<Of extends Contract> = Valid<Of> & {
  caller: Caller;
  params: Record<string, string>;
  /** The body as it was sent. Empty if the contract has none. */
  json: JsonObject;
  /** For a contract with `isValidatedLate`. @throws Problem with every error of the request. */
  validate(): Valid<Of>;
  event: Event;
};

/** Returns only replies that the contract declares. */
export type Handler<Of extends Contract> = (call: Call<Of>) => Promise<ReplyOf<Of>> | ReplyOf<Of>;

/**
 * Returns the caller that the `Authorization` header names.
 * @param identify called with the client of a verified token, also if the request is rejected afterwards: for the log
 * @throws Problem `invalid_token`.
 */
export type Authenticate = (authorization: string | undefined, identify: (caller: Identity) => void) => Promise<Caller>;

/**
 * One endpoint as a Lambda handler. The order of the steps decides which error a request gets.
 * The function does not load unless it authenticates exactly when the contract names a scope.
 */
export function endpoint<Of extends Contract>(
  dependencies: () => HttpDependencies,
  contract: Of,
  handle: Handler<Of>,
  { authenticate, renderError }: { authenticate?: Authenticate; renderError?: RenderError } = {},
): HttpHandler {
  const isPrivate = authenticate !== undefined;
  if (isPrivate !== (contract.scope !== undefined)) throw new Error(`${contract.id} has the wrong authentication`);
  const options = {
    isPrivate,
    takesConditionalReads: contract.conditional === 'reads',
    ...(renderError ? { renderError } : {}),
  };
  return httpHandler(
    dependencies,
    contract.id,
    async (event, state): Promise<Reply> => {
      const identify = (named: Identity) => {
        state.caller = named;
      };
      const caller = authenticate ? await authenticate(event.headers.authorization, identify) : anonymous;
      if (contract.scope) requireScopes(caller.scopes, [contract.scope]);
      if (!isPrivate && (contract.body || contract.ownBody)) refuseLargeBody(event, maxPublicBodyBytes);
      const json = contract.body ? jsonBody(event) : {};
      state.usesDeprecated = contract.deprecated?.(json) ?? false;
      requireScopes(caller.scopes, furtherScopes(contract, event, json));
      const validate = () => validRequest(contract, event, json);
      const valid = contract.isValidatedLate ? {} : validate();
      const params = (event.pathParameters ?? {}) as Record<string, string>;
      return handle({ caller, params, ...(valid as Valid<Of>), json, validate, event });
    },
    options,
  );
}

const anonymous: Caller = { teamId: '', clientId: '', scopes: new Set() };

function furtherScopes(contract: Contract, { rawQueryString }: Event, body: JsonObject): Scope[] {
  const { scope, furtherScopes: further } = contract;
  if (!scope || !further) return [];
  return [scope, ...further({ body, parameters: [...new URLSearchParams(rawQueryString).keys()] })];
}

/**
 * The request, validated by the schemas. All errors are reported together. If one of them is a 400, the response is 400.
 */
function validRequest<Of extends Contract>(contract: Of, event: Event, sent: JsonObject): Valid<Of> {
  const query = contract.query ? checkedQuery(contract.query, event) : nothing;
  const body = contract.body ? checkedBody(contract.body, sent) : nothing;
  const refusals = [...query.errors, ...(contract.refusals?.(sent) ?? [])];
  const errors = [...(contract.crossFieldErrors?.(sent) ?? []), ...body.errors];
  const { cause } = body;
  if (refusals.length > 0) throw new Problem('invalid_request', [...refusals, ...errors], { cause });
  if (errors.length > 0) throw validationFailed(errors, cause);
  return { query: query.value as QueryOf<Of>, body: body.value as BodyOf<Of> };
}

const nothing: Checked<unknown> = { value: {}, errors: [] };
