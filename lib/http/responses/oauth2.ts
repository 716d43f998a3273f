import * as z from 'zod';
import { responses } from '../contract.ts';

const notKept = { 'cache-control': '`no-store`, as on every response of this operation.' };

const refusal = <Code extends string>(...codes: [Code, ...Code[]]) =>
  z.object({
    error: z.enum(codes).meta({ description: 'The error code (RFC 6749, section 5.2). Use it to decide what to do.' }),
    error_description: z.string().meta({ description: 'For people. The wording may change.' }),
  });

export const createToken = responses({
  200: {
    description: 'A token for the team that the client belongs to.',
    schema: z
      .object({
        access_token: z.string().meta({ description: 'A signed JWT (RFC 9068). Treat it as opaque.' }),
        token_type: z.literal('Bearer').meta({ description: 'Send the token as `Authorization: Bearer …`.' }),
        expires_in: z.int().meta({ description: 'Seconds until the token expires.' }),
        scope: z.string().meta({ description: 'The scopes of the token, separated by spaces.' }),
      })
      .meta({ id: 'Token', description: 'An access token.' }),
    headers: notKept,
  },
  400: {
    description: 'The request is malformed, or the client cannot have the requested grant or scope.',
    schema: refusal('invalid_request', 'unsupported_grant_type', 'invalid_scope').meta({
      id: 'TokenRequestRefusal',
      description: 'Why the request failed (RFC 6749, section 5.2).',
    }),
    headers: notKept,
  },
  401: {
    description: 'The credentials are wrong, or the client is revoked.',
    schema: refusal('invalid_client').meta({
      id: 'ClientRefusal',
      description: 'The client authentication failed (RFC 6749, section 5.2).',
    }),
    headers: { ...notKept, 'www-authenticate': '`Basic`, with a realm.' },
  },
});
