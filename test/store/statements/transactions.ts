import type { Write } from '../../../lib/store/database.ts';
import { insert, type StatementCase, update } from './case.ts';

const stored = { sk: 'CONTACT', data: '{}', version: 1, lookup_1: 'l1', lookup_2: 'l2' };
const remove = (pk: string, sk: string, expect: object = {}): Write => ({
  kind: 'delete',
  key: { pk, sk },
  expect: { ...expect },
});

type Part = {
  what: string;
  sent: string;
  /** The write whose condition holds if the item is `stored`, and fails if it is `failsOn`. */
  write(pk: string): Write;
  after: StatementCase['after'];
  failsOn?: StatementCase['given'];
};

const changed = [{ ...stored, version: 7 }];
const both = { lookup_1: undefined, lookup_2: undefined };

const parts: Part[] = [
  {
    what: 'a delete',
    sent: 'Delete if attribute_exists(pk)',
    write: (pk) => remove(pk, 'CONTACT'),
    after: [],
    failsOn: [],
  },
  {
    what: 'a delete with a version',
    sent: 'Delete if attribute_exists(pk) AND version = ?',
    write: (pk) => remove(pk, 'CONTACT', { version: 1 }),
    after: [],
  },
  {
    what: 'a delete with a version, if an attribute is absent',
    sent: 'Delete if attribute_exists(pk) AND version = ? AND attribute_not_exists(moving_from)',
    write: (pk) => remove(pk, 'CONTACT', { version: 1, moving_from: undefined }),
    after: [],
  },
  {
    what: 'an update',
    sent: 'Update SET version = ? if attribute_exists(pk)',
    write: (pk) => update(pk, 'CONTACT', { version: 2 }),
    after: [{ ...stored, version: 2 }],
    failsOn: [],
  },
  {
    what: 'an update with a version',
    sent: 'Update SET data = ?, version = ? if attribute_exists(pk) AND version = ?',
    write: (pk) => update(pk, 'CONTACT', { data: '[]', version: 2 }, { version: 1 }),
    after: [{ ...stored, data: '[]', version: 2 }],
  },
  {
    what: 'an update with several values that were read',
    sent: 'Update SET version = ? if attribute_exists(pk) AND version = ? AND data = ?',
    write: (pk) => update(pk, 'CONTACT', { version: 2 }, { version: 1, data: '{}' }),
    after: [{ ...stored, version: 2 }],
  },
  {
    what: 'an update if an attribute is absent',
    sent: 'Update SET chunk_count = ? if attribute_exists(pk) AND attribute_not_exists(chunk_count)',
    write: (pk) => update(pk, 'CONTACT', { chunk_count: 2 }, { chunk_count: undefined }),
    after: [{ ...stored, chunk_count: 2 }],
    failsOn: [{ ...stored, chunk_count: 1 }],
  },
  {
    what: 'an update with a version, if an attribute is absent',
    sent: 'Update SET data = ? if attribute_exists(pk) AND version = ? AND attribute_not_exists(moving_from)',
    write: (pk) => update(pk, 'CONTACT', { data: '[]' }, { version: 1, moving_from: undefined }),
    after: [{ ...stored, data: '[]' }],
  },
  {
    what: 'an update with a version that removes one attribute, if another is absent',
    sent: 'Update SET version = ? REMOVE lookup_1 if attribute_exists(pk) AND version = ? AND attribute_not_exists(x)',
    write: (pk) => update(pk, 'CONTACT', { version: 2, lookup_1: undefined }, { version: 1, x: undefined }),
    after: [{ sk: 'CONTACT', data: '{}', version: 2, lookup_2: 'l2' }],
  },
  {
    what: 'the removal of one attribute',
    sent: 'Update REMOVE lookup_1 if attribute_exists(pk)',
    write: (pk) => update(pk, 'CONTACT', { lookup_1: undefined }),
    after: [{ sk: 'CONTACT', data: '{}', version: 1, lookup_2: 'l2' }],
    failsOn: [],
  },
  {
    what: 'the removal of one attribute with a version',
    sent: 'Update REMOVE lookup_1 if attribute_exists(pk) AND version = ?',
    write: (pk) => update(pk, 'CONTACT', { lookup_1: undefined }, { version: 1 }),
    after: [{ sk: 'CONTACT', data: '{}', version: 1, lookup_2: 'l2' }],
  },
  {
    what: 'an update with a version that removes one attribute',
    sent: 'Update SET version = ? REMOVE lookup_1 if attribute_exists(pk) AND version = ?',
    write: (pk) => update(pk, 'CONTACT', { version: 2, lookup_1: undefined }, { version: 1 }),
    after: [{ sk: 'CONTACT', data: '{}', version: 2, lookup_2: 'l2' }],
  },
  {
    what: 'an update with several values that removes one attribute',
    sent: 'Update SET version = ? REMOVE lookup_1 if attribute_exists(pk) AND version = ? AND data = ?',
    write: (pk) => update(pk, 'CONTACT', { version: 2, lookup_1: undefined }, { version: 1, data: '{}' }),
    after: [{ sk: 'CONTACT', data: '{}', version: 2, lookup_2: 'l2' }],
  },
  {
    what: 'an update with a version that removes two attributes',
    sent: 'Update SET moved_to = ? REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ?',
    write: (pk) => update(pk, 'CONTACT', { moved_to: 'x', ...both }, { version: 1 }),
    after: [{ sk: 'CONTACT', data: '{}', version: 1, moved_to: 'x' }],
  },
  {
    what: 'an update with several values that removes two attributes',
    sent: 'Update SET version = ? REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ? AND data = ?',
    write: (pk) => update(pk, 'CONTACT', { version: 2, ...both }, { version: 1, data: '{}' }),
    after: [{ sk: 'CONTACT', data: '{}', version: 2 }],
  },
  {
    what: 'an update with a version that removes two attributes, if another is absent',
    sent: 'Update SET version = ? REMOVE lookup_1, lookup_2 if attribute_exists(pk) AND version = ? AND attribute_not_exists(x)',
    write: (pk) => update(pk, 'CONTACT', { version: 2, ...both }, { version: 1, x: undefined }),
    after: [{ sk: 'CONTACT', data: '{}', version: 2 }],
  },
];

/** Each part beside an insert, once if its condition holds and once if it fails: then nothing of the transaction is written. */
const casesOf = ({ what, sent, write, after = [], failsOn = changed }: Part): StatementCase[] => {
  const beside = {
    call: ({ database, pk }) => database.transact([insert(pk, 'new', { n: 1 }), write(pk)]),
    sent: [`Put if attribute_not_exists(pk); ${sent}`],
  } satisfies Partial<StatementCase>;
  return [
    {
      what: `${what} in a transaction`,
      given: [stored],
      ...beside,
      result: true,
      codes: [],
      after: [...after, { sk: 'new', n: 1 }],
    },
    {
      what: `${what} in a transaction, which fails`,
      given: failsOn,
      ...beside,
      result: false,
      codes: ['None', 'ConditionalCheckFailed'],
      after: failsOn,
    },
  ];
};

const counter = '["a","b",null]';
const addition = (pk: string): Write => ({ kind: 'add', key: { pk, sk: '0#day' }, add: { [counter]: 2, opened: -1 } });

export const transactions: readonly StatementCase[] = [
  ...parts.flatMap(casesOf),
  ...[[], [{ sk: '0#day', [counter]: 1, opened: 1, created: 1 }]].map(
    (given): StatementCase => ({
      what: `an addition to ${given.length} items in a transaction`,
      given,
      call: ({ database, pk }) => database.transact([insert(pk, 'new'), addition(pk)]),
      sent: [`Put if attribute_not_exists(pk); Update ADD ${counter} ?, opened ?`],
      result: true,
      codes: [],
      after: [
        { sk: '0#day', [counter]: 2, opened: -1, ...(given[0] && { [counter]: 3, opened: 0, created: 1 }) },
        { sk: 'new' },
      ],
    }),
  ),
  {
    what: 'an insert in a transaction of an item that exists',
    given: [{ sk: 'a' }],
    call: ({ database, pk }) => database.transact([insert(pk, 'b'), insert(pk, 'a', { n: 1 })]),
    sent: ['Put if attribute_not_exists(pk); Put if attribute_not_exists(pk)'],
    result: false,
    codes: ['None', 'ConditionalCheckFailed'],
    after: [{ sk: 'a' }],
  },
];
