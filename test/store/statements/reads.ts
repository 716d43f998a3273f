import { scanTeam } from '../../../bin/admin/store/table-scan.ts';
import { numbered, ownPartition, type StatementCase, sortKeys, teamOf, times } from './case.ts';

const three = [{ sk: 'a' }, { sk: 'b' }, { sk: 'c' }];
const listed = ['jane smith', 'jan novak', 'john smith'].map((row, n) => ({
  sk: 'abc'[n]!,
  directory_pk: ownPartition,
  directory_sk: String(n + 1),
  row,
}));
const lookups = ['lookup_1', 'lookup_2', 'lookup_3', 'lookup_4'];
const query =
  (input: object): StatementCase['call'] =>
  async ({ database, pk }) =>
    sortKeys(await database.query({ pk, ...input }));

export const reads: readonly StatementCase[] = [
  {
    what: 'reads by key',
    given: three,
    call: async ({ database, pk }) => (await database.get([{ pk, sk: 'b' }])).map((item) => item?.sk),
    sent: ['BatchGetItem, 1 keys, strongly'],
    result: ['b'],
  },
  {
    what: 'reads by more keys than a request takes',
    given: [],
    call: async ({ database, pk }) => (await database.get(numbered(101).map((sk) => ({ pk, sk })))).filter(Boolean),
    sent: ['BatchGetItem, 100 keys, strongly', 'BatchGetItem, 1 keys, strongly'],
    result: [],
  },
  {
    what: 'a whole partition',
    given: three,
    call: query({}),
    sent: ['Query pk = ?, strongly'],
    result: ['a', 'b', 'c'],
  },
  {
    what: 'a partition, last first, one item',
    given: three,
    call: query({ descending: true, limit: 1 }),
    sent: ['Query pk = ?, strongly, descending, limit 1'],
    result: ['c'],
  },
  {
    what: 'a prefix',
    given: three,
    call: query({ prefix: 'b' }),
    sent: ['Query pk = ? AND begins_with(sk, ?), strongly'],
    result: ['b'],
  },
  {
    what: 'a prefix after a key',
    given: [...three, { sk: 'b1' }],
    call: query({ prefix: 'b', after: 'b' }),
    sent: ['Query pk = ? AND sk BETWEEN ? AND ?, strongly'],
    result: ['b1'],
  },
  {
    what: 'between two keys',
    given: three,
    call: query({ from: 'a', to: 'b' }),
    sent: ['Query pk = ? AND sk BETWEEN ? AND ?, strongly'],
    result: ['a', 'b'],
  },
  {
    what: 'after a key and up to another',
    given: three,
    call: query({ after: 'a', to: 'b' }),
    sent: ['Query pk = ? AND sk BETWEEN ? AND ?, strongly'],
    result: ['b'],
  },
  {
    what: 'from a key on',
    given: three,
    call: query({ from: 'b' }),
    sent: ['Query pk = ? AND sk >= ?, strongly'],
    result: ['b', 'c'],
  },
  {
    what: 'up to a key',
    given: three,
    call: query({ to: 'b' }),
    sent: ['Query pk = ? AND sk <= ?, strongly'],
    result: ['a', 'b'],
  },
  {
    what: 'after a key',
    given: three,
    call: query({ after: 'b' }),
    sent: ['Query pk = ? AND sk > ?, strongly'],
    result: ['c'],
  },
  {
    what: 'before a key, descending',
    given: three,
    call: query({ after: 'b', descending: true }),
    sent: ['Query pk = ? AND sk < ?, strongly, descending'],
    result: ['a'],
  },
  {
    what: 'from a key on, descending',
    given: three,
    call: query({ from: 'b', descending: true }),
    sent: ['Query pk = ? AND sk >= ?, strongly, descending'],
    result: ['c', 'b'],
  },
  {
    what: 'between two keys, descending, with a limit',
    given: three,
    call: query({ from: 'a', to: 'b', descending: true, limit: 1 }),
    sent: ['Query pk = ? AND sk BETWEEN ? AND ?, strongly, descending, limit 1'],
    result: ['b'],
  },
  {
    what: 'a part of the directory',
    given: listed,
    call: query({ index: 'directory' }),
    sent: ['Query directory_pk = ? on directory'],
    result: ['a', 'b', 'c'],
  },
  {
    what: 'a part of the directory, searched',
    given: listed,
    call: query({ index: 'directory', rowContains: 'smith', limit: 10 }),
    sent: ['Query directory_pk = ? on directory, where contains(row, ?), limit 10'],
    result: ['a', 'c'],
  },
  {
    what: 'the directory from a position on, searched',
    given: listed,
    call: query({ index: 'directory', from: '2', rowContains: 'smith' }),
    sent: ['Query directory_pk = ? AND directory_sk >= ? on directory, where contains(row, ?)'],
    result: ['c'],
  },
  {
    what: 'the directory after a position, searched',
    given: listed,
    call: query({ index: 'directory', after: '1', rowContains: 'smith' }),
    sent: ['Query directory_pk = ? AND directory_sk > ? on directory, where contains(row, ?)'],
    result: ['c'],
  },
  {
    what: 'the directory from a position on',
    given: listed,
    call: query({ index: 'directory', from: '2' }),
    sent: ['Query directory_pk = ? AND directory_sk >= ? on directory'],
    result: ['b', 'c'],
  },
  {
    what: 'the directory after a position',
    given: listed,
    call: query({ index: 'directory', after: '2' }),
    sent: ['Query directory_pk = ? AND directory_sk > ? on directory'],
    result: ['c'],
  },
  {
    what: 'the directory between two positions',
    given: listed,
    call: query({ index: 'directory', from: '1', to: '2' }),
    sent: ['Query directory_pk = ? AND directory_sk BETWEEN ? AND ? on directory'],
    result: ['a', 'b'],
  },
  {
    what: 'the directory, descending',
    given: listed,
    call: query({ index: 'directory', descending: true, limit: 2 }),
    sent: ['Query directory_pk = ? on directory, descending, limit 2'],
    result: ['c', 'b'],
  },
  {
    what: 'the directory before a position, descending',
    given: listed,
    call: query({ index: 'directory', after: '3', descending: true }),
    sent: ['Query directory_pk = ? AND directory_sk < ? on directory, descending'],
    result: ['b', 'a'],
  },
  {
    what: 'the directory up to a position, descending',
    given: listed,
    call: query({ index: 'directory', to: '2', descending: true }),
    sent: ['Query directory_pk = ? AND directory_sk <= ? on directory, descending'],
    result: ['b', 'a'],
  },
  {
    what: 'the directory, descending, searched',
    given: listed,
    call: query({ index: 'directory', rowContains: 'smith', descending: true }),
    sent: ['Query directory_pk = ? on directory, where contains(row, ?), descending'],
    result: ['c', 'a'],
  },
  {
    what: 'the directory before a position, descending, searched',
    given: listed,
    call: query({ index: 'directory', after: '3', rowContains: 'smith', descending: true }),
    sent: ['Query directory_pk = ? AND directory_sk < ? on directory, where contains(row, ?), descending'],
    result: ['a'],
  },
  {
    what: 'the directory up to a position, descending, searched',
    given: listed,
    call: query({ index: 'directory', to: '2', rowContains: 'smith', descending: true }),
    sent: ['Query directory_pk = ? AND directory_sk <= ? on directory, where contains(row, ?), descending'],
    result: ['a'],
  },
  {
    what: 'the four lookup indexes',
    given: lookups.map((name) => ({ sk: name, [name]: ownPartition })),
    call: async (world) => (await Promise.all(lookups.map((index) => query({ index })(world)))).flat(),
    sent: lookups.map((name) => `Query ${name} = ? on ${name}`),
    result: lookups,
  },
  {
    what: 'a lookup, after a contact',
    given: [{ sk: 'a', lookup_4: ownPartition }],
    call: async (world) => [
      await query({ index: 'lookup_4', after: 'A', limit: 2 })(world),
      await query({ index: 'lookup_4', after: 'z', limit: 2 })(world),
    ],
    sent: times(2, 'Query lookup_4 = ? AND pk > ? on lookup_4, limit 2'),
    result: [['a'], []],
  },
  {
    what: 'all items of a team in the table',
    given: three,
    call: async ({ client, tableName, pk }) => {
      const found: string[] = [];
      for await (const items of scanTeam(client, tableName, teamOf(pk))) found.push(...items.map(({ sk }) => sk));
      return found.sort();
    },
    sent: ['Scan, strongly, where pk = ? OR begins_with(pk, ?)'],
    result: ['a', 'b', 'c'],
  },
];
