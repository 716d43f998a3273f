import type { Write } from '../../../lib/store/table/database.ts';
import { insert, left, type StatementCase, stored, update } from './case.ts';

const remove = (pk: string, sk: string, expect: object = {}): Write => ({
  kind: 'delete',
  key: { pk, sk },
  expect: { ...expect },
});

/** Meets none of the expectations. */
const changed = [{ ...stored, version: 7, chunk_count: 1 }];
const one = { lookup_1: undefined };
const both = { lookup_1: undefined, lookup_2: undefined };

const check = (pk: string, sk: string, expect: object): Write => ({
  kind: 'check',
  key: { pk, sk },
  expect: { ...expect },
});

/** A delete, a check or an update. Its condition holds if the item is `stored`, and fails if it is `changed` or not there. */
type Part = [kind: string, condition: string, set: object | undefined, expect: Record<string, unknown>];
const parts: Part[] = [
  ['Delete', '', undefined, {}],
  ['Delete', ' AND version = ?', undefined, { version: 1 }],
  [
    'Delete',
    ' AND version = ? AND attribute_not_exists(moving_from)',
    undefined,
    { version: 1, moving_from: undefined },
  ],
  ['Delete', ' AND version = ? AND data = ?', undefined, { version: 1, data: '{}' }],
  ['Delete', ' AND attribute_not_exists(chunk_count)', undefined, { chunk_count: undefined }],
  [
    'Delete',
    ' AND attribute_not_exists(chunk_count) AND attribute_not_exists(moving_from)',
    undefined,
    { chunk_count: undefined, moving_from: undefined },
  ],
  [
    'Delete',
    ' AND attribute_not_exists(chunk_count) AND version = ?',
    undefined,
    { chunk_count: undefined, version: 1 },
  ],
  ['ConditionCheck', '', undefined, {}],
  ['ConditionCheck', ' AND version = ?', undefined, { version: 1 }],
  ['ConditionCheck', ' AND version = ? AND data = ?', undefined, { version: 1, data: '{}' }],
  ['ConditionCheck', ' AND attribute_not_exists(chunk_count)', undefined, { chunk_count: undefined }],
  ['Update SET version = ?', '', { version: 2 }, {}],
  ['Update SET data = ?, version = ?', ' AND version = ?', { data: '[]', version: 2 }, { version: 1 }],
  ['Update SET version = ?', ' AND version = ? AND data = ?', { version: 2 }, { version: 1, data: '{}' }],
  ['Update SET data = ?', ' AND attribute_not_exists(chunk_count)', { data: '[]' }, { chunk_count: undefined }],
  ['Update SET data = ?', ' AND version = ? AND attribute_not_exists(x)', { data: '[]' }, { version: 1, x: undefined }],
  ['Update REMOVE lookup_1', '', one, {}],
  ['Update REMOVE lookup_1', ' AND version = ?', one, { version: 1 }],
  ['Update SET version = ? REMOVE lookup_1', ' AND version = ?', { version: 2, ...one }, { version: 1 }],
  ...[one, both].flatMap((removed): Part[] => {
    const change = `Update SET version = ? REMOVE ${Object.keys(removed).join(', ')}`;
    const set = { version: 2, ...removed };
    return [
      [change, ' AND version = ? AND data = ?', set, { version: 1, data: '{}' }],
      [change, ' AND version = ? AND attribute_not_exists(x)', set, { version: 1, x: undefined }],
      [
        change,
        ' AND version = ? AND attribute_not_exists(x) AND data = ?',
        set,
        { version: 1, x: undefined, data: '{}' },
      ],
      [
        change,
        ' AND version = ? AND data = ? AND attribute_not_exists(x)',
        set,
        { version: 1, data: '{}', x: undefined },
      ],
    ];
  }),
  ['Update SET moved_to = ? REMOVE lookup_1, lookup_2', ' AND version = ?', { moved_to: 'x', ...both }, { version: 1 }],
];

/** Each part beside an insert, once if its condition holds and once if it fails: then nothing of the transaction is written. */
const casesOf = ([kind, condition, set, expect]: Part): StatementCase[] => {
  const sent = `${kind} if attribute_exists(pk)${condition}`;
  const failsOn = condition === '' ? [] : changed;
  const beside = {
    call: ({ database, pk }) => {
      const change = kind === 'Delete' ? remove : kind === 'ConditionCheck' ? check : undefined;
      const write = change?.(pk, 'CONTACT', expect) ?? update(pk, 'CONTACT', { ...set }, expect);
      return database.transact([insert(pk, 'new', { n: 1 }), write]);
    },
    sent: [`Put if attribute_not_exists(pk); ${sent}`],
  } satisfies Partial<StatementCase>;
  const after = kind === 'Delete' ? [] : [left({ ...set })];
  return [
    {
      what: `${sent}, in a transaction`,
      given: [stored],
      ...beside,
      result: true,
      codes: [],
      after: [...after, { sk: 'new', n: 1 }],
    },
    {
      what: `${sent}, in a transaction, which fails`,
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
  ...[1, 2].map(
    (n): StatementCase => ({
      what: `an addition within bounds to an item that holds ${n} of at most 1`,
      given: [{ sk: '0#day', n, day: 'today', until: null }],
      call: ({ database, pk }) =>
        database.transact([
          insert(pk, 'new'),
          {
            ...{ kind: 'add', key: { pk, sk: '0#day' }, add: { n: 1 } },
            only: { expect: { day: 'today', until: null }, atMost: { n: 1 } },
          },
        ]),
      sent: [
        'Put if attribute_not_exists(pk); Update ADD n ? if attribute_exists(pk) AND day = ? AND until = ? AND n <= ?',
      ],
      result: n === 1,
      codes: n === 1 ? [] : ['None', 'ConditionalCheckFailed'],
      after: [{ sk: '0#day', n: 2, day: 'today', until: null }, ...(n === 1 ? [{ sk: 'new' }] : [])],
    }),
  ),
  ...[[], [{ sk: 'gone' }]].map(
    (given): StatementCase => ({
      what: `a transaction on the condition that an item is absent, of which there are ${given.length}`,
      given,
      call: ({ database, pk }) => database.transact([insert(pk, 'new'), { kind: 'absent', key: { pk, sk: 'gone' } }]),
      sent: ['Put if attribute_not_exists(pk); ConditionCheck if attribute_not_exists(pk)'],
      result: given.length === 0,
      codes: given.length === 0 ? [] : ['None', 'ConditionalCheckFailed'],
      after: given.length === 0 ? [{ sk: 'new' }] : given,
    }),
  ),
  ...[[], [{ sk: 'a' }]].map(
    (given): StatementCase => ({
      what: `a deletion without a condition in a transaction, of ${given.length} items`,
      given,
      call: ({ database, pk }) => database.transact([insert(pk, 'b'), { kind: 'delete', key: { pk, sk: 'a' } }]),
      sent: ['Put if attribute_not_exists(pk); Delete '],
      result: true,
      codes: [],
      after: [{ sk: 'b' }],
    }),
  ),
  ...[[], [{ sk: 'a', n: 1, old: true }]].map(
    (given): StatementCase => ({
      what: `a put without a condition in a transaction, over ${given.length} items`,
      given,
      call: ({ database, pk }) =>
        database.transact([insert(pk, 'b'), { kind: 'put', key: { pk, sk: 'a' }, set: { n: 2 } }]),
      sent: ['Put if attribute_not_exists(pk); Put '],
      result: true,
      codes: [],
      after: [{ sk: 'a', n: 2 }, { sk: 'b' }],
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
