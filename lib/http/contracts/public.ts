import { contract } from '../contract.ts';
import type * as responses from '../responses/public.ts';

export const getFile = contract<typeof responses.getFile>()({
  id: 'get-file',
  tag: 'Public documents',
  ofOwnPages: true,
  conditional: 'reads',
  summary: 'An image or font of a team',
  description:
    'An image, or a font (WOFF2), that an administrator stored for the pages of a team. Anyone who has its id can read it. Other content ' +
    'has another id.',
});

export const getOpenapi = contract<typeof responses.getOpenapi>()({
  id: 'get-openapi',
  tag: 'Public documents',
  conditional: 'reads',
  summary: 'Get this OpenAPI document',
  description: 'The document is generated from the list of endpoints and the schemas that validate requests.',
});

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
