import * as z from 'zod';
import { contract } from '../contract.ts';

export const getOpenapi = contract({
  id: 'get-openapi',
  tag: 'Public documents',
  summary: 'This document',
  answers: {
    200: {
      description: 'The interface as an OpenAPI 3.1 document.',
      schema: z.looseObject({ openapi: z.string() }),
      headers: { 'cache-control': 'How long it may be kept.' },
    },
  },
});
