import type * as z from 'zod';
import type { Caller } from '../domain/access/caller.ts';
import { requireScopes } from '../domain/access/scope.ts';
import type { JsonObject } from '../domain/values/json.ts';
import { type ErrorDetail, Problem, validationFailed } from '../domain/values/problem.ts';
import { unknownFieldErrors } from '../domain/values/unknown-fields.ts';
import { UnusedFields } from '../domain/values/unused-fields.ts';
import { formType, jsonBody, jsonType, maxBodyBytes, maxPublicBodyBytes, mediaType, refuseLargeBody } from './body.ts';
import type { Contract } from './contract.ts';
import type { RenderError } from './errors.ts';
import { type HttpHandler, type HttpService, httpHandler } from './handler.ts';
import type { Reply, ReplyOf } from './reply.ts';
import type { Event, RequestState } from './request.ts';
import { isStrict } from './strict.ts';
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
  /** For a contract with `isStrictLate`: the unknown fields around the contacts, if the request is strict. */
  strictErrors?: readonly ErrorDetail[] | undefined;
  /** For a contract with `isValidatedLate`. @throws Problem with every error of the request. */
  validate(): Valid<Of>;
  event: Event;
};

/** Returns only replies that the contract declares. */
export type Handler<Of extends Contract> = (call: Call<Of>) => Promise<ReplyOf<Of>> | ReplyOf<Of>;

/**
 * Returns the caller that the `Authorization` header names. As soon as the token is verified, it sets the caller in the
 * state, for the log, also if the request is rejected afterwards.
 * @throws Problem `invalid_token`.
 */
export type Authenticate = (authorization: string | undefined, state: Pick<RequestState, 'caller'>) => Promise<Caller>;

/**
 * One endpoint as a Lambda handler. The order of the steps decides which error a request gets.
 * The function does not load unless it authenticates exactly when the contract names a scope.
 */
export function endpoint<Of extends Contract>(
  service: () => HttpService,
  contract: Of,
  handle: Handler<Of>,
  { authenticate, renderError }: { authenticate?: Authenticate; renderError?: RenderError } = {},
): HttpHandler {
  const { id, scope, conditional } = contract;
  const isPrivate = authenticate !== undefined;
  if (isPrivate !== (scope !== undefined)) throw new Error(`${id} has the wrong authentication`);
  const maxBytes = isPrivate ? maxBodyBytes : maxPublicBodyBytes;
  return httpHandler(
    service,
    id,
    async (event, state): Promise<Reply> => {
      const client = authenticate ? await authenticate(event.headers.authorization, state) : anonymous;
      if (scope) requireScopes(client.scopes, [scope]);
      if (contract.body || contract.ownBody) refuseLargeBody(event, maxBytes);
      const json = contract.body ? jsonBody(event) : {};
      state.usesDeprecated = contract.deprecated?.(json) ?? false;
      const takesJson = contract.ownBody?.mediaTypes.includes(jsonType) && mediaType(event) !== formType;
      state.isStrict = (contract.body !== undefined || takesJson === true) && isStrict(event);
      if (scope && contract.furtherScopes) {
        const parameters = [...new URLSearchParams(event.rawQueryString).keys()];
        requireScopes(client.scopes, [scope, ...contract.furtherScopes({ body: json, parameters })]);
      }
      const params = (event.pathParameters ?? {}) as Record<string, string>;
      const unused = new UnusedFields(state.isStrict);
      state.unused = unused;
      const { body } = contract;
      const strictErrors = body && unused.refused('', () => unknownFieldErrors(body, json));
      const validate = () => validRequest(contract, event, json, contract.isStrictLate ? [] : strictErrors);
      const valid = contract.isValidatedLate ? {} : validate();
      const caller = { ...client, unused, requestId: event.requestContext.requestId };
      return handle({ caller, params, ...(valid as Valid<Of>), json, strictErrors, validate, event });
    },
    { isPrivate, takesConditionalReads: conditional === 'reads', ...(renderError ? { renderError } : {}) },
  );
}

const anonymous: Caller = { teamId: '', clientId: '', scopes: new Set() };

/**
 * The request, validated by the schemas. All errors are reported together. If one of them is a 400, the response is 400.
 */
function validRequest<Of extends Contract>(
  contract: Of,
  event: Event,
  sent: JsonObject,
  strictErrors: readonly ErrorDetail[] = [],
): Valid<Of> {
  const query = contract.query ? checkedQuery(contract.query, event, contract.meaningless) : nothing;
  const body = contract.body ? checkedBody(contract.body, sent) : nothing;
  const refusals = [...query.errors, ...(contract.refusals?.(sent) ?? [])];
  const errors = [...(contract.crossFieldErrors?.(sent) ?? []), ...body.errors, ...strictErrors];
  const { cause } = body;
  if (refusals.length > 0) throw new Problem('invalid_request', [...refusals, ...errors], { cause });
  if (errors.length > 0) throw validationFailed(errors, cause);
  return { query: query.value as QueryOf<Of>, body: body.value as BodyOf<Of> };
}

const nothing: Checked<unknown> = { value: {}, errors: [] };
