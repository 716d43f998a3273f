import * as z from 'zod';
import type { Database } from './database.ts';
import { dropKey } from './keys.ts';

/** How far a file has come, as one JSON text, and how often that was written. */
export type DropRow = { data: string; version: number };

const rowSchema = z.object({ data: z.string(), version: z.number() });

/** Longer than a file lies in the drop box: no event about it can come after that. */
const daysKept = 60;

export async function loadDrop(database: Database, teamId: string, fileId: string): Promise<DropRow | undefined> {
  const [item] = await database.get([dropKey(teamId, fileId)]);
  return item && rowSchema.parse(item);
}

/** @returns false when it was there already. */
export async function insertDrop(
  database: Database,
  teamId: string,
  fileId: string,
  data: string,
  now: number,
): Promise<boolean> {
  const expires_at = Math.floor(now / 1000) + daysKept * 24 * 3600;
  const item = { ...dropKey(teamId, fileId), data, version: 1, expires_at };
  const [written] = await database.write([{ kind: 'insert', item }]);
  return written!;
}

/** @returns false when it was written by somebody else since that version. */
export async function updateDrop(
  database: Database,
  teamId: string,
  fileId: string,
  { data, version }: DropRow,
): Promise<boolean> {
  const key = dropKey(teamId, fileId);
  const [written] = await database.write([
    { kind: 'update', key, set: { data, version: version + 1 }, expect: { version } },
  ]);
  return written!;
}
