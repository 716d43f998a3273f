import { createHash } from 'node:crypto';
import { parse, v5 } from 'uuid';
import { canonicalText } from '../../domain/values/canonical-json.ts';
import type { JsonValue } from '../../domain/values/json.ts';

/** A digest that is equal only for the same bytes. */
export const digestOfBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** A digest that is equal only for records with the same JSON values in the same order. */
export const digestOf = (records: JsonValue | undefined): string =>
  createHash('sha256')
    .update(canonicalText(records ?? null))
    .digest('base64url');

/** A name-based UUID (version 5). With bytes instead of texts, the library takes half the time. */
export const uuid5 = (name: string, namespace: string): string => v5(Buffer.from(name), parse(namespace));
