import * as z from 'zod';
import type { Lane } from '../../domain/waiting-work/lane.ts';
import { all, type Database, type Item, readOne, type Upsert, type Write } from '../table/database.ts';
import { type Key, nameOfWalk, walkKey, walksPartition } from '../table/keys.ts';
import { itemReader, jsonText, storedTime } from '../table/stored-item.ts';

/** Work over many contacts, a page at a time. */
const walkData = z.object({
  /** Whom it judges: everybody, the holders of an account, or those whom a brake has held back. */
  over: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('everybody') }),
    z.object({ kind: z.literal('holders'), account_number: z.string() }),
    /** Everybody for this rule, also those who were there before, from this time on; `left` more journeys may start. */
    z.object({
      ...{ kind: z.literal('existing'), template_id: z.string(), revision: z.string() },
      ...{ from: z.string(), left: z.int() },
    }),
    z.object({ kind: z.literal('held'), template_id: z.string() }),
  ]),
  asked_at: storedTime,
  /** It begins at this time or later. */
  begins_at: storedTime,
  /** Until it begins, changes are not marked: it reads them. */
  replaces_marks: z.boolean(),
  /** When it began, and when it last moved on. */
  began_at: storedTime.nullable(),
  moved_at: storedTime.nullable(),
  /** How far it is: the shard of the directory, and the last key that was read. */
  shard: z.int(),
  after: z.string().nullable(),
  looked: z.int(),
  started: z.int(),
  held: z.int(),
  /** Contacts with so many accounts that they are not targeted. */
  too_many: z.int(),
  /** The number of contacts when it was asked for, if it is known. */
  of: z.int().nullable(),
  /** Set if another one was asked for since it began: it begins again after its end. */
  again_at: storedTime.nullable(),
});
export type WalkData = z.output<typeof walkData>;
export type WalkOver = WalkData['over'];

/** A walk; `token` differs after each change. */
export type Walk = WalkData & { name: string; token: string };

const walkItem = itemReader('walk', z.object({ token: z.string(), data: jsonText(walkData) }));
const walkOf = (item: Item): Walk => {
  const { token, data } = walkItem(item);
  return { ...data, name: nameOfWalk(item), token };
};

/** Two walks over the same have one name: of these there is one at a time. */
export function walkName(over: WalkOver): string {
  switch (over.kind) {
    case 'everybody':
      return 'EVERYBODY';
    case 'holders':
      return `HOLDERS#${over.account_number}`;
    case 'existing':
      return `EXISTING#${over.template_id}`;
    case 'held':
      return `HELD#${over.template_id}`;
  }
}

export const walkLane = (team_id: string): Lane => ({ work: 'walks', team_id });

export const listWalks = async (database: Database, teamId: string): Promise<Walk[]> =>
  (await all(database, { pk: walksPartition(teamId) })).map(walkOf);

export const loadWalk = (database: Database, teamId: string, over: WalkOver): Promise<Walk | undefined> =>
  readOne(database, walkKey(teamId, walkName(over)), walkOf);

/**
 * Writes the walk on the condition that it is still as it was read. It then has this token.
 * @param before `undefined` if there was none
 */
export function walkWrite(teamId: string, walk: WalkData, before: Walk | undefined, token: string): Upsert {
  const key: Key = walkKey(teamId, walkName(walk.over));
  const set = { token, data: JSON.stringify(walkData.parse(walk)) };
  return before
    ? { kind: 'update', key, set, expect: { token: before.token } }
    : { kind: 'insert', item: { ...key, ...set } };
}

export const walkDeletion = (teamId: string, { name, token }: Walk): Write => ({
  ...{ kind: 'delete', key: walkKey(teamId, name), expect: { token } },
});
