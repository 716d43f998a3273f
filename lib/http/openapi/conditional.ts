import type { Contract } from '../contract.ts';
import type { JsonSchema } from './schemas.ts';

/** The header of a conditional request. */
export const conditions = {
  reads: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags that the client has: the response is 304, without a body, if the representation has one.',
    schema: { type: 'string' },
  },
  writes: {
    name: 'If-Match',
    in: 'header',
    description: 'Entity tag that was read: the response is 412, and nothing is stored, if it is no longer current.',
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
