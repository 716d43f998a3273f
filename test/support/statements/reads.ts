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

type Row = [input: object, condition: string, more: string, found: string[]];
const ofPartition: Row[] = [
  [{}, '', '', ['a', 'b', 'c']],
  [{ descending: true, limit: 1 }, '', ', descending, limit 1', ['c']],
  [{ prefix: 'b' }, ' AND begins_with(sk, ?)', '', ['b']],
  [{ from: 'a', to: 'b' }, ' AND sk BETWEEN ? AND ?', '', ['a', 'b']],
  [{ after: 'a', to: 'b' }, ' AND sk BETWEEN ? AND ?', '', ['b']],
  [{ from: 'b' }, ' AND sk >= ?', '', ['b', 'c']],
  [{ to: 'b' }, ' AND sk <= ?', '', ['a', 'b']],
  [{ to: 'b', descending: true }, ' AND sk <= ?', ', descending', ['b', 'a']],
  [{ after: 'b' }, ' AND sk > ?', '', ['c']],
  [{ from: 'a', after: 'b' }, ' AND sk > ?', '', ['c']],
  [{ after: 'b', descending: true }, ' AND sk < ?', ', descending', ['a']],
  [{ from: 'b', descending: true }, ' AND sk >= ?', ', descending', ['c', 'b']],
  [{ from: 'a', to: 'b', descending: true, limit: 1 }, ' AND sk BETWEEN ? AND ?', ', descending, limit 1', ['b']],
];
const afterPrefix: Row = [{ prefix: 'b', after: 'b' }, ' AND sk BETWEEN ? AND ?', '', ['b😀']];
const ofDirectory: Row[] = [
  [{}, '', '', ['a', 'b', 'c']],
  [{ rowContains: 'smith', limit: 10 }, '', ', where contains(row, ?), limit 10', ['a', 'c']],
  [{ from: '2', rowContains: 'smith' }, ' AND directory_sk >= ?', ', where contains(row, ?)', ['c']],
  [{ after: '1', rowContains: 'smith' }, ' AND directory_sk > ?', ', where contains(row, ?)', ['c']],
  [{ from: '2' }, ' AND directory_sk >= ?', '', ['b', 'c']],
  [{ after: '2' }, ' AND directory_sk > ?', '', ['c']],
  [{ from: '1', to: '2' }, ' AND directory_sk BETWEEN ? AND ?', '', ['a', 'b']],
  [{ descending: true, limit: 2 }, '', ', descending, limit 2', ['c', 'b']],
  [{ after: '3', descending: true }, ' AND directory_sk < ?', ', descending', ['b', 'a']],
  [{ to: '2', descending: true }, ' AND directory_sk <= ?', ', descending', ['b', 'a']],
  [{ rowContains: 'smith', descending: true }, '', ', where contains(row, ?), descending', ['c', 'a']],
  [
    { after: '3', rowContains: 'smith', descending: true },
    ' AND directory_sk < ?',
    ', where contains(row, ?), descending',
    ['a'],
  ],
  [
    { to: '2', rowContains: 'smith', descending: true },
    ' AND directory_sk <= ?',
    ', where contains(row, ?), descending',
    ['a'],
  ],
];
const inPartition =
  (given: StatementCase['given']) =>
  ([input, condition, more, found]: Row): StatementCase => ({
    what: `a partition: ${JSON.stringify(input)}`,
    given,
    call: query(input),
    sent: [`Query pk = ?${condition}, strongly${more}`],
    result: found,
  });
const inDirectory = ([input, condition, more, found]: Row): StatementCase => ({
  what: `the directory: ${JSON.stringify(input)}`,
  given: listed,
  call: query({ index: 'directory', ...input }),
  sent: [`Query directory_pk = ?${condition} on directory${more}`],
  result: found,
});

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
    what: 'reads that may miss the last moments, at half the price',
    given: three,
    call: async ({ database, pk }) => [
      (await database.get([{ pk, sk: 'b' }], { eventually: true })).map((item) => item?.sk),
      sortKeys(await database.query({ pk, from: 'a', to: 'b', eventually: true })),
    ],
    sent: ['BatchGetItem, 1 keys', 'Query pk = ? AND sk BETWEEN ? AND ?'],
    result: [['b'], ['a', 'b']],
  },
  ...ofPartition.map(inPartition(three)),
  inPartition([...three, { sk: 'b😀' }])(afterPrefix),
  ...ofDirectory.map(inDirectory),
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
