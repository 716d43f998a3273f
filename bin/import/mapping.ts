import { readFile } from 'node:fs/promises';
import type { Mapping } from '../../lib/files/columns.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
import { mappingOf } from '../../lib/files/mapping.ts';
import { CannotRun } from './target.ts';

type Options = { kind: FileKind; map?: string | undefined; decimalComma: boolean };

/**
 * How the columns of the file become fields, and texts that differ if this differs: the batch id is made from them.
 * @throws CannotRun, FileRefused
 */
export async function mappingFor({
  kind,
  map,
  decimalComma,
}: Options): Promise<{ mapping: Mapping | undefined; meaning: readonly string[] }> {
  const text = map === undefined ? undefined : await mapText(map);
  const mapping = mappingOf(kind, text, decimalComma);
  return { mapping, meaning: decimalComma ? [text ?? '', 'decimal comma'] : [text ?? ''] };
}

/** The text of a mapping file. @throws CannotRun */
export async function mapText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CannotRun(`${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}
