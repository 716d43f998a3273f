import type { Arbitrary } from 'fast-check';
import type { JsonValue } from '../../lib/domain/json.ts';
import type { Operation } from './schema.ts';
import type { Sent } from './transport.ts';

/** A request that the document allows, before it is written down. */
export type Draft = {
  operation: Operation;
  params: Record<string, string>;
  /** Whether the path leads to something that exists. */
  leads: boolean;
  query: [name: string, value: string][];
  mediaType?: string;
  body?: JsonValue;
  headers: [name: string, value: string][];
};

/** The statuses that may answer a request, and why those. */
export type Verdict = { statuses: readonly number[]; because: string };
export type Trial = Verdict & {
  operation: Operation;
  sent: Sent;
  /** No operation has this address, or takes this method: what all share answers. */
  isUnrouted?: boolean;
};

/** Takes one value of what may be. */
export type Pick = <T>(arbitrary: Arbitrary<T>) => T;

/** The draft as it goes over the wire. */
export function written({ operation, params, query, mediaType, body, headers }: Draft): Sent {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  const target = search === '' ? path : `${path}?${search}`;
  if (mediaType === undefined || body === undefined) return { method: operation.method, target, headers };
  const text = mediaType.endsWith('json') ? JSON.stringify(body) : formOf(body);
  return { method: operation.method, target, headers: [...headers, ['content-type', mediaType]], body: text };
}

/** A form holds texts alone. */
function formOf(body: JsonValue): string {
  const texts = Object.entries(body as object).filter(([, value]) => typeof value === 'string');
  return new URLSearchParams(texts as [string, string][]).toString();
}
