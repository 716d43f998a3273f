import { Problem } from '../domain/problem.ts';
import type { Route } from '../route.ts';
import { routes } from '../routes.ts';
import { problemReply } from './errors.ts';
import type { Reply } from './reply.ts';

/** The methods that a path supports, by the route list. Empty if no route matches the path. */
export function methodsOf(path: string, known: readonly Pick<Route, 'path' | 'methods'>[] = routes): string[] {
  const methods = known.filter((route) => matches(route.path, path)).flatMap((route) => withHead(route.methods));
  return [...new Set(methods)];
}

/** `HEAD` works as `GET`, without the body. */
const withHead = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD'] : methods;

/** The response to a method that the path does not support. */
export function methodNotAllowed(allow: readonly string[], requestId: string): Reply {
  const reply = problemReply(new Problem('method_not_allowed'), { requestId, hasCredentials: false, allow });
  // Caches may store a 405 by default (RFC 9110, section 15.5.6), and its URL may contain credentials.
  return { ...reply, headers: { ...reply.headers, 'cache-control': 'no-store' } };
}

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const segments = path.split('/');
  return (
    segments.length === expected.length &&
    expected.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
  );
}
