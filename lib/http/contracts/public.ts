import * as z from 'zod';
import { contract } from '../contract.ts';

export const getOpenapi = contract({
  id: 'get-openapi',
  tag: 'Public documents',
  conditional: 'reads',
  summary: 'This document',
  description: 'Made from the list of endpoints and the very schemas that validate requests.',
  responses: {
    200: {
      description: 'The interface as an OpenAPI 3.1 document.',
      schema: z
        .looseObject({ openapi: z.string().meta({ description: 'Version of OpenAPI.' }) })
        .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' }),
      headers: { 'cache-control': 'How long it may be kept.' },
    },
  },
});
