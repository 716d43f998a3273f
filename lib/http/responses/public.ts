import * as z from 'zod';
import { responses } from '../contract.ts';

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
      .looseObject({ openapi: z.string().meta({ description: 'Version of OpenAPI.' }) })
      .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' }),
    headers: { 'cache-control': 'How long the response can be cached.' },
  },
});
