import { insert, left, numbered, type StatementCase, type StatementWorld, stored, times, update } from './case.ts';

/** Differs from `stored` in every attribute that an expectation names. */
const different = { sk: 'other', data: '[]', version: 9, moved_to: 'x', lookup_1: 'l1', lookup_2: 'l2' };
const given = [stored, different];

/** The same write of three items: one that meets the expectation, one that differs, and one that does not exist. */
const conditional = ({ database, pk }: StatementWorld, set: object, expect: object) =>
  database.write(['CONTACT', 'other', 'nowhere'].map((sk) => update(pk, sk, set, expect)));

const inserts: StatementCase[] = [
  {
    what: 'an insert',
    given: [],
    call: ({ database, pk }) => database.write([insert(pk, 'a', { data: '{}', version: 1, gone: undefined })]),
    sent: [`INSERT INTO "table" VALUE {'pk':?,'sk':?,'data':?,'version':?}`],
    result: [true],
    codes: ['None'],
    after: [{ sk: 'a', data: '{}', version: 1 }],
  },
  {
    what: 'an insert of an item that exists',
    given: [{ sk: 'a' }],
    call: ({ database, pk }) => database.write([insert(pk, 'a', { n: 1 })]),
    sent: [`INSERT INTO "table" VALUE {'pk':?,'sk':?,'n':?}`],
    result: [false],
    codes: ['DuplicateItem'],
    after: [{ sk: 'a' }],
  },
  {
    what: 'an insert of a key alone, and again',
    given: [],
    call: async ({ database, pk }) => [
      ...(await database.write([insert(pk, 'a')])),
      ...(await database.write([insert(pk, 'a')])),
    ],
    sent: times(2, `INSERT INTO "table" VALUE {'pk':?,'sk':?}`),
    result: [true, false],
    codes: ['None', 'DuplicateItem'],
    after: [{ sk: 'a' }],
  },
  {
    what: 'more inserts than a request takes',
    given: [],
    call: async ({ database, pk }) => (await database.write(numbered(26).map((sk) => insert(pk, sk)))).every(Boolean),
    sent: times(26, `INSERT INTO "table" VALUE {'pk':?,'sk':?}`),
    result: true,
    codes: times(26, 'None'),
  },
];

type Condition = [change: string, condition: string, set: object, expect: object];
const [second, one] = [{ version: 2 }, { lookup_1: undefined }];
const conditions: Condition[] = [
  ['SET "version"=?', '"version"=?', second, { version: 1 }],
  ['SET "version"=?', '"version"=? AND "data"=?', second, { version: 1, data: '{}' }],
  ['SET "version"=?', '"moved_to" IS MISSING', second, { moved_to: undefined }],
  ['SET "version"=?', '"version"=? AND "moved_to" IS MISSING', second, { version: 1, moved_to: undefined }],
  ['SET "version"=? REMOVE "lookup_1"', '"version"=?', { ...second, ...one }, { version: 1 }],
  [
    'SET "version"=? REMOVE "data"',
    '"version"=? AND "data"=?',
    { ...second, data: undefined },
    { version: 1, data: '{}' },
  ],
  ['REMOVE "lookup_1"', '"version"=?', one, { version: 1 }],
];

const updates: StatementCase[] = [
  {
    what: 'an update of an item that must exist',
    given: [stored],
    call: ({ database, pk }) =>
      database.write(['CONTACT', 'nowhere'].map((sk) => update(pk, sk, { data: '{"a":1}', version: 2 }))),
    sent: times(2, 'UPDATE "table" SET "data"=?, "version"=? WHERE "pk"=? AND "sk"=?'),
    result: [true, false],
    codes: ['None', 'ConditionalCheckFailed'],
    after: [{ ...stored, data: '{"a":1}', version: 2 }],
  },
  ...conditions.map(
    ([change, condition, set, expect]): StatementCase => ({
      what: `an update: ${change} if ${condition}`,
      given,
      call: (world) => conditional(world, set, expect),
      sent: times(3, `UPDATE "table" ${change} WHERE "pk"=? AND "sk"=? AND ${condition}`),
      result: [true, false, false],
      codes: ['None', ...times(2, 'ConditionalCheckFailed')],
      after: [left(set), different],
    }),
  ),
];

const both = { lookup_1: undefined, lookup_2: undefined };
const removals: [condition: string, expect: object][] = [
  ['version = ?', { version: 1 }],
  ['version = ? AND data = ?', { version: 1, data: '{}' }],
  ['attribute_not_exists(moved_to)', { moved_to: undefined }],
];

const requests: StatementCase[] = [
  {
    what: 'an update that removes two attributes, beside one that removes none',
    given: [stored, { sk: 'other' }],
    call: ({ database, pk }) =>
      database.write([update(pk, 'CONTACT', { version: 2, ...both }, { version: 1 }), update(pk, 'other', { n: 1 })]),
    sent: [
      'UPDATE "table" SET "n"=? WHERE "pk"=? AND "sk"=?',
      'UpdateItem SET version = ? REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ?',
    ],
    result: [true, true],
    codes: ['None', 'None'],
    after: [
      { sk: 'CONTACT', data: '{}', version: 2 },
      { sk: 'other', n: 1 },
    ],
  },
  {
    what: 'an update that removes two attributes, of an item that was not created again',
    given,
    call: (world) => conditional(world, { ...second, ...both }, { version: 1, data: '{}' }),
    sent: times(
      3,
      'UpdateItem SET version = ? REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ? AND data = ?',
    ),
    result: [true, false, false],
    codes: ['None', ...times(2, 'ConditionalCheckFailedException')],
    after: [left({ ...second, ...both }), different],
  },
  {
    what: 'the removal of two attributes alone, of an item that must exist',
    given: [stored],
    call: ({ database, pk }) => database.write(['CONTACT', 'nowhere'].map((sk) => update(pk, sk, both))),
    sent: times(2, 'UpdateItem REMOVE lookup_1, lookup_2 if attribute_exists(pk)'),
    result: [true, false],
    codes: ['None', 'ConditionalCheckFailedException'],
    after: [{ sk: 'CONTACT', data: '{}', version: 1 }],
  },
  ...removals.map(
    ([condition, expect]): StatementCase => ({
      what: `the removal of two attributes alone, if ${condition}`,
      given,
      call: (world) => conditional(world, both, expect),
      sent: times(3, `UpdateItem REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND ${condition}`),
      result: [true, false, false],
      // An update request of its own reports the exception, not the code of a statement.
      codes: ['None', ...times(2, 'ConditionalCheckFailedException')],
      after: [left(both), different],
    }),
  ),
  {
    what: 'an update of an item that must exist, which removes two attributes',
    given: [stored],
    call: ({ database, pk }) => database.write([update(pk, 'CONTACT', { version: 2, ...both })]),
    sent: ['UpdateItem SET version = ? REMOVE lookup_1, lookup_2 if attribute_exists(pk)'],
    result: [true],
    codes: ['None'],
    after: [{ sk: 'CONTACT', data: '{}', version: 2 }],
  },
];

export const writes: readonly StatementCase[] = [...inserts, ...updates, ...requests];
