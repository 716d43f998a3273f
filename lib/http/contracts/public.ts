import * as z from 'zod';
import { contract } from '../contract.ts';

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
