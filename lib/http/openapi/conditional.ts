import type { Contract } from '../contract.ts';
import type { JsonSchema } from './schemas.ts';

/** The header parameter of a conditional request. */
export const conditions = {
  reads: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'Entity tags of responses that the client has. If the current one is among them, the response is 304, without a body.',
    schema: { type: 'string' },
  },
  writes: {
    name: 'If-Match',
    in: 'header',
    description:
      'Entity tag of an earlier response. If it is not the current one, the response is 412 and nothing is stored.',
    schema: { type: 'string' },
  },
} satisfies Record<NonNullable<Contract['conditional']>, JsonSchema>;

export const entityTagHeader = {
  etag: { description: 'Entity tag of the response (RFC 9110)', schema: { type: 'string' } },
};

export const notModified = {
  description: 'The client has the current representation',
  headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' }, ...entityTagHeader },
};
