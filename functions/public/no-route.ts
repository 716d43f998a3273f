import { notFound } from '../../lib/domain/problem.ts';
import { methodNotAllowed, methodsOf } from '../../lib/http/methods.ts';
import { rawHandler } from '../../lib/runtime/base.ts';

/** What no route matches: an unknown path is 404, a known path with another method 405. Needs no token. */
export const handler = rawHandler('no-route', (event) => {
  const allow = methodsOf(event.rawPath);
  if (allow.length === 0 || allow.includes(event.requestContext.http.method)) throw notFound();
  return methodNotAllowed(allow, event.requestContext.requestId);
});
