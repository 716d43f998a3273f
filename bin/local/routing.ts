import { gatewayMethods, type Route } from '../../lib/route.ts';

export type Match = { id: string; routeKey: string; parameters?: Record<string, string> };
export type Router = (method: string, path: readonly string[]) => Match;

type Entry = { id: string; method: string; path: string; segments: readonly string[] };

/** Finds routes as API Gateway does: a literal segment has priority over a parameter, and the fallback is `$default`. */
export function createRouter(routes: readonly Route[], fallback: string): Router {
  const entries = routes
    .flatMap((route) => {
      const { id, path } = route;
      return gatewayMethods(route).map((method) => ({ id, method, path, segments: path.split('/') }));
    })
    .sort((left, right) => rank(left).localeCompare(rank(right)));
  return (method, path) => {
    const entry = entries.find((each) => (each.method === 'ANY' || each.method === method) && matches(each, path));
    if (!entry) return { id: fallback, routeKey: '$default' };
    const parameters = parametersOf(entry, path);
    return {
      id: entry.id,
      routeKey: `${entry.method} ${entry.path}`,
      ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
    };
  };
}

const isParameter = (segment: string) => segment.startsWith('{');

/** Sorts literal segments before parameters, from left to right. */
const rank = (entry: Entry) => entry.segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');

const matches = ({ segments }: Entry, path: readonly string[]) =>
  segments.length === path.length &&
  segments.every((segment, index) => (isParameter(segment) ? path[index] !== '' : segment === path[index]));

const parametersOf = ({ segments }: Entry, path: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    segments.flatMap((segment, index) => (isParameter(segment) ? [[segment.slice(1, -1), path[index] ?? '']] : [])),
  );
