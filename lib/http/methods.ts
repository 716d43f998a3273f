import { type Route, routes } from '../routes.ts';

/** The methods that a path takes, by the templates of the route list; none for a path that no route knows. */
export function methodsOf(path: string, known: readonly Pick<Route, 'path' | 'methods'>[] = routes): string[] {
  const methods = known.filter((route) => matches(route.path, path)).flatMap((route) => route.methods);
  return [...new Set(methods)];
}

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const segments = path.split('/');
  return (
    segments.length === expected.length &&
    expected.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
  );
}
