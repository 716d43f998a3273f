import { createHash } from 'node:crypto';
import { canonicalText } from '../domain/canonical-json.ts';
import type { JsonValue } from '../domain/json.ts';

/** Equal for the same bytes, and for no others. */
export const digestOfBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** Equal for records that are the same JSON values in the same order, and for no others. */
export const digestOf = (records: JsonValue | undefined): string =>
  createHash('sha256')
    .update(canonicalText(records ?? null))
    .digest('base64url');
