import { similarTo } from '../domain/values/similar.ts';
import type { Route } from '../route.ts';
import { routes } from '../routes.ts';

/** The methods that a path supports, by the route list. Empty if no route matches the path. */
export function methodsOf(path: string, known: readonly Pick<Route, 'path' | 'methods'>[] = routes): string[] {
  const methods = known.filter((route) => matches(route.path, path)).flatMap((route) => withHead(route.methods));
  return [...new Set(methods)];
}

/** `HEAD` works as `GET`, without the body. */
const withHead = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD'] : methods;

/** What may be wrong with a path that no route matches. */
export function pathHint(path: string): string | undefined {
  if (path.endsWith('/') && methodsOf(path.slice(0, -1)).length > 0) return 'Remove the slash at the end of the path.';
  if (methodsOf(`/v1${path}`).length > 0) return `Did you mean /v1${path}?`;
  const nearest = nearestPath(path) ?? nearestPath(`/v1${path}`);
  return nearest === undefined ? undefined : `Did you mean ${nearest}?`;
}

/** The known path that was probably meant, whatever stands in place of its parameters. */
function nearestPath(path: string): string | undefined {
  const segments = path.split('/');
  const isNear = (known: string) => {
    const parts = known.split('/');
    const sent = segments.map((segment, at) => (parts[at]?.startsWith('{') ? parts[at] : segment));
    return segments.length === parts.length && similarTo(sent.join('/'), [known]) !== undefined;
  };
  return routes.find((route) => isNear(route.path))?.path;
}

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const segments = path.split('/');
  return (
    segments.length === expected.length &&
    expected.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
  );
}
