import type { StoredDocument } from '../../domain/campaigns/document.ts';
import { readJson } from '../../domain/values/json.ts';

/**
 * The content of a revision, from the JSON that is stored. It is not parsed by the schemas: only the import writes content,
 * after the schemas have checked it, the compression has a checksum, and most functions would need a fifth of the CPU of
 * their module load to create the schemas.
 */
export function storedContentOf(json: string): StoredDocument {
  const read: unknown = readJson(json);
  return read as StoredDocument;
}
