import * as z from 'zod';
import { publishedJwk } from '../../lib/auth/tokens.ts';
import { isNeeded } from '../../lib/domain/access/signing-key.ts';
import { contract } from '../../lib/http/contract.ts';
import { cachedFor, reply } from '../../lib/http/reply.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { service } from '../../lib/runtime/table.ts';
import { loadPublicKeys } from '../../lib/store/access/signing-keys.ts';

const getJwks = contract<typeof responses>()({
  id: 'get-jwks',
  tag: 'Authentication',
  conditional: 'reads',
  summary: 'Get the public keys of access tokens',
  description: 'For systems that verify access tokens themselves. Clients of this API do not need the keys.',
});

const responses = () => {
  const jwk = z
    .object({
      kty: z.literal('EC').describe('Elliptic curve.'),
      crv: z.literal('P-256').describe('The curve.'),
      x: z.string().describe('Coordinate of the public point, base64url.'),
      y: z.string().describe('Coordinate of the public point, base64url.'),
      kid: z.string().describe('Id of the key. Each token names the key that signed it.'),
      use: z.literal('sig').describe('The key is for signatures.'),
      alg: z.literal('ES256').describe('Signature algorithm.'),
    })
    .meta({ id: 'JsonWebKey', description: 'A public key (RFC 7517).' });
  return {
    200: {
      description: 'A JSON Web Key Set (RFC 7517).',
      schema: z
        .object({ keys: z.array(jwk).describe('Keys that are in use now or will be soon.') })
        .meta({ id: 'JsonWebKeySet', description: 'Public keys (RFC 7517).' }),
      headers: { 'cache-control': 'How long the response can be cached.' },
    },
  };
};

export const contracts = () => [{ ...getJwks, responses: responses() }];

/** Seconds. Shorter than the time for which a key is published before its use, so every cached copy has the key. */
const maxAge = 300;

export const handler = publicEndpoint(getJwks, async () => {
  const { database, now } = service();
  const keys = (await loadPublicKeys(database)).filter((key) => isNeeded(key, now()));
  return reply(200, { keys: keys.map(({ kid, jwk }) => publishedJwk(kid, jwk)) }, cachedFor(maxAge));
});
