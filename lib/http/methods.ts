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
  const meant = [`/v1${path}`, ...endsOf(path)];
  const known = meant.find((each) => methodsOf(each).length > 0) ?? [path, ...meant].map(nearestPath).find(Boolean);
  return known === undefined ? undefined : `Did you mean ${known}?`;
}

/** The path without its first segment, and without its first two: a base URL can have a path of its own. */
const endsOf = (path: string): string[] => {
  const segments = path.split('/').slice(1);
  return [1, 2].filter((from) => from < segments.length).map((from) => `/${segments.slice(from).join('/')}`);
};

/** The known path that was probably meant, whatever stands in place of its parameters. */
function nearestPath(path: string): string | undefined {
  const segments = path.split('/');
  const near = routes.flatMap(({ path: known }) => {
    const parts = known.split('/');
    if (segments.length !== parts.length) return [];
    const fixed = (of: string[]) => of.filter((_, at) => !parts[at]!.startsWith('{')).join('/');
    return similarTo(fixed(segments), [fixed(parts)]) === undefined ? [] : [{ known, fixed: fixed(parts) }];
  });
  const meant = similarTo(
    path,
    near.map(({ fixed }) => fixed),
  );
  return (near.find(({ fixed }) => fixed === meant) ?? near[0])?.known;
}

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const segments = path.split('/');
  return (
    segments.length === expected.length &&
    expected.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
  );
}
