import * as z from 'zod';
import { contract } from '../contract.ts';

export const getFile = contract({
  id: 'get-file',
  tag: 'Public documents',
  ofOwnPages: true,
  conditional: 'reads',
  summary: 'An image or font of a team',
  description:
    'An image, or a font (WOFF2), that an administrator stored for the pages of a team. Anyone who has its id can read it. Other content ' +
    'has another id.',
  responses: {
    200: {
      description: 'The image',
      mediaType: 'image/*',
      headers: {
        'cache-control': 'The image never changes: `public, max-age=31536000, immutable`',
        'content-security-policy': 'An SVG that is opened by itself can run and load nothing',
        'cross-origin-resource-policy': 'Every site can show the image: `cross-origin`',
      },
    },
  },
});

export const getOpenapi = contract({
  id: 'get-openapi',
  tag: 'Public documents',
  conditional: 'reads',
  summary: 'Get this OpenAPI document',
  description: 'The document is generated from the list of endpoints and the schemas that validate requests.',
  responses: {
    200: {
      description: 'The interface as an OpenAPI 3.1 document.',
      schema: z
        .looseObject({ openapi: z.string().meta({ description: 'Version of OpenAPI.' }) })
        .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' }),
      headers: { 'cache-control': 'How long the response can be cached.' },
    },
  },
});
