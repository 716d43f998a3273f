import { notFound, Problem } from '../../lib/domain/problem.ts';
import { problemReply } from '../../lib/http/errors.ts';
import { methodsOf } from '../../lib/http/methods.ts';
import { rawHandler } from '../../lib/runtime/base.ts';

/** What no route matches: an unknown path is 404, a known path with another method 405. Needs no token. */
export const handler = rawHandler('no-route', async (event, requestId) => {
  const allow = methodsOf(event.rawPath);
  if (allow.length === 0 || allow.includes(event.requestContext.http.method)) throw notFound();
  const reply = problemReply(new Problem('method_not_allowed'), { requestId, hasCredentials: false, allow });
  // Caches may keep a 405 unless told otherwise (RFC 9110, section 15.5.6), under an address that may hold credentials.
  return { ...reply, headers: { ...reply.headers, 'cache-control': 'no-store' } };
});
