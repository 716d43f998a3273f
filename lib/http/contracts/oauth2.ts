import * as z from 'zod';
import { assertionAlgorithms } from '../../domain/client-key.ts';
import { allScopes } from '../../domain/scope.ts';
import { contract } from '../contract.ts';

const tag = 'Authentication';
const notKept = { 'cache-control': '`no-store`, as on every answer of this operation.' };
const keptFor = { 'cache-control': 'How long it may be kept.' };

/** Known scopes with single spaces between them; empty counts as absent. */
const aScope = `(?:${allScopes.join('|')})`;
const scopePattern = new RegExp(`^(?:${aScope}(?: ${aScope})*)?$`);

const refusal = <Code extends string>(...codes: [Code, ...Code[]]) =>
  z.object({
    error: z.enum(codes).meta({ description: 'The code to decide by (RFC 6749, section 5.2).' }),
    error_description: z.string().meta({ description: 'For people; may change.' }),
  });

export const createToken = contract({
  id: 'create-token',
  tag,
  summary: 'Get an access token',
  description:
    'The client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). The credentials come by Basic authentication, ' +
    'each half form-encoded, or in the body, not both; or a client that has keys sends an assertion (`private_key_jwt`, ' +
    'RFC 7523). Never put them into the address: a right secret that comes in ' +
    'the query string is revoked at once, for good. Keep a token until it expires; do not assume its lifetime.',
  ownBody: {
    mediaTypes: ['application/x-www-form-urlencoded', 'application/json'],
    schema: z
      .object({
        grant_type: z.literal('client_credentials').meta({ description: 'The only grant that there is.' }),
        client_id: z.string().nullish().meta({ description: 'Not with Basic authentication.' }),
        client_secret: z.string().nullish().meta({ description: 'Not with Basic authentication.' }),
        client_assertion_type: z.string().nullish().meta({
          description: 'With an assertion: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.',
        }),
        client_assertion: z
          .string()
          .nullish()
          .meta({
            description:
              'Instead of a secret: a JWT that the client signed, with its id as `iss` and `sub`, the issuer as `aud`, ' +
              '`exp` at most five minutes ahead, and a `jti` of its own.',
          }),
        scope: z.string().regex(scopePattern).nullish().meta({
          description: 'The scopes that the token is to hold, separated by spaces; without it all that the client has.',
        }),
      })
      .meta({
        id: 'TokenRequest',
        description: 'The grant, and the credentials unless they come by Basic authentication.',
      }),
  },
  responses: {
    200: {
      description: 'A token for the team that the client belongs to.',
      schema: z
        .object({
          access_token: z.string().meta({ description: 'A signed JWT (RFC 9068); send it as it is.' }),
          token_type: z.literal('Bearer').meta({ description: 'How to send it.' }),
          expires_in: z.int().meta({ description: 'Seconds until it expires.' }),
          scope: z.string().meta({ description: 'The scopes that the token holds, separated by spaces.' }),
        })
        .meta({ id: 'Token', description: 'An access token.' }),
      headers: notKept,
    },
    400: {
      description: 'The request cannot be understood, or asks for another grant or for a scope that it cannot have.',
      schema: refusal('invalid_request', 'unsupported_grant_type', 'invalid_scope').meta({
        id: 'TokenRequestRefusal',
        description: 'Why there is no token (RFC 6749, section 5.2).',
      }),
      headers: notKept,
    },
    401: {
      description: 'No client that may have a token has these credentials.',
      schema: refusal('invalid_client').meta({
        id: 'ClientRefusal',
        description: 'The credentials are not good (RFC 6749, section 5.2).',
      }),
      headers: { ...notKept, 'www-authenticate': '`Basic`, with a realm.' },
    },
  },
  problems: ['unsupported_media_type'],
});

const jwk = z
  .object({
    kty: z.literal('EC').meta({ description: 'Elliptic curve.' }),
    crv: z.literal('P-256').meta({ description: 'The curve.' }),
    x: z.string().meta({ description: 'Coordinate of the public point, base64url.' }),
    y: z.string().meta({ description: 'Coordinate of the public point, base64url.' }),
    kid: z.string().meta({ description: 'Which key this is; tokens name theirs.' }),
    use: z.literal('sig').meta({ description: 'For signatures.' }),
    alg: z.literal('ES256').meta({ description: 'The algorithm of the signatures.' }),
  })
  .meta({ id: 'JsonWebKey', description: 'A public key (RFC 7517).' });

export const getJwks = contract({
  id: 'get-jwks',
  tag,
  conditional: 'reads',
  summary: 'The keys that access tokens are verified with',
  description: 'For whoever wants to verify a token by itself; callers of this interface need not.',
  responses: {
    200: {
      description: 'A JSON Web Key Set (RFC 7517).',
      schema: z
        .object({ keys: z.array(jwk).meta({ description: 'Keys whose signatures count now, or soon will.' }) })
        .meta({ id: 'JsonWebKeySet', description: 'Public keys (RFC 7517).' }),
      headers: keptFor,
    },
  },
});

export const getOauthMetadata = contract({
  id: 'get-oauth-metadata',
  tag,
  conditional: 'reads',
  summary: 'What the authorization server offers',
  description: 'For clients of OAuth that find their way by themselves.',
  responses: {
    200: {
      description: 'Authorization server metadata (RFC 8414).',
      schema: z
        .object({
          issuer: z.url().meta({ description: 'The `iss` of its tokens.' }),
          token_endpoint: z.url().meta({ description: 'Where tokens are to be had.' }),
          jwks_uri: z.url().meta({ description: 'Where the public keys are.' }),
          grant_types_supported: z
            .array(z.literal('client_credentials'))
            .meta({ description: 'The grants that it takes.' }),
          scopes_supported: z.array(z.enum(allScopes)).meta({ description: 'What tokens may hold.' }),
          response_types_supported: z.array(z.string()).meta({ description: 'None: nobody is sent to a browser.' }),
          token_endpoint_auth_methods_supported: z
            .array(z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt']))
            .meta({ description: 'How clients may show their credentials.' }),
          token_endpoint_auth_signing_alg_values_supported: z
            .array(z.enum(assertionAlgorithms))
            .meta({ description: 'What assertions may be signed with.' }),
        })
        .meta({ id: 'AuthorizationServer', description: 'Authorization server metadata (RFC 8414).' }),
      headers: keptFor,
    },
  },
});
