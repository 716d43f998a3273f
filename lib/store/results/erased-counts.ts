import * as z from 'zod';
import { type Counts, sumOf } from '../../domain/journeys/counts.ts';
import { all, chunksOf, type Database, type Item, type Write } from '../table/database.ts';
import {
  countersPartition,
  erasedCountersKey,
  groupOfErasedCounters,
  isErasedCounters,
  type Key,
} from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

/**
 * What erased journeys had counted in the results of their template. It stays in the results, and is kept here too, so
 * that the counters can be compared with the journeys. Persons are added up: nobody can be told apart.
 */

/**
 * Writes of one transaction, which erases a journey. Each group has an item of its own, as in the counters, so it is not
 * larger than theirs. What exceeds 60 writes shares items: the transaction has room for 32 more, of 100 counters each.
 */
export function erasedAdditions(teamId: string, templateId: string, counts: Counts): Write[] {
  const parts = Object.entries(counts).flatMap(([group, counters]) =>
    chunksOf(Object.entries(counters), countersPerWrite).map((own, part) => ({ group, own, part })),
  );
  const shared = parts
    .slice(mostOwnItems)
    .flatMap(({ group, own }) => own.map(([name, count]) => [JSON.stringify([group, name]), count] as const));
  const addition = (key: Key, own: readonly (readonly [string, number])[]): Write => {
    return { kind: 'add', key, add: { ...Object.fromEntries(own), moves: 1 } };
  };
  return [
    ...parts
      .slice(0, mostOwnItems)
      .map(({ group, own, part }) => addition(erasedCountersKey(teamId, templateId, part, group), own)),
    ...chunksOf(shared, countersPerWrite).map((own, part) =>
      addition(erasedCountersKey(teamId, templateId, part), own),
    ),
  ];
}

const mostOwnItems = 60;
/** Far below the 4 KB of an expression. */
export const countersPerWrite = 100;

/** An item of counters, with how often it has changed. */
export const numbersItem = itemReader(
  'group of counters',
  z.object({ pk: z.string(), sk: z.string(), moves: z.int() }).catchall(z.int()),
);

const erasedItem = itemReader('counters of erased persons', z.object({ moves: z.int() }).catchall(z.unknown()));
const counterName = z.tuple([z.string(), z.string()]);

/** `moves`: how often they have changed. */
export async function loadErasedCounts(
  database: Database,
  teamId: string,
  templateId: string,
): Promise<{ counts: Counts; moves: number }> {
  const items = await all(database, { pk: countersPartition(teamId, templateId) });
  const erased = items.filter(isErasedCounters);
  const moves = erased.reduce((sum, item) => sum + erasedItem(item).moves, 0);
  return { counts: sumOf(erased.flatMap(erasedCountsIn)), moves };
}

/** Items of several groups have their names too. */
function erasedCountsIn(item: Item): Counts[] {
  const own = groupOfErasedCounters(item);
  if (own !== undefined) {
    const { pk, sk, moves, ...counters } = numbersItem(item);
    return [{ [own]: counters }];
  }
  return Object.entries(item).flatMap(([name, count]) => {
    if (!name.startsWith('[')) return [];
    const [group, counter] = counterName.parse(JSON.parse(name));
    return [{ [group]: { [counter]: z.int().parse(count) } }];
  });
}
