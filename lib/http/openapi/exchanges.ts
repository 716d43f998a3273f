import type { JsonSchema } from './schemas.ts';

/**
 * A request and its response, recorded against a running service (`node bin/examples.ts`). Ids, times and secrets are
 * placeholders. The base URL of the service is `{base_url}`.
 */
export type Exchange = {
  operation: string;
  /** Unique among all exchanges. */
  name: string;
  summary: string;
  request: { method: string; path: string; headers: Record<string, string>; body?: unknown };
  response: { status: number; headers: Record<string, string>; body?: unknown };
};

/** These exchanges, with this base URL. */
export const exchangesAt = (baseUrl: string, recorded: readonly Exchange[]): Exchange[] =>
  JSON.parse(JSON.stringify(recorded).replaceAll('{base_url}', baseUrl));

/** The recorded bodies as examples of the OpenAPI document. */
export const namedBodies = (exchanges: readonly Exchange[], side: 'request' | 'response'): JsonSchema =>
  Object.fromEntries(
    exchanges
      .filter((exchange) => exchange[side].body !== undefined)
      .map((exchange) => [exchange.name, { summary: exchange.summary, value: exchange[side].body }]),
  );

/** The values of the path and query parameters in an exchange. */
export function parametersOf(template: string, { request }: Exchange): Map<string, string> {
  const { pathname, searchParams } = new URL(request.path, 'http://localhost');
  const segments = pathname.split('/');
  const names = template.split('/').map((part) => /^\{(.*)\}$/.exec(part)?.[1]);
  const inPath = names.flatMap((name, at) => (name === undefined ? [] : [[name, segments[at] ?? ''] as const]));
  return new Map([...searchParams, ...inPath.map(([name, value]) => [name, decodeURIComponent(value)] as const)]);
}
