import * as z from 'zod';
import { assertionAlgorithms } from '../../lib/domain/access/assertion-algorithm.ts';
import { allScopes } from '../../lib/domain/access/scope.ts';
import { urlAt } from '../../lib/domain/values/url.ts';
import { contract } from '../../lib/http/contract.ts';
import { cachedFor, reply } from '../../lib/http/reply.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';

const getOauthMetadata = contract<typeof responses>()({
  id: 'get-oauth-metadata',
  tag: 'Authentication',
  conditional: 'reads',
  summary: 'Get the metadata of the authorization server',
  description: 'For OAuth clients that configure themselves from it.',
});

const responses = () => ({
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

export const contracts = () => [{ ...getOauthMetadata, responses: responses() }];

/** There is no authorization endpoint and so no response type, but the list is required (RFC 8414). */
export const handler = publicEndpoint(getOauthMetadata, () => {
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
