import { expect, test } from 'vitest';
import { contradictions, queryOf, readCursor, writeCursor } from '../../lib/domain/cursor.ts';

const query = queryOf({ search: 'Ann', sort_column: 'name_last', sort_direction: 'desc', limit: 5, offset: 10 });
const cursor = { query, after: { value: null, id: 'x' } };

test('an empty request asks for twenty, from the start, in order of creation', () => {
  expect(queryOf({})).toEqual({
    search: '',
    sort_column: 'inserted_at',
    sort_direction: 'asc',
    limit: 20,
    offset: 0,
  });
});

test('a cursor says what it was given for', () => {
  expect(readCursor(writeCursor(cursor))).toEqual(cursor);
});

test.each([
  [{}, []],
  [{ search: 'Ann', limit: 5 }, []],
  [{ search: 'ann' }, ['search']],
  [{ sort_direction: 'asc' as const, limit: 6, offset: 0 }, ['sort_direction', 'limit', 'offset']],
  [{ sort_column: 'name_first' as const, search: '' }, ['search', 'sort_column']],
])('a cursor contradicts %j at %j', (sent, expected) => {
  expect(contradictions(sent, cursor).map(({ path }) => path)).toEqual(expected);
});
