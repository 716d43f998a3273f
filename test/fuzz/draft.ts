import type { Arbitrary } from 'fast-check';
import type { JsonValue } from '../../lib/domain/json.ts';
import type { Operation } from './schema.ts';
import type { Sent } from './transport.ts';

/** A request that the document allows, before it is encoded. */
export type Draft = {
  operation: Operation;
  params: Record<string, string>;
  /** True if the path refers to an existing object. */
  leads: boolean;
  query: [name: string, value: string][];
  mediaType?: string;
  body?: JsonValue;
  headers: [name: string, value: string][];
};

/** The allowed statuses of the response, with the reason. */
export type Verdict = { statuses: readonly number[]; because: string };
export type Trial = Verdict & {
  operation: Operation;
  sent: Sent;
  /** True if no operation has this path or method: then the common error responses apply. */
  isUnrouted?: boolean;
};

/** Draws one value. */
export type Pick = <T>(arbitrary: Arbitrary<T>) => T;

/** The draft as it is sent. */
export function written({ operation, params, query, mediaType, body, headers }: Draft): Sent {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  const target = search === '' ? path : `${path}?${search}`;
  if (mediaType === undefined || body === undefined) return { method: operation.method, target, headers };
  const text = mediaType.endsWith('json') ? JSON.stringify(body) : formOf(body);
  return { method: operation.method, target, headers: [...headers, ['content-type', mediaType]], body: text };
}

/** A form contains only texts. */
function formOf(body: JsonValue): string {
  const texts = Object.entries(body as object).filter(([, value]) => typeof value === 'string');
  return new URLSearchParams(texts as [string, string][]).toString();
}
