import { insert, numbered, type StatementCase, type StatementWorld, times, update } from './case.ts';

const stored = { sk: 'CONTACT', data: '{}', version: 1, lookup_1: 'l1', lookup_2: 'l2' };
/** Differs from `stored` in every attribute that an expectation names. */
const different = { sk: 'other', data: '[]', version: 9, moved_to: 'x', lookup_1: 'l1', lookup_2: 'l2' };
const given = [stored, different];

/** The same write of three items: one that meets the expectation, one that differs, and one that does not exist. */
const conditional = ({ database, pk }: StatementWorld, set: object, expect: object) =>
  database.write(['CONTACT', 'other', 'nowhere'].map((sk) => update(pk, sk, set, expect)));

const oneOfThree = { result: [true, false, false], codes: ['None', ...times(2, 'ConditionalCheckFailed')] };
/** An update request of its own reports the exception, not the code of a statement. */
const oneOfThreeRequests = { ...oneOfThree, codes: ['None', ...times(2, 'ConditionalCheckFailedException')] };

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
  {
    what: 'an update with the version that was read',
    given,
    call: (world) => conditional(world, { version: 2 }, { version: 1 }),
    sent: times(3, 'UPDATE "table" SET "version"=? WHERE "pk"=? AND "sk"=? AND "version"=?'),
    ...oneOfThree,
    after: [{ ...stored, version: 2 }, different],
  },
  {
    what: 'an update with two values that were read',
    given,
    call: (world) => conditional(world, { version: 2 }, { version: 1, data: '{}' }),
    sent: times(3, 'UPDATE "table" SET "version"=? WHERE "pk"=? AND "sk"=? AND "version"=? AND "data"=?'),
    ...oneOfThree,
    after: [{ ...stored, version: 2 }, different],
  },
  {
    what: 'an update if an attribute is absent',
    given,
    call: (world) => conditional(world, { version: 2 }, { moved_to: undefined }),
    sent: times(3, 'UPDATE "table" SET "version"=? WHERE "pk"=? AND "sk"=? AND "moved_to" IS MISSING'),
    ...oneOfThree,
    after: [{ ...stored, version: 2 }, different],
  },
  {
    what: 'an update with a version, if an attribute is absent',
    given,
    call: (world) => conditional(world, { version: 2 }, { version: 1, moved_to: undefined }),
    sent: times(3, 'UPDATE "table" SET "version"=? WHERE "pk"=? AND "sk"=? AND "version"=? AND "moved_to" IS MISSING'),
    ...oneOfThree,
    after: [{ ...stored, version: 2 }, different],
  },
  {
    what: 'an update that removes one attribute',
    given,
    call: (world) => conditional(world, { version: 2, lookup_1: undefined }, { version: 1 }),
    sent: times(3, 'UPDATE "table" SET "version"=? REMOVE "lookup_1" WHERE "pk"=? AND "sk"=? AND "version"=?'),
    ...oneOfThree,
    after: [{ sk: 'CONTACT', data: '{}', version: 2, lookup_2: 'l2' }, different],
  },
  {
    what: 'an update that removes one of two values that were read',
    given,
    call: (world) => conditional(world, { version: 2, data: undefined }, { version: 1, data: '{}' }),
    sent: times(3, 'UPDATE "table" SET "version"=? REMOVE "data" WHERE "pk"=? AND "sk"=? AND "version"=? AND "data"=?'),
    ...oneOfThree,
    after: [{ sk: 'CONTACT', version: 2, lookup_1: 'l1', lookup_2: 'l2' }, different],
  },
  {
    what: 'the removal of one attribute alone',
    given,
    call: (world) => conditional(world, { lookup_1: undefined }, { version: 1 }),
    sent: times(3, 'UPDATE "table" REMOVE "lookup_1" WHERE "pk"=? AND "sk"=? AND "version"=?'),
    ...oneOfThree,
    after: [{ sk: 'CONTACT', data: '{}', version: 1, lookup_2: 'l2' }, different],
  },
];

const requests: StatementCase[] = [
  {
    what: 'an update that removes two attributes, beside one that removes none',
    given: [stored, { sk: 'other' }],
    call: ({ database, pk }) =>
      database.write([
        update(pk, 'CONTACT', { version: 2, lookup_1: undefined, lookup_2: undefined }, { version: 1 }),
        update(pk, 'other', { n: 1 }),
      ]),
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
    what: 'the removal of two attributes alone, of an item that must exist',
    given: [stored],
    call: ({ database, pk }) =>
      database.write(['CONTACT', 'nowhere'].map((sk) => update(pk, sk, { lookup_1: undefined, lookup_2: undefined }))),
    sent: times(2, 'UpdateItem REMOVE lookup_1, lookup_2 if attribute_exists(pk)'),
    result: [true, false],
    codes: ['None', 'ConditionalCheckFailedException'],
    after: [{ sk: 'CONTACT', data: '{}', version: 1 }],
  },
  {
    what: 'the removal of two attributes alone, with a version',
    given,
    call: (world) => conditional(world, { lookup_1: undefined, lookup_2: undefined }, { version: 1 }),
    sent: times(3, 'UpdateItem REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ?'),
    ...oneOfThreeRequests,
    after: [{ sk: 'CONTACT', data: '{}', version: 1 }, different],
  },
  {
    what: 'the removal of two attributes alone, with two values that were read',
    given,
    call: (world) => conditional(world, { lookup_1: undefined, lookup_2: undefined }, { version: 1, data: '{}' }),
    sent: times(3, 'UpdateItem REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ? AND data = ?'),
    ...oneOfThreeRequests,
    after: [{ sk: 'CONTACT', data: '{}', version: 1 }, different],
  },
  {
    what: 'the removal of two attributes alone, if another is absent',
    given,
    call: (world) => conditional(world, { lookup_1: undefined, lookup_2: undefined }, { moved_to: undefined }),
    sent: times(3, 'UpdateItem REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND attribute_not_exists(moved_to)'),
    ...oneOfThreeRequests,
    after: [{ sk: 'CONTACT', data: '{}', version: 1 }, different],
  },
  {
    what: 'an update of an item that must exist, which removes two attributes',
    given: [stored],
    call: ({ database, pk }) =>
      database.write([update(pk, 'CONTACT', { version: 2, lookup_1: undefined, lookup_2: undefined })]),
    sent: ['UpdateItem SET version = ? REMOVE lookup_1, lookup_2 if attribute_exists(pk)'],
    result: [true],
    codes: ['None'],
    after: [{ sk: 'CONTACT', data: '{}', version: 2 }],
  },
];

export const writes: readonly StatementCase[] = [...inserts, ...updates, ...requests];
