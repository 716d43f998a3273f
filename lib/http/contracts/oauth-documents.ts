import { contract } from '../contract.ts';
import type * as responses from '../responses/oauth-documents.ts';

const tag = 'Authentication';

export const getJwks = contract<typeof responses.getJwks>()({
  id: 'get-jwks',
  tag,
  conditional: 'reads',
  summary: 'Get the public keys of access tokens',
  description: 'For systems that verify access tokens themselves. Clients of this API do not need the keys.',
});

export const getOauthMetadata = contract<typeof responses.getOauthMetadata>()({
  id: 'get-oauth-metadata',
  tag,
  conditional: 'reads',
  summary: 'Get the metadata of the authorization server',
  description: 'For OAuth clients that configure themselves from it.',
});
