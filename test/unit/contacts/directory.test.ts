import { describe, expect, test } from 'vitest';
import { scanDirectory, type Walk, walkDirectory } from '../../../lib/store/contacts/directory.ts';
import { bound, type Database, type QueryInput } from '../../../lib/store/table/database.ts';
import { directoryKey, directoryPartition } from '../../../lib/store/table/keys.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const { database } = await freshTable();
const time = (hour: number) => `2026-03-01T0${hour}:00:00.000000Z`;
/** Four ids of each of the four shards, in ascending order. */
const idOf = (shard: number, number: number) => `0${shard}${String(number).padStart(2, '0')}`;

type Entry = { shard: number; number: number; hour: number; row?: string };

/** A team with these entries, and a database that records the queries of the directory. */
async function directory(entries: readonly Entry[]) {
  const teamId = crypto.randomUUID();
  await database.write(
    entries.map(({ shard, number, hour, row = 'row' }) => {
      const id = idOf(shard, number);
      const key = { pk: `${teamId}#${id}`, sk: 'CONTACT' };
      return { kind: 'insert', item: { ...key, ...directoryKey(teamId, id, time(hour)), row } };
    }),
  );
  const queries: QueryInput[] = [];
  const query: Database['query'] = (input) => {
    queries.push(input);
    return database.query(input);
  };
  const from = { ...bound(database), query };
  /** The ids that a walk gives. A page of a shard has five entries at first, and four times as many each time. */
  const walk = async (changes: Partial<Walk>, most = Number.POSITIVE_INFINITY) => {
    queries.length = 0;
    const found: string[] = [];
    const options: Walk = { teamId, search: '', direction: 'asc', expected: 4, ...changes };
    for await (const { id } of walkDirectory(from, options)) if (found.push(id) >= most) break;
    return found;
  };
  return { teamId, from, queries, walk };
}

/** Entries of one shard: how many have each time. */
const shardOf = (shard: number, counts: Record<number, number>): Entry[] =>
  Object.entries(counts).flatMap(([hour, count], at) =>
    Array.from({ length: count }, (_, number) => ({ shard, number: at * 20 + number, hour: Number(hour) })),
  );

/** The ids in the order of a list. */
const sorted = (entries: readonly Entry[], direction: 'asc' | 'desc') =>
  [...entries]
    .sort(
      (a, b) => (direction === 'asc' ? a.hour - b.hour : b.hour - a.hour) || a.shard - b.shard || a.number - b.number,
    )
    .map(({ shard, number }) => idOf(shard, number));

const cases: [string, Entry[]][] = [
  ['entries in each shard', [0, 1, 2, 3].flatMap((shard) => shardOf(shard, { 1: 1, 2: 1, 3: 1 }))],
  ['a page that ends within a time', shardOf(0, { 1: 3, 2: 4, 3: 3 })],
  ['a page that ends with a time', shardOf(0, { 1: 3, 2: 3, 3: 5 })],
  ['more entries of a time than a page has', shardOf(0, { 1: 2, 2: 12, 3: 1 })],
  ['only entries of one time', [...shardOf(0, { 2: 12 }), ...shardOf(1, { 2: 7 })]],
  ['many entries of the newest time', [...shardOf(2, { 1: 3, 2: 9 }), ...shardOf(3, { 1: 1, 2: 1, 3: 1 })]],
  ['many entries of two times', shardOf(0, { 1: 2, 2: 12, 3: 12 })],
];

test('a walk over no entries has none', async () => {
  const { walk } = await directory([]);
  expect([await walk({ direction: 'asc' }), await walk({ direction: 'desc' })]).toEqual([[], []]);
});

describe.each(cases)('a walk over %s', (_, entries) => {
  test.each(['asc', 'desc'] as const)('has all in order (%s)', async (direction) => {
    const { walk } = await directory(entries);
    expect(await walk({ direction })).toEqual(sorted(entries, direction));
    expect(await walk({ direction, search: 'ROW' })).toEqual(sorted(entries, direction));
  });

  test.each(['asc', 'desc'] as const)('continues after each position (%s)', async (direction) => {
    const { walk } = await directory(entries);
    const all = sorted(entries, direction);
    for (const { shard, number, hour } of entries.filter((__, at) => at % 3 === 0)) {
      const id = idOf(shard, number);
      const [after, rest] = [{ value: time(hour), id }, all.slice(all.indexOf(id) + 1)];
      expect(await walk({ direction, after })).toEqual(rest);
      expect(await walk({ direction, after, search: 'row' })).toEqual(rest);
    }
  });
});

describe('the queries of a walk', () => {
  const limits = (queries: readonly QueryInput[]) => [...new Set(queries.map(({ limit }) => limit))];

  test('are of the four shards, and have a text only if there is one to search for', async () => {
    const { teamId, walk, queries } = await directory([]);
    await walk({});
    expect(queries).toEqual(
      [0, 1, 2, 3].map((shard) => ({ pk: `T#${teamId}#D#${shard}`, index: 'directory', limit: 5 })),
    );
    expect(queries.flatMap((query) => Object.keys(query))).not.toContain('rowContains');
    await walk({ search: 'Éva' });
    expect(queries.map(({ rowContains }) => rowContains)).toEqual(Array(4).fill('éva'));
  });

  test.each([
    [4, '', 5],
    [100, '', 45],
    [100, 'x', 360],
    [1_000_000, '', 10_000],
    [10_000, 'x', 10_000],
  ])('for %d entries with the text "%s" ask for %d of each shard', async (expected, search, limit) => {
    const { walk, queries } = await directory([]);
    await walk({ expected, search });
    expect(limits(queries)).toEqual([limit]);
  });

  test('ask for four times as many each time, up to 10,000', async () => {
    const { walk, queries } = await directory(
      shardOf(0, { 1: 5, 2: 20, 3: 2 }).map((each, number) => ({ ...each, number })),
    );
    await walk({});
    expect(limits(queries)).toEqual([5, 20, 80]);
    const endless: Database['query'] = async (input) => {
      queries.push(input);
      if (queries.length > 40) return { items: [] };
      return { items: [], next: String(queries.length) };
    };
    queries.length = 0;
    const walked = walkDirectory(
      { ...bound(database), query: endless },
      { teamId: 't', search: '', direction: 'asc', expected: 4 },
    );
    expect(await walked.next()).toMatchObject({ done: true });
    expect(limits(queries)).toEqual([5, 20, 80, 320, 1280, 5120, 10_000]);
  });

  test('are made only when their entries are needed', async () => {
    const { walk, queries } = await directory(shardOf(0, { 1: 12, 2: 12 }));
    await walk({}, 5);
    expect(queries).toHaveLength(4);
    await walk({}, 6);
    expect(queries).toHaveLength(5);
  });

  test('begin at the position of the cursor', async () => {
    const entries = [...shardOf(0, { 1: 2, 2: 12, 3: 2 }), ...shardOf(1, { 2: 1 })];
    const { walk, queries } = await directory(entries);
    const after = { value: time(2), id: idOf(0, 25) };
    await walk({ after });
    expect(queries.slice(0, 4).map((query) => query.after)).toEqual(Array(4).fill(`${time(2)}#${idOf(0, 25)}`));
    await walk({ after, direction: 'desc' });
    expect(queries.slice(0, 4).map(({ to, descending }) => [to, descending])).toEqual(
      Array(4).fill([`${time(2)}$`, true]),
    );
    const sameTime = queries.find(({ descending }) => !descending);
    expect(sameTime).toMatchObject({ after: `${time(2)}#${idOf(0, 25)}`, to: `${time(2)}$` });
  });
});

test('a scan visits each entry once', async () => {
  const entries = [0, 1, 2, 3].flatMap((shard) => shardOf(shard, { 1: shard }));
  const { teamId, from, queries } = await directory(entries.map((each) => ({ ...each, row: `r${each.shard}` })));
  const visited: unknown[] = [];
  await scanDirectory(from, { teamId, search: '' }, (entry) => visited.push(entry));
  const expected = entries.map(({ shard, number }) => ({
    id: idOf(shard, number),
    insertedAt: time(1),
    row: `r${shard}`,
  }));
  expect(visited).toHaveLength(expected.length);
  expect(visited).toEqual(expect.arrayContaining(expected));
  expect(queries).toHaveLength(4);
  visited.length = 0;
  await scanDirectory(from, { teamId, search: 'R3' }, (entry) => visited.push(entry));
  expect(visited).toHaveLength(3);
});

const nextTurn = () => new Promise(setImmediate);

test('a scan of the directory stops when a shard cannot be read', async () => {
  let queries = 0;
  const teamId = crypto.randomUUID();
  const failing: Database = Object.assign(Object.create(new ModelDatabase()), {
    query: async ({ pk }: { pk: string }) => {
      queries++;
      await nextTurn();
      if (pk === directoryPartition(teamId, 0)) throw new Error('unreadable');
      return { items: [], next: 'more' };
    },
  });
  await expect(scanDirectory(failing, { teamId, search: '' }, () => {})).rejects.toThrow('unreadable');
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  const afterwards = queries;
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(queries).toBe(afterwards);
});
