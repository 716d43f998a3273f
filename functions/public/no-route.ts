import { notFound } from '../../lib/domain/problem.ts';
import { methodNotAllowed, methodsOf, pathHint } from '../../lib/http/methods.ts';
import { rawHandler } from '../../lib/runtime/base.ts';

/** The start page leads to the API reference (contract, section 11). */
const toDocs = { status: 302, headers: { location: '/docs', 'cache-control': 'no-store' } };

/** Handles requests that match no route: 404 for an unknown path, 405 for a known path. It needs no access token. */
export const handler = rawHandler('no-route', (event) => {
  const { method } = event.requestContext.http;
  if (event.rawPath === '/' && ['GET', 'HEAD'].includes(method)) return toDocs;
  const allow = methodsOf(event.rawPath);
  if (allow.length === 0 || allow.includes(method)) throw notFound(pathHint(event.rawPath));
  return methodNotAllowed(allow, event.requestContext.requestId);
});
