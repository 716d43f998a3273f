import { describe, expect, test } from 'vitest';
import {
  all,
  bound,
  chunksFrom,
  chunksOf,
  type Database,
  pages,
  type QueryInput,
} from '../../../lib/store/table/database.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const item = (sk: string) => ({ pk: 'p', sk });

/** A database whose query has these pages, and its queries. */
function paged(...sorts: readonly string[][]) {
  const queries: QueryInput[] = [];
  const query: Database['query'] = async (input) => {
    const items = sorts[queries.push(input) - 1]!.map(item);
    return queries.length < sorts.length ? { items, next: `after ${queries.length}` } : { items };
  };
  return { database: { ...bound(new ModelDatabase()), query }, queries };
}

describe('the pages of a query', () => {
  test('are read one after another, each from the end of the one before', async () => {
    const { database, queries } = paged(['a', 'b'], [], ['c']);
    expect(await all(database, { pk: 'p', limit: 2 })).toEqual(['a', 'b', 'c'].map(item));
    const input = { pk: 'p', limit: 2 };
    expect(queries).toEqual([input, { ...input, after: 'after 1' }, { ...input, after: 'after 2' }]);
  });

  test('begin where the query says', async () => {
    const { database, queries } = paged(['a'], ['b']);
    for await (const page of pages(database, { pk: 'p', after: 'x' })) expect(page).toHaveLength(1);
    expect(queries.map(({ after }) => after)).toEqual(['x', 'after 1']);
  });

  test('are read only when they are needed', async () => {
    const { database, queries } = paged(['a'], ['b']);
    for await (const page of pages(database, { pk: 'p' })) {
      expect(page).toEqual([item('a')]);
      break;
    }
    expect(queries).toHaveLength(1);
  });
});

test('the functions of a database are those of the database', async () => {
  const { get, query, write, transact } = bound(new ModelDatabase());
  expect(await write([{ kind: 'insert', item: item('a') }])).toEqual([true]);
  expect(await transact([{ kind: 'insert', item: item('b') }])).toBe(true);
  expect(await get([item('b')])).toEqual([item('b')]);
  expect((await query({ pk: 'p' })).items).toEqual(['a', 'b'].map(item));
});

describe('groups of values', () => {
  const groups: [number, number, number[][]][] = [
    [0, 3, []],
    [2, 3, [[0, 1]]],
    [3, 3, [[0, 1, 2]]],
    [7, 3, [[0, 1, 2], [3, 4, 5], [6]]],
  ];
  test.each(groups)('of %d have at most %d', async (count, size, expected) => {
    const values = Array.from({ length: count }, (_, value) => value);
    expect(chunksOf(values, size)).toEqual(expected);
    const found: number[][] = [];
    for await (const group of chunksFrom(oneByOne(values), size)) found.push(group);
    expect(found).toEqual(expected);
  });
});

async function* oneByOne<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
