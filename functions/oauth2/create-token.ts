import * as z from 'zod';
import { createSigner } from '../../lib/auth/tokens.ts';
import { EntryLimit } from '../../lib/domain/access/audit-limit.ts';
import { allScopes } from '../../lib/domain/access/scope.ts';
import { errorFields, methodNotAllowed } from '../../lib/domain/values/problem.ts';
import { contract } from '../../lib/http/contract.ts';
import { httpHandler } from '../../lib/http/handler.ts';
import type { ReplyOf } from '../../lib/http/reply.ts';
import type { Event, RequestState } from '../../lib/http/request.ts';
import { credentialsInQuery, refusalReply, TokenRefusal, tokenReply, tokenRequest } from '../../lib/http/token.ts';
import { revokeExposed } from '../../lib/operations/access/clients.ts';
import { type IssuedClaims, issueToken, type TokenDenial } from '../../lib/operations/access/issue-token.ts';
import { secrets } from '../../lib/runtime/aws.ts';
import { environment, logger, now, requests } from '../../lib/runtime/base.ts';
import { service } from '../../lib/runtime/table.ts';
import { privateKeysAt } from '../../lib/store/access/private-keys.ts';

/** Known scopes, separated by single spaces. An empty string counts as absent. */
const scopePattern = () => new RegExp(`^(?:${aScope}(?: ${aScope})*)?$`);
const aScope = `(?:${allScopes.join('|')})`;

/** A function, because the handler parses requests itself. */
const createToken = () =>
  contract<typeof responses>()({
    id: 'create-token',
    tag: 'Authentication',
    summary: 'Get an access token',
    description:
      'The client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). Send the credentials either by Basic ' +
      'authentication, with both parts form-encoded, or in the body. A client that has keys sends an assertion instead ' +
      '(`private_key_jwt`, RFC 7523). Never put credentials into the URL: if the query string contains a correct secret, ' +
      'the client is revoked at once and permanently. Keep a token until it expires, and do not assume its lifetime.',
    ownBody: {
      mediaTypes: ['application/x-www-form-urlencoded', 'application/json'],
      schema: z
        .object({
          grant_type: z.literal('client_credentials').describe('The only supported grant.'),
          client_id: z.string().nullish().describe('The client id, unless you use Basic authentication.'),
          client_secret: z.string().nullish().describe('The secret, unless you use Basic authentication.'),
          client_assertion_type: z
            .string()
            .nullish()
            .describe('Required with an assertion: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.'),
          client_assertion: z
            .string()
            .nullish()
            .describe(
              'Instead of a secret: a JWT that the client signed, with the client id as `iss` and `sub`, the issuer as ' +
                '`aud`, `exp` at most five minutes in the future, and a unique `jti`.',
            ),
          scope: z
            .string()
            .regex(scopePattern())
            .nullish()
            .describe(
              'The scopes of the token, separated by spaces. If absent, the token gets all scopes of the client.',
            ),
        })
        .meta({
          id: 'TokenRequest',
          description: 'The grant, and the credentials unless you use Basic authentication.',
        }),
    },
    problems: ['unsupported_media_type'],
  });

const notKept = { 'cache-control': '`no-store`, as on every response of this operation.' };

const refusal = <Code extends string>(...codes: [Code, ...Code[]]) =>
  z.object({
    error: z.enum(codes).describe('The error code (RFC 6749, section 5.2). Use it to decide what to do.'),
    error_description: z.string().describe('For people. The wording may change.'),
  });

const responses = () => ({
  200: {
    description: 'A token for the team that the client belongs to.',
    schema: z
      .object({
        access_token: z.string().describe('A signed JWT (RFC 9068). Treat it as opaque.'),
        token_type: z.literal('Bearer').describe('Send the token as `Authorization: Bearer …`.'),
        expires_in: z.int().describe('Seconds until the token expires.'),
        scope: z.string().describe('The scopes of the token, separated by spaces.'),
      })
      .meta({ id: 'Token', description: 'An access token.' }),
    headers: notKept,
  },
  400: {
    description: 'The request is malformed, or the client cannot have the requested grant or scope.',
    schema: refusal('invalid_request', 'unsupported_grant_type', 'invalid_scope').meta({
      id: 'TokenRequestRefusal',
      description: 'Why the request failed (RFC 6749, section 5.2).',
    }),
    headers: notKept,
  },
  401: {
    description: 'The credentials are wrong, or the client is revoked.',
    schema: refusal('invalid_client').meta({
      id: 'ClientRefusal',
      description: 'The client authentication failed (RFC 6749, section 5.2).',
    }),
    headers: { ...notKept, 'www-authenticate': '`Basic`, with a realm.' },
  },
});

export const contracts = () => [{ ...createToken(), responses: responses() }];

let signer: ReturnType<typeof createSigner> | undefined;

const sign = (claims: Record<string, unknown>): Promise<string> => {
  const location = environment().SIGNING_KEYS;
  if (location === undefined) throw new Error('SIGNING_KEYS is not set');
  signer ??= createSigner({ readKeys: () => privateKeysAt(location, secrets).read(), now });
  return signer(claims);
};

const limit = new EntryLimit();

const onUnrecorded = (what: string, error: unknown) => logger().warn('not recorded', { what, ...errorFields(error) });

const denials: Record<TokenDenial, string> = {
  invalid_client: 'No client has these credentials, or the assertion is not valid.',
  invalid_scope: 'A scope is unknown, or not granted to this client.',
};

async function issue(event: Event, state: RequestState) {
  const audited = { ...service(), limit, onUnrecorded };
  const exposed = credentialsInQuery(event);
  if (exposed) {
    const clientIds = await revokeExposed(audited, exposed);
    if (clientIds.length > 0) logger().warn('client revoked: its credentials were sent in a URL', { clientIds });
    throw new TokenRefusal(
      'invalid_request',
      'Credentials must not be sent in the URL. A client whose valid credentials were sent there is revoked.',
    );
  }
  if (event.requestContext.http.method !== 'POST') throw methodNotAllowed(['POST']);
  const lifetimeSeconds = environment().TOKEN_LIFETIME_SECONDS;
  // A token is signed only for valid credentials, so the client can be logged.
  const signFor = (claims: IssuedClaims) => {
    state.caller = { clientId: claims.client_id, teamId: claims.team_id };
    return sign(claims);
  };
  const { credentials, scope } = tokenRequest(event);
  const issued = await issueToken({ ...audited, lifetimeSeconds, sign: signFor }, credentials, scope);
  if (typeof issued === 'string') throw new TokenRefusal(issued, denials[issued]);
  return tokenReply(issued.token, issued.lifetimeSeconds, issued.scope);
}

/** Private: no response of this endpoint may be cached, errors included (RFC 6749, section 5.1). */
const respond = (event: Event, state: RequestState): Promise<ReplyOf<ReturnType<typeof createToken>>> =>
  issue(event, state).catch(refusalReply);

export const handler = httpHandler(requests, 'create-token', respond, { isPrivate: true });
