import * as z from 'zod';
import { contract } from '../contract.ts';

const tag = 'Authentication';
const notKept = { 'cache-control': '`no-store`, as on every answer of this operation.' };
const keptFor = { 'cache-control': 'How long it may be kept.' };

const refusal = (...codes: [string, ...string[]]) =>
  z.object({ error: z.enum(codes), error_description: z.string().meta({ description: 'For people; may change.' }) });

export const createToken = contract({
  id: 'create-token',
  tag,
  summary: 'Get an access token',
  description:
    'The client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). The credentials come by Basic authentication, ' +
    'each half form-encoded, or in the body, not both. Never put them into the address: a right secret that comes in ' +
    'the query string is revoked at once, for good. Keep a token until it expires; do not assume its lifetime.',
  ownBody: {
    mediaTypes: ['application/x-www-form-urlencoded', 'application/json'],
    schema: z
      .object({
        grant_type: z.literal('client_credentials'),
        client_id: z.string().optional(),
        client_secret: z.string().optional(),
      })
      .meta({ id: 'TokenRequest' }),
  },
  answers: {
    200: {
      description: 'A token for the team that the client belongs to.',
      schema: z
        .object({
          access_token: z.string().meta({ description: 'A signed JWT (RFC 9068); send it as it is.' }),
          token_type: z.literal('Bearer'),
          expires_in: z.int().meta({ description: 'Seconds.' }),
        })
        .meta({ id: 'Token' }),
      headers: notKept,
    },
    400: {
      description: 'The request cannot be understood, or asks for another grant.',
      schema: refusal('invalid_request', 'unsupported_grant_type').meta({ id: 'TokenRequestRefusal' }),
      headers: notKept,
    },
    401: {
      description: 'No client that may have a token has these credentials.',
      schema: refusal('invalid_client').meta({ id: 'ClientRefusal' }),
      headers: { ...notKept, 'www-authenticate': '`Basic`, with a realm.' },
    },
  },
});

const jwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('ES256'),
});

export const getJwks = contract({
  id: 'get-jwks',
  tag,
  summary: 'The keys that access tokens are verified with',
  answers: {
    200: {
      description: 'A JSON Web Key Set (RFC 7517).',
      schema: z.object({ keys: z.array(jwk) }).meta({ id: 'JsonWebKeySet' }),
      headers: keptFor,
    },
  },
});

export const getOauthMetadata = contract({
  id: 'get-oauth-metadata',
  tag,
  summary: 'What the authorization server offers',
  answers: {
    200: {
      description: 'Authorization server metadata (RFC 8414).',
      schema: z
        .object({
          issuer: z.url(),
          token_endpoint: z.url(),
          jwks_uri: z.url(),
          grant_types_supported: z.array(z.literal('client_credentials')),
          response_types_supported: z.array(z.string()),
          token_endpoint_auth_methods_supported: z.array(z.enum(['client_secret_basic', 'client_secret_post'])),
        })
        .meta({ id: 'AuthorizationServer' }),
      headers: keptFor,
    },
  },
});
