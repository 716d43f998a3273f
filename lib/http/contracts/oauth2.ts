import * as z from 'zod';
import { allScopes } from '../../domain/access/scope.ts';
import { contract } from '../contract.ts';
import type * as responses from '../responses/public.ts';

const tag = 'Authentication';

/** Known scopes, separated by single spaces. An empty string counts as absent. */
const aScope = `(?:${allScopes.join('|')})`;
const scopePattern = new RegExp(`^(?:${aScope}(?: ${aScope})*)?$`);

export const createToken = contract<typeof responses.createToken>()({
  id: 'create-token',
  tag,
  summary: 'Get an access token',
  description:
    'The client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). Send the credentials either by Basic ' +
    'authentication, with both parts form-encoded, or in the body. A client that has keys sends an assertion instead ' +
    '(`private_key_jwt`, RFC 7523). Never put credentials into the URL: if the query string contains a correct secret, ' +
    'the client is revoked at once and permanently. Keep a token until it expires, and do not assume its lifetime.',
  ownBody: {
    mediaTypes: ['application/x-www-form-urlencoded', 'application/json'],
    schema: z
      .object({
        grant_type: z.literal('client_credentials').describe('The only supported grant.'),
        client_id: z.string().nullish().describe('The client id, unless you use Basic authentication.'),
        client_secret: z.string().nullish().describe('The secret, unless you use Basic authentication.'),
        client_assertion_type: z
          .string()
          .nullish()
          .describe('Required with an assertion: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.'),
        client_assertion: z
          .string()
          .nullish()
          .describe(
            'Instead of a secret: a JWT that the client signed, with the client id as `iss` and `sub`, the issuer as ' +
              '`aud`, `exp` at most five minutes in the future, and a unique `jti`.',
          ),
        scope: z
          .string()
          .regex(scopePattern)
          .nullish()
          .describe(
            'The scopes of the token, separated by spaces. If absent, the token gets all scopes of the client.',
          ),
      })
      .meta({
        id: 'TokenRequest',
        description: 'The grant, and the credentials unless you use Basic authentication.',
      }),
  },
  problems: ['unsupported_media_type'],
});
