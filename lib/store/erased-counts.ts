import * as z from 'zod';
import { type Counts, sumOf } from '../domain/counts.ts';
import { all, type Database, type Item, type Write } from './database.ts';
import { countersPartition, erasedCountersKey, isErasedCounters } from './keys.ts';
import { itemReader } from './stored-item.ts';

/**
 * What erased journeys had counted in the results of their template. It stays in the results, and is kept here too, so
 * that the counters can be compared with the journeys. Persons are added up: nobody can be told apart.
 */

/** Items of a template: so many writes erase a journey, however many pages it has. */
const parts = 4;

export function erasedAdditions(teamId: string, templateId: string, counts: Counts): Write[] {
  const groups = Object.entries(counts);
  return Array.from({ length: parts }, (_, part) => groups.filter(([group]) => partOf(group) === part)).flatMap(
    (own, part): Write[] => {
      const counters = own.flatMap(([group, numbers]) =>
        Object.entries(numbers).map(([name, count]) => [JSON.stringify([group, name]), count]),
      );
      const add = { ...Object.fromEntries(counters), moves: 1 };
      return own.length > 0 ? [{ kind: 'add', key: erasedCountersKey(teamId, templateId, part), add }] : [];
    },
  );
}

const partOf = (group: string): number => group.charCodeAt(group.length - 1) % parts;

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

const erasedCountsIn = (item: Item): Counts[] =>
  Object.entries(item).flatMap(([name, count]) => {
    if (!name.startsWith('[')) return [];
    const [group, counter] = counterName.parse(JSON.parse(name));
    return [{ [group]: { [counter]: z.int().parse(count) } }];
  });
