import { expect, test } from 'vitest';
import { contactListPages } from '../../../lib/domain/contacts/contact-list.ts';
import { contradictions, readCursor, writeCursor } from '../../../lib/domain/values/cursor.ts';

const query = contactListPages.query.parse({
  ...{ search: 'Ann', updated_since: '2026-01-01T00:00:00.000000Z', limit: 5, offset: 10 },
  ...{ sort_column: 'name_last', sort_direction: 'desc' },
});
const cursor = { query, after: { value: null, id: 'x' } };

test('an empty request asks for twenty, from the start, in order of creation', () => {
  const first = { sort_column: 'inserted_at', sort_direction: 'asc', limit: 20, offset: 0 };
  expect(contactListPages.query.parse({})).toEqual({ unique_id: '', search: '', updated_since: '', ...first });
});

test.each(['asc', 'desc'] as const)('a cursor says what it was given for, %s', (sort_direction) => {
  const given = { ...cursor, query: { ...query, sort_direction } };
  expect(readCursor(contactListPages, writeCursor(given))).toEqual(given);
});

test.each([
  [{}, []],
  [{ unique_id: 'u', updated_since: '' }, ['unique_id', 'updated_since']],
  [{ unique_id: '', updated_since: query.updated_since }, []],
  [{ search: 'Ann', limit: 5 }, []],
  [{ search: 'ann' }, ['search']],
  [{ sort_direction: 'asc' as const, limit: 6, offset: 0 }, ['sort_direction', 'limit', 'offset']],
  [{ sort_column: 'name_first' as const, search: '' }, ['search', 'sort_column']],
])('a cursor contradicts %j at %j', (sent, expected) => {
  const message = 'must be the same as in the request that returned the cursor, or be left out';
  expect(contradictions(sent, query)).toEqual(expected.map((path) => ({ path, message })));
});
