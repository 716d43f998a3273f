import { methodNotAllowed, notFound, type Problem } from '../../lib/domain/values/problem.ts';
import { problemReply } from '../../lib/http/errors.ts';
import { httpHandler } from '../../lib/http/handler.ts';
import { methodsOf, pathHint } from '../../lib/http/methods.ts';
import { found, type Reply } from '../../lib/http/reply.ts';
import { type Event, pathWithQuery } from '../../lib/http/request.ts';
import { docsRoutes, routes } from '../../lib/routes.ts';
import { environment, requests } from '../../lib/runtime/base.ts';

/** The start page leads to the API reference, and exists only where that is served. */
const withReference = [...routes, ...docsRoutes, { path: '/', methods: ['GET'] }] as const;

/**
 * Handles requests that match no route: 404 for an unknown path, 405 for a known path. It needs no access token. Private:
 * caches may store a 404 by default (RFC 9110, section 15.5.5), and its URL may contain credentials.
 */
export const handler = httpHandler(requests, 'no-route', handle, { isPrivate: true, renderError });

/** Below the paths of pages, people get a page. */
async function renderError(problem: Problem, event: Event) {
  const { rawPath, requestContext } = event;
  const isPage = /^\/[jc](?:\/|$)/i.test(rawPath) && ['GET', 'HEAD'].includes(requestContext.http.method);
  if (!isPage || problem.code !== 'not_found') return problemReply(problem, event);
  const { errorPage, framedNotice } = await import('../../lib/http/pages/notices.ts');
  return (/^\/c/i.test(rawPath) ? errorPage(framedNotice) : errorPage())(problem, event);
}

/** The path of a journey with a slash, or more, that a mail program has added to the link. */
const appended = /^\/j\/([\w-]{22,128})(?:%[\da-f]{2}|[^a-z\d]){0,100}$/i;

function handle(event: Event): Reply {
  const { method } = event.requestContext.http;
  const { START_PAGE: location } = environment();
  if (location && event.rawPath === '/' && ['GET', 'HEAD'].includes(method)) {
    return found(location);
  }
  const [, slug] = appended.exec(event.rawPath) ?? [];
  if (slug !== undefined && ['GET', 'HEAD'].includes(method)) return found(pathWithQuery(`/j/${slug}`, event));
  const allow = methodsOf(event.rawPath, location ? withReference : routes);
  if (allow.length === 0 || allow.includes(method)) throw notFound(pathHint(event.rawPath));
  throw methodNotAllowed(allow);
}
