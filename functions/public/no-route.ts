import { methodNotAllowed, notFound } from '../../lib/domain/problem.ts';
import { httpHandler } from '../../lib/http/handler.ts';
import { methodsOf, pathHint } from '../../lib/http/methods.ts';
import { found, type Reply } from '../../lib/http/reply.ts';
import type { Event } from '../../lib/http/request.ts';
import { docsRoutes, routes } from '../../lib/routes.ts';
import { environment, requests } from '../../lib/runtime/base.ts';

/** The start page leads to the API reference, and exists only where that is served. */
const withReference = [...routes, ...docsRoutes, { path: '/', methods: ['GET'] }] as const;

/**
 * Handles requests that match no route: 404 for an unknown path, 405 for a known path. It needs no access token. Private:
 * caches may store a 404 by default (RFC 9110, section 15.5.5), and its URL may contain credentials.
 */
export const handler = httpHandler(requests, 'no-route', handle, { isPrivate: true });

function handle(event: Event): Reply {
  const { method } = event.requestContext.http;
  const { START_PAGE: location } = environment();
  if (location && event.rawPath === '/' && ['GET', 'HEAD'].includes(method)) {
    return found(location);
  }
  const allow = methodsOf(event.rawPath, location ? withReference : routes);
  if (allow.length === 0 || allow.includes(method)) throw notFound(pathHint(event.rawPath));
  throw methodNotAllowed(allow);
}
