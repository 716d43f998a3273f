import { assertionAlgorithms } from '../../lib/domain/access/assertion-algorithm.ts';
import { allScopes } from '../../lib/domain/access/scope.ts';
import { urlAt } from '../../lib/domain/values/url.ts';
import { getOauthMetadata } from '../../lib/http/contracts/public.ts';
import { cachedFor, reply } from '../../lib/http/reply.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';

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
