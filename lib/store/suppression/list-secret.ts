import * as z from 'zod';
import { type Database, readOne, versioned, writeOne } from '../table/database.ts';
import { listSecretKey } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

const markItem = itemReader('mark of the secret', z.object({ mark: z.string() }));

const loadMark = async (database: Database, teamId: string) =>
  (await readOne(database, listSecretKey(teamId), markItem))?.mark;

/** The mark of the secret with which the list of the team was made. If there is none yet, it is this one. */
export async function markOfList(database: Database, teamId: string, mark: string): Promise<string | undefined> {
  const known = await loadMark(database, teamId);
  if (known !== undefined) return known;
  const isFirst = await writeOne(database, versioned(listSecretKey(teamId), 0, { mark }));
  return isFirst ? mark : loadMark(database, teamId);
}
