import { type Counts, difference, sumOf } from '../../../../lib/domain/journeys/counts.ts';
import { countersPerWrite, loadErasedCounts, numbersItem } from '../../../../lib/store/results/erased-counts.ts';
import { countsIn } from '../../../../lib/store/results/results.ts';
import { all, chunksOf, type Database, type Item, type Write } from '../../../../lib/store/table/database.ts';
import { countersKey, countersPartition, groupOfCounters, isErasedCounters } from '../../../../lib/store/table/keys.ts';

type StoredGroup = { items: Item[]; counters: Counts[string]; moves: number };

/** The groups of counters of a template, each with how often it has changed. */
async function loadGroups(database: Database, teamId: string, templateId: string): Promise<Map<string, StoredGroup>> {
  const items = await all(database, { pk: countersPartition(teamId, templateId) });
  const groups = Map.groupBy(
    items.filter((item) => !isErasedCounters(item)),
    groupOfCounters,
  );
  return new Map(
    [...groups].map(([group, own]) => {
      const moves = own.reduce((sum, item) => sum + numbersItem(item).moves, 0);
      return [group, { items: own, counters: sumOf(own.map(countsIn))[group] ?? {}, moves }];
    }),
  );
}

/** How often the counters of a template have changed: if the same is read later, none has changed in between. */
export type Moves = { groups: ReadonlyMap<string, number>; erased: number };

export async function loadMoves(database: Database, teamId: string, templateId: string): Promise<Moves> {
  const [groups, erased] = await Promise.all([
    loadGroups(database, teamId, templateId),
    loadErasedCounts(database, teamId, templateId),
  ]);
  return { groups: new Map([...groups].map(([group, { moves }]) => [group, moves])), erased: erased.moves };
}

/** A counter that was wrong by this number. */
export type CounterDifference = { group: string; counter: string; by: number };

/** Corrects the counters that differ, on the condition that they have not changed since the journeys were read. */
export async function correctCounters(
  database: Database,
  teamId: string,
  templateId: string,
  { sum, before }: { sum: Counts; before: Moves },
): Promise<{ differences: CounterDifference[]; unsettled: number }> {
  const stored = await loadGroups(database, teamId, templateId);
  const erased = await loadErasedCounts(database, teamId, templateId);
  const expected = sumOf([sum, erased.counts]);
  const groups = new Set([...Object.keys(expected), ...stored.keys()]);
  if (erased.moves !== before.erased) return { differences: [], unsettled: groups.size };
  const differences: CounterDifference[] = [];
  let unsettled = 0;
  for (const group of groups) {
    const { items, counters, moves } = stored.get(group) ?? { items: [], counters: {}, moves: 0 };
    const wrong = difference({ [group]: expected[group] ?? {} }, { [group]: counters })[group] ?? {};
    if (moves !== (before.groups.get(group) ?? 0)) unsettled += 1;
    else if (Object.keys(wrong).length > 0) {
      let before = items;
      for (const part of chunksOf(Object.entries(wrong), countersPerWrite)) {
        const writes = correction(teamId, templateId, group, before, Object.fromEntries(part));
        if (!(await database.transact(writes))) {
          unsettled += 1;
          break;
        }
        for (const [counter, by] of part) differences.push({ group, counter, by });
        before = before.length > 0 ? before.map(movedOn) : [{ ...countersKey(teamId, templateId, 0, group), moves: 1 }];
      }
    }
  }
  return { differences, unsettled };
}

const movedOn = (item: Item): Item => ({ ...item, moves: numbersItem(item).moves + 1 });

function correction(
  teamId: string,
  templateId: string,
  group: string,
  [first, ...others]: readonly Item[],
  wrong: Counts[string],
): Write[] {
  if (!first) return [{ kind: 'insert', item: { ...countersKey(teamId, templateId, 0, group), ...wrong, moves: 1 } }];
  const numbers = numbersItem(first);
  const right = Object.fromEntries(Object.entries(wrong).map(([name, by]) => [name, (numbers[name] ?? 0) + by]));
  const unchanged = (item: Item, set: object): Write => {
    const { moves } = numbersItem(item);
    return { kind: 'update', key: item, set: { ...set, moves: moves + 1 }, expect: { moves } };
  };
  return [unchanged(first, right), ...others.map((item) => unchanged(item, {}))];
}
