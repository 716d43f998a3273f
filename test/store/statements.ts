import type { Database, Item, Upsert } from '../../lib/store/database.ts';

/**
 * Every form of statement and expression that the service sends. `DynamoDatabase` is the only sender, and each of its
 * forms has a row here with the attributes of a real item. The parsers of the two engines differ, so the rows run on the
 * embedded engine with the tests, and on Amazon's engine with `npm run test:amazon-engine`.
 */
export type StatementCase = {
  what: string;
  /** Items that exist before, in the partition of the case. */
  given: readonly (Record<string, unknown> & { sk: string })[];
  call(database: Database, pk: string): Promise<unknown>;
  /** Texts of the requests, with names instead of placeholders, and with `table` as the name of the table. */
  sent: readonly string[];
  /** The result of the call and the items afterwards (without their partition), unless an index is still behind. */
  result: unknown;
  after?: readonly (Record<string, unknown> & { sk: string })[];
};

const insert = (pk: string, sk: string, attributes: object = {}): Upsert => ({
  kind: 'insert',
  item: { pk, sk, ...attributes },
});
const update = (pk: string, sk: string, set: object, expect: object = {}): Upsert => ({
  kind: 'update',
  key: { pk, sk },
  set: { ...set },
  expect: { ...expect },
});
const sortKeys = ({ items }: { items: Item[] }) => items.map(({ sk }) => sk);
const numbered = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(3, '0'));

const three = [{ sk: 'a' }, { sk: 'b' }, { sk: 'c' }];
const query = (input: object) => async (database: Database, pk: string) =>
  sortKeys(await database.query({ pk, ...input }));

const reads: StatementCase[] = [
  {
    what: 'reads by key',
    given: three,
    call: async (database, pk) => (await database.get([{ pk, sk: 'b' }])).map((item) => item?.sk),
    sent: ['BatchGetItem, 1 keys, strongly'],
    result: ['b'],
  },
  {
    what: 'reads by more keys than a request takes',
    given: [],
    call: async (database, pk) => (await database.get(numbered(101).map((sk) => ({ pk, sk })))).filter(Boolean),
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
    what: 'the directory, searched',
    given: [],
    call: query({ index: 'directory', rowContains: 'smith', limit: 10 }),
    sent: ['Query directory_pk = ? on directory, where contains(row, ?), limit 10'],
    result: [],
  },
  {
    what: 'the directory from a place on, descending',
    given: [],
    call: query({ index: 'directory', after: 'x', descending: true }),
    sent: ['Query directory_pk = ? AND directory_sk < ? on directory, descending'],
    result: [],
  },
  {
    what: 'a lookup, after a contact',
    given: [],
    call: query({ index: 'lookup_4', after: 'x', limit: 2 }),
    sent: ['Query lookup_4 = ? AND pk > ? on lookup_4, limit 2'],
    result: [],
  },
];

const stored = { sk: 'CONTACT', data: '{}', version: 1, lookup_1: 'l1', lookup_2: 'l2' };
const conditional = async (database: Database, pk: string, set: object, expect: object) =>
  database.write([update(pk, 'CONTACT', set, expect), update(pk, 'nowhere', set, expect)]);

const writes: StatementCase[] = [
  {
    what: 'inserts',
    given: [],
    call: (database, pk) => database.write([insert(pk, 'a', { data: '{}', version: 1, gone: undefined })]),
    sent: [`INSERT INTO "table" VALUE {'pk':?,'sk':?,'data':?,'version':?}`],
    result: [true],
    after: [{ sk: 'a', data: '{}', version: 1 }],
  },
  {
    what: 'an insert of an item that is there',
    given: [{ sk: 'a' }],
    call: (database, pk) => database.write([insert(pk, 'a', { n: 1 })]),
    sent: [`INSERT INTO "table" VALUE {'pk':?,'sk':?,'n':?}`],
    result: [false],
    after: [{ sk: 'a' }],
  },
  {
    what: 'more inserts than a request takes',
    given: [],
    call: async (database, pk) => (await database.write(numbered(26).map((sk) => insert(pk, sk)))).every(Boolean),
    sent: Array.from({ length: 26 }, () => `INSERT INTO "table" VALUE {'pk':?,'sk':?}`),
    result: true,
  },
  {
    what: 'an update without a condition but that the item is there',
    given: [stored],
    call: (database, pk) => conditional(database, pk, { data: '{"a":1}', version: 2 }, {}),
    sent: Array.from({ length: 2 }, () => 'UPDATE "table" SET "data"=?, "version"=? WHERE "pk"=? AND "sk"=?'),
    result: [true, false],
    after: [{ ...stored, data: '{"a":1}', version: 2 }],
  },
  {
    what: 'an update over a version, where an attribute is absent',
    given: [stored],
    call: (database, pk) => conditional(database, pk, { version: 2 }, { version: 1, moved_to: undefined }),
    sent: Array.from(
      { length: 2 },
      () => 'UPDATE "table" SET "version"=? WHERE "pk"=? AND "sk"=? AND "version"=? AND "moved_to" IS MISSING',
    ),
    result: [true, false],
    after: [{ ...stored, version: 2 }],
  },
  {
    what: 'an update that removes one attribute',
    given: [stored],
    call: (database, pk) => conditional(database, pk, { version: 2, lookup_1: undefined }, { version: 1 }),
    sent: Array.from(
      { length: 2 },
      () => 'UPDATE "table" SET "version"=? REMOVE "lookup_1" WHERE "pk"=? AND "sk"=? AND "version"=?',
    ),
    result: [true, false],
    after: [{ sk: 'CONTACT', data: '{}', version: 2, lookup_2: 'l2' }],
  },
  {
    what: 'the removal of one attribute alone',
    given: [stored],
    call: (database, pk) => conditional(database, pk, { lookup_1: undefined }, { version: 1 }),
    sent: Array.from({ length: 2 }, () => 'UPDATE "table" REMOVE "lookup_1" WHERE "pk"=? AND "sk"=? AND "version"=?'),
    result: [true, false],
    after: [{ sk: 'CONTACT', data: '{}', version: 1, lookup_2: 'l2' }],
  },
  {
    what: 'an update that removes two attributes, beside one that removes none',
    given: [stored, { sk: 'other' }],
    call: (database, pk) =>
      database.write([
        update(pk, 'CONTACT', { version: 2, lookup_1: undefined, lookup_2: undefined }, { version: 1 }),
        update(pk, 'other', { n: 1 }),
      ]),
    sent: [
      'UPDATE "table" SET "n"=? WHERE "pk"=? AND "sk"=?',
      'UpdateItem SET version = ? REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ?',
    ],
    result: [true, true],
    after: [
      { sk: 'CONTACT', data: '{}', version: 2 },
      { sk: 'other', n: 1 },
    ],
  },
  {
    what: 'the removal of two attributes alone, with and without an expectation that holds',
    given: [stored],
    call: async (database, pk) => [
      ...(await conditional(database, pk, { lookup_1: undefined, lookup_2: undefined }, { version: 2 })),
      ...(await conditional(database, pk, { lookup_1: undefined, lookup_2: undefined }, { moved_to: undefined })),
    ],
    sent: [
      ...Array.from(
        { length: 2 },
        () => 'UpdateItem REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ?',
      ),
      ...Array.from(
        { length: 2 },
        () => 'UpdateItem REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND attribute_not_exists(moved_to)',
      ),
    ],
    result: [false, false, true, false],
    after: [{ sk: 'CONTACT', data: '{}', version: 1 }],
  },
];

const transactions: StatementCase[] = [
  {
    what: 'a transaction of every kind of write',
    given: [stored, { sk: 'old', version: 3 }],
    call: (database, pk) =>
      database.transact([
        insert(pk, 'new', { n: 1 }),
        update(pk, 'CONTACT', { version: 2, lookup_1: undefined, lookup_2: undefined }, { version: 1, x: undefined }),
        { kind: 'delete', key: { pk, sk: 'old' }, expect: { version: 3, x: undefined } },
      ]),
    sent: [
      'Put if attribute_not_exists(pk); ' +
        'Update SET version = ? REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ? AND attribute_not_exists(x); ' +
        'Delete if attribute_exists(pk) AND version = ? AND attribute_not_exists(x)',
    ],
    result: true,
    after: [
      { sk: 'CONTACT', data: '{}', version: 2 },
      { sk: 'new', n: 1 },
    ],
  },
  {
    what: 'a transaction without expectations',
    given: [stored, { sk: 'old' }],
    call: (database, pk) =>
      database.transact([
        update(pk, 'CONTACT', { version: 2 }),
        { kind: 'delete', key: { pk, sk: 'old' }, expect: {} },
      ]),
    sent: ['Update SET version = ? if attribute_exists(pk); Delete if attribute_exists(pk)'],
    result: true,
    after: [{ ...stored, version: 2 }],
  },
  {
    what: 'a transaction of removals, of which one condition fails',
    given: [stored],
    call: (database, pk) =>
      database.transact([
        update(pk, 'CONTACT', { lookup_1: undefined }, { version: 1 }),
        { kind: 'delete', key: { pk, sk: 'old' }, expect: {} },
      ]),
    sent: ['Update REMOVE lookup_1 if attribute_exists(pk) AND version = ?; ' + 'Delete if attribute_exists(pk)'],
    result: false,
    after: [stored],
  },
];

export const statementCases: readonly StatementCase[] = [...reads, ...writes, ...transactions];
