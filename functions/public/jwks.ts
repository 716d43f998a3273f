import { publishedJwk } from '../../lib/auth/tokens.ts';
import { isNeeded } from '../../lib/domain/access/signing-key.ts';
import { getJwks } from '../../lib/http/contracts/public.ts';
import { cachedFor, reply } from '../../lib/http/reply.ts';
import { publicEndpoint } from '../../lib/runtime/base.ts';
import { runtime } from '../../lib/runtime/table.ts';
import { loadPublicKeys } from '../../lib/store/access/signing-keys.ts';

/** Seconds. Shorter than the time for which a key is published before its use, so every cached copy has the key. */
const maxAge = 300;

export const handler = publicEndpoint(getJwks, async () => {
  const { database, now } = runtime();
  const keys = (await loadPublicKeys(database)).filter((key) => isNeeded(key, now()));
  return reply(200, { keys: keys.map(({ kid, jwk }) => publishedJwk(kid, jwk)) }, cachedFor(maxAge));
});
