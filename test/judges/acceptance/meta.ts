import { metaFields, put } from './contacts.ts';
import { same } from './expect.ts';
import { check } from './suite.ts';
import { newId } from './world.ts';

check('Specification, meta 1 and 2: nested objects and arrays are flattened to dot-joined keys', async (world) => {
  const team = await world.team();
  const sent = { car: [{ make: 'Tatra', year: 1934 }, 'none'], a: { b: { c: true, d: null } }, x: 1.5, e: {}, f: [] };
  const flat = { 'car.0.make': 'Tatra', 'car.0.year': 1934, 'car.1': 'none', 'a.b.c': true, 'a.b.d': null, x: 1.5 };
  const { id } = await team.contact({ meta_public: sent, meta_private: sent });
  const read = await team.get(`/v1/contacts/${id}`);
  same(read.meta_public, flat, 'meta_public');
  same(read.meta_private, flat, 'meta_private');
});

const metaTable: [sentence: string, before: object | null, sent: object | null, after: object | null][] = [
  [
    'the keys sent replace all flattened keys under that top-level key',
    { car: { make: 'A', year: 1 }, b: 1 },
    { car: { make: 'B' } },
    { 'car.make': 'B', b: 1 },
  ],
  ['a shorter array leaves no stale index', { n: [1, 2, 3] }, { n: [4] }, { 'n.0': 4 }],
  ['others stay', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['a scalar replaces what was nested', { a: { b: 1 } }, { a: 2 }, { a: 2 }],
  ['a top-level key sent as null removes it', { a: { b: 1, c: 2 }, d: 1 }, { a: null }, { d: 1 }],
  ['a nested null is a value', { a: { b: 1 } }, { a: { b: null } }, { 'a.b': null }],
  ['the whole object sent as null clears it', { a: 1 }, null, null],
  ['an empty object changes nothing', { a: 1 }, {}, { a: 1 }],
  ['empty objects and arrays flatten to nothing', { a: 1, b: 2 }, { a: {}, b: [] }, null],
  ['no keys left is null', { a: 1 }, { a: null }, null],
  [
    'a dotted key is the same as the nested form; its top-level key is the first part',
    { car: { make: 'A', year: 1 } },
    { 'car.make': 'B' },
    { 'car.make': 'B' },
  ],
  [
    'dotted keys count after nested ones, and the later wins',
    null,
    { 'car.make': 'B', car: { make: 'A', year: 1 } },
    { 'car.make': 'B', 'car.year': 1 },
  ],
  ['values keep their type', null, { a: '1', b: 1, c: true, d: 'true' }, { a: '1', b: 1, c: true, d: 'true' }],
  [
    'keys such as constructor are data like any other',
    null,
    { constructor: 1, toString: 'x', prototype: { a: 1 } },
    { constructor: 1, toString: 'x', 'prototype.a': 1 },
  ],
];
for (const [sentence, before, sent, after] of metaTable) {
  check(`Contract 3, meta: ${sentence}`, async (world) => {
    const team = await world.team();
    const first = before === null ? {} : { meta_public: before, meta_private: before };
    const contact = await team.contact(first);
    const body = await put(team, contact, { meta_public: sent, meta_private: sent });
    same([body.meta_public, body.meta_private], [after, after], 'both metas');
    same(await team.get(`/v1/contacts/${contact.id}`), body, 'the contact as it is stored');
  });
}

check('Contract 3, meta: keys such as __proto__ are data like any other', async (world) => {
  const team = await world.team();
  const { body } = await team.call(
    201,
    'POST /v1/contacts',
    `{"unique_id":"${newId()}","meta_public":{"__proto__":{"a":1},"b":2}}`,
  );
  same(JSON.stringify(body.meta_public).length, '{"__proto__.a":1,"b":2}'.length, 'the length of meta_public');
  same(body.meta_public['__proto__.a'], 1, '__proto__.a');
});

check('Contract 3, meta: at most 1,000 flattened keys and 16 KB of JSON in each of the two, merged', async (world) => {
  const team = await world.team();
  const numbered = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, 1]));
  for (const meta of metaFields) {
    const contact = await team.contact({ [meta]: numbered(999) });
    await put(team, contact, { [meta]: { more: 1 } });
    await team.refuse(422, [`/${meta}`], `PUT /v1/contacts/${contact.id}`, { [meta]: { another: 1 } });
    await team.refuse(422, [`/${meta}`], 'POST /v1/contacts', { unique_id: newId(), [meta]: numbered(1001) });
    const size = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    const large = await team.contact({ [meta]: size(16_384) });
    await team.refuse(422, [`/${meta}`], `PUT /v1/contacts/${large.id}`, { [meta]: size(16_385) });
    await team.refuse(422, [`/${meta}`], `PUT /v1/contacts/${large.id}`, { [meta]: { b: 1 } });
  }
});
