import * as z from 'zod';
import { assertionAlgorithms } from '../../domain/access/assertion-algorithm.ts';
import { allScopes } from '../../domain/access/scope.ts';
import { responses } from '../contract.ts';

const keptFor = { 'cache-control': 'How long the response can be cached.' };

const jwk = z
  .object({
    kty: z.literal('EC').describe('Elliptic curve.'),
    crv: z.literal('P-256').describe('The curve.'),
    x: z.string().describe('Coordinate of the public point, base64url.'),
    y: z.string().describe('Coordinate of the public point, base64url.'),
    kid: z.string().describe('Id of the key. Each token names the key that signed it.'),
    use: z.literal('sig').describe('The key is for signatures.'),
    alg: z.literal('ES256').describe('Signature algorithm.'),
  })
  .meta({ id: 'JsonWebKey', description: 'A public key (RFC 7517).' });

export const getJwks = responses({
  200: {
    description: 'A JSON Web Key Set (RFC 7517).',
    schema: z
      .object({ keys: z.array(jwk).describe('Keys that are in use now or will be soon.') })
      .meta({ id: 'JsonWebKeySet', description: 'Public keys (RFC 7517).' }),
    headers: keptFor,
  },
});

export const getOauthMetadata = responses({
  200: {
    description: 'Authorization server metadata (RFC 8414).',
    schema: z
      .object({
        issuer: z.url().describe('The `iss` of access tokens.'),
        token_endpoint: z.url().describe('URL of the token endpoint.'),
        jwks_uri: z.url().describe('URL of the public keys.'),
        grant_types_supported: z.array(z.literal('client_credentials')).describe('The supported grants.'),
        scopes_supported: z.array(z.enum(allScopes)).describe('The scopes that a token can have.'),
        response_types_supported: z.array(z.string()).describe('Empty, because there is no authorization endpoint.'),
        token_endpoint_auth_methods_supported: z
          .array(z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt']))
          .describe('The supported methods of client authentication.'),
        token_endpoint_auth_signing_alg_values_supported: z
          .array(z.enum(assertionAlgorithms))
          .describe('The supported signature algorithms of assertions.'),
      })
      .meta({ id: 'AuthorizationServer', description: 'Authorization server metadata (RFC 8414).' }),
    headers: keptFor,
  },
});

const notKept = { 'cache-control': '`no-store`, as on every response of this operation.' };

const refusal = <Code extends string>(...codes: [Code, ...Code[]]) =>
  z.object({
    error: z.enum(codes).describe('The error code (RFC 6749, section 5.2). Use it to decide what to do.'),
    error_description: z.string().describe('For people. The wording may change.'),
  });

export const createToken = responses({
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

export const getFile = responses({
  200: {
    description: 'The image',
    mediaType: 'image/*',
    headers: {
      'cache-control': 'The image never changes: `public, max-age=31536000, immutable`',
      'content-security-policy': 'An SVG that is opened by itself can run and load nothing',
      'cross-origin-resource-policy': 'Every site can show the image: `cross-origin`',
    },
  },
});

export const getOpenapi = responses({
  200: {
    description: 'The interface as an OpenAPI 3.1 document.',
    schema: z
      .looseObject({ openapi: z.string().describe('Version of OpenAPI.') })
      .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' }),
    headers: { 'cache-control': 'How long the response can be cached.' },
  },
});
