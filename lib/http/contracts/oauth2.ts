import * as z from 'zod';
import { contract } from '../contract.ts';

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
  tag: 'Public documents',
  summary: 'The keys that access tokens are verified with',
  answers: { 200: { description: 'A JSON Web Key Set (RFC 7517).', schema: z.object({ keys: z.array(jwk) }) } },
});

export const getOauthMetadata = contract({
  id: 'get-oauth-metadata',
  tag: 'Public documents',
  summary: 'What the authorization server offers',
  answers: {
    200: {
      description: 'Authorization server metadata (RFC 8414).',
      schema: z.object({
        issuer: z.url(),
        token_endpoint: z.url(),
        jwks_uri: z.url(),
        grant_types_supported: z.array(z.literal('client_credentials')),
        response_types_supported: z.array(z.string()),
        token_endpoint_auth_methods_supported: z.array(z.enum(['client_secret_basic', 'client_secret_post'])),
      }),
    },
  },
});
