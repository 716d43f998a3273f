import * as z from 'zod';
import { assertionAlgorithms } from '../../domain/assertion-algorithm.ts';
import { allScopes } from '../../domain/scope.ts';
import { responses } from '../contract.ts';

const keptFor = { 'cache-control': 'How long the response can be cached.' };

const jwk = z
  .object({
    kty: z.literal('EC').meta({ description: 'Elliptic curve.' }),
    crv: z.literal('P-256').meta({ description: 'The curve.' }),
    x: z.string().meta({ description: 'Coordinate of the public point, base64url.' }),
    y: z.string().meta({ description: 'Coordinate of the public point, base64url.' }),
    kid: z.string().meta({ description: 'Id of the key. Each token names the key that signed it.' }),
    use: z.literal('sig').meta({ description: 'The key is for signatures.' }),
    alg: z.literal('ES256').meta({ description: 'Signature algorithm.' }),
  })
  .meta({ id: 'JsonWebKey', description: 'A public key (RFC 7517).' });

export const getJwks = responses({
  200: {
    description: 'A JSON Web Key Set (RFC 7517).',
    schema: z
      .object({ keys: z.array(jwk).meta({ description: 'Keys that are in use now or will be soon.' }) })
      .meta({ id: 'JsonWebKeySet', description: 'Public keys (RFC 7517).' }),
    headers: keptFor,
  },
});

export const getOauthMetadata = responses({
  200: {
    description: 'Authorization server metadata (RFC 8414).',
    schema: z
      .object({
        issuer: z.url().meta({ description: 'The `iss` of access tokens.' }),
        token_endpoint: z.url().meta({ description: 'URL of the token endpoint.' }),
        jwks_uri: z.url().meta({ description: 'URL of the public keys.' }),
        grant_types_supported: z.array(z.literal('client_credentials')).meta({ description: 'The supported grants.' }),
        scopes_supported: z.array(z.enum(allScopes)).meta({ description: 'The scopes that a token can have.' }),
        response_types_supported: z
          .array(z.string())
          .meta({ description: 'Empty, because there is no authorization endpoint.' }),
        token_endpoint_auth_methods_supported: z
          .array(z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt']))
          .meta({ description: 'The supported methods of client authentication.' }),
        token_endpoint_auth_signing_alg_values_supported: z
          .array(z.enum(assertionAlgorithms))
          .meta({ description: 'The supported signature algorithms of assertions.' }),
      })
      .meta({ id: 'AuthorizationServer', description: 'Authorization server metadata (RFC 8414).' }),
    headers: keptFor,
  },
});
