import * as z from 'zod';
import { publishedJwk } from '../../lib/auth/tokens.ts';
import { assertionAlgorithms } from '../../lib/domain/access/assertion-algorithm.ts';
import { allScopes } from '../../lib/domain/access/scope.ts';
import { isNeeded } from '../../lib/domain/access/signing-key.ts';
import { urlAt } from '../../lib/domain/values/url.ts';
import { contract } from '../../lib/http/contract.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { cachedFor, reply } from '../../lib/http/reply.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';
import { service } from '../../lib/runtime/table.ts';
import { loadPublicKeys } from '../../lib/store/access/signing-keys.ts';

const getOauthMetadata = contract<typeof getOauthMetadataResponses>()({
  id: 'get-oauth-metadata',
  tag: 'Authentication',
  conditional: 'reads',
  summary: 'Get the metadata of the authorization server',
  description: 'For OAuth clients that configure themselves from it.',
});

const getOauthMetadataResponses = () => ({
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
    headers: { 'cache-control': 'How long the response can be cached.' },
  },
});

/** There is no authorization endpoint and so no response type, but the list is required (RFC 8414). */
const metadata = publicEndpoint(getOauthMetadata, () => {
  const issuer = environment().ISSUER;
  return reply(
    200,
    {
      issuer,
      token_endpoint: urlAt(issuer, '/oauth2/token'),
      jwks_uri: urlAt(issuer, '/.well-known/jwks.json'),
      grant_types_supported: ['client_credentials'],
      scopes_supported: [...allScopes],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    },
    cachedFor(3600),
  );
});

const getJwks = contract<typeof getJwksResponses>()({
  id: 'get-jwks',
  tag: 'Authentication',
  conditional: 'reads',
  summary: 'Get the public keys of access tokens',
  description: 'For systems that verify access tokens themselves. Clients of this API do not need the keys.',
});

const getJwksResponses = () => {
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
  return {
    200: {
      description: 'A JSON Web Key Set (RFC 7517).',
      schema: z
        .object({ keys: z.array(jwk).describe('Keys that are in use now or will be soon.') })
        .meta({ id: 'JsonWebKeySet', description: 'Public keys (RFC 7517).' }),
      headers: { 'cache-control': 'How long the response can be cached.' },
    },
  };
};

/** Seconds. Shorter than the time for which a key is published before its use, so every cached copy has the key. */
const maxAge = 300;

const jwks = publicEndpoint(getJwks, async () => {
  const { database, now } = service();
  const keys = (await loadPublicKeys(database)).filter((key) => isNeeded(key, now()));
  return reply(200, { keys: keys.map(({ kid, jwk }) => publishedJwk(kid, jwk)) }, cachedFor(maxAge));
});

export const contracts = () => [
  { ...getOauthMetadata, responses: getOauthMetadataResponses() },
  { ...getJwks, responses: getJwksResponses() },
];

export const handler = byRoute({
  'GET /.well-known/oauth-authorization-server': metadata,
  'GET /.well-known/jwks.json': jwks,
});
