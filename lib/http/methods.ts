import { Problem } from '../domain/problem.ts';
import { type Route, routes } from '../routes.ts';
import { problemReply } from './errors.ts';
import type { Reply } from './reply.ts';

/** The methods that a path takes, by the templates of the route list; none for a path that no route knows. */
export function methodsOf(path: string, known: readonly Pick<Route, 'path' | 'methods'>[] = routes): string[] {
  const methods = known.filter((route) => matches(route.path, path)).flatMap((route) => withHead(route.methods));
  return [...new Set(methods)];
}

/** `HEAD` is answered as `GET`, without the body. */
const withHead = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD'] : methods;

/** The answer to a method that the path does not take. */
export function methodNotAllowed(allow: readonly string[], requestId: string): Reply {
  const reply = problemReply(new Problem('method_not_allowed'), { requestId, hasCredentials: false, allow });
  // Caches may keep a 405 unless told otherwise (RFC 9110, section 15.5.6), under an address that may hold credentials.
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
