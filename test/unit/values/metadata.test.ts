import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonScalar, type JsonValue, parseJson } from '../../../lib/domain/values/json.ts';
import {
  flatten,
  isSameMetadata,
  type Metadata,
  type MetadataChange,
  mergeMetadata,
  metadataError,
  metadataField,
  metadataLimits,
  shownMetadata,
} from '../../../lib/domain/values/metadata.ts';

const sent = (value: JsonObject): MetadataChange => flatten(value)!;
/** The metadata of a contact without metadata after this update. */
const fresh = (text: string): Metadata | null => mergeMetadata(null, sent(parseJson(text) as JsonObject));
const own = (metadata: Metadata | null) => metadata && Object.entries(metadata);

describe('flattening', () => {
  test.each([
    [
      'nested objects',
      '{"car":{"make":"Skoda","engine":{"litres":2}}}',
      { 'car.engine.litres': 2, 'car.make': 'Skoda' },
    ],
    ['arrays by index', '{"car":[{"make":"a"},{"make":"b"}]}', { 'car.0.make': 'a', 'car.1.make': 'b' }],
    ['arrays of scalars', '{"a":[1,"x",true,null]}', { 'a.0': 1, 'a.1': 'x', 'a.2': true, 'a.3': null }],
    ['dotted keys, as nested ones', '{"car.make":"a"}', { 'car.make': 'a' }],
    ['dotted keys deeper down', '{"a":{"b.c":1}}', { 'a.b.c': 1 }],
    ['a scalar and what is nested under the same name', '{"car":1,"car.make":"a"}', { car: 1, 'car.make': 'a' }],
    ['null below the top level, as a value', '{"a":{"b":null}}', { 'a.b': null }],
    ['empty objects and arrays, as nothing', '{"a":{},"b":[],"c":{"d":[{}]}}', null],
    ['an empty object, as nothing', '{}', null],
    ['empty keys', '{"":{"":1},"b":{"":2}}', { '.': 1, 'b.': 2 }],
    ['numbers by their value', '{"a":1.0,"b":1e2,"c":-0}', { a: 1, b: 100, c: 0 }],
  ])('takes %s', (_, text, expected) => {
    expect(fresh(text)).toEqual(expected);
  });

  test.each([
    ['dotted after nested', '{"car.make":"dotted","car":{"make":"nested"}}', 'car.make', 'dotted'],
    ['the later of two dotted', '{"a.b":{"c":1},"a.b.c":2}', 'a.b.c', 2],
    ['the later of two dotted, the other way', '{"a.b.c":2,"a.b":{"c":1}}', 'a.b.c', 1],
    ['dotted after nested, at a lower level', '{"a":{"b.c":2,"b":{"c":1}}}', 'a.b.c', 2],
    ['null too', '{"car":{"make":"nested"},"car.make":null}', 'car.make', null],
  ])('lets the later of two colliding keys win: %s', (_, text, key, value) => {
    expect(fresh(text)).toEqual({ [key]: value });
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty'])('takes %s as a key like any other', (name) => {
    expect(own(fresh(`{"${name}":{"x":1},"y":{"${name}":2}}`))).toEqual([
      [`${name}.x`, 1],
      [`y.${name}`, 2],
    ]);
    expect(own(fresh(`{"${name}":1}`))).toEqual([[name, 1]]);
    const change = sent(parseJson(`{"${name}":null}`) as JsonObject);
    expect(mergeMetadata(fresh(`{"${name}":{"x":1},"z":1}`), change)).toEqual({ z: 1 });
  });

  test('keeps numbers that no double holds to the digit', () => {
    expect(JSON.stringify(fresh('{"a":12345678901234567890}'))).toBe('{"a":12345678901234567890}');
  });

  test('stops at the limit of keys, of whatever the body is made', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
    expect(flatten(keys(metadataLimits.keys))).toBeDefined();
    expect(flatten(keys(metadataLimits.keys + 1))).toBeUndefined();
    expect(flatten({ a: Array.from({ length: 1_000_000 }, () => 0) })).toBeUndefined();
    expect(flatten({ ['k'.repeat(metadataLimits.bytes)]: 1 })).toBeDefined();
    expect(flatten({ ['k'.repeat(metadataLimits.bytes + 1)]: 1 })).toBeUndefined();
  });

  test('does not count keys that are only removed, or sent twice', () => {
    const removed = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, null]));
    expect(mergeMetadata(null, sent(removed))).toBeNull();
    const twice = Object.fromEntries(Array.from({ length: metadataLimits.keys }, (_, n) => [`a.k${n}`, n]));
    expect(
      flatten({ a: Object.fromEntries(Object.keys(twice).map((key) => [key.slice(2), 0])), ...twice }),
    ).toBeDefined();
  });

  test('walks any depth of nesting', () => {
    let nested: JsonValue = 'deep';
    for (let depth = 0; depth < 5_000; depth++) nested = { a: nested };
    expect(Object.values(mergeMetadata(null, sent(nested as unknown as JsonObject))!)).toEqual(['deep']);
  });
});

describe('merging', () => {
  const stored: Metadata = { 'car.0.make': 'a', 'car.1.make': 'b', name: 'x', 'tags.0': 1 };

  test.each([
    [
      'replaces all keys under a top-level key that is sent',
      '{"car":[{"make":"c"}]}',
      { 'car.0.make': 'c', name: 'x', 'tags.0': 1 },
    ],
    [
      'a dotted key replaces all under its top-level key',
      '{"car.0.make":"c"}',
      { 'car.0.make': 'c', name: 'x', 'tags.0': 1 },
    ],
    ['a scalar replaces what was nested', '{"car":"none"}', { car: 'none', name: 'x', 'tags.0': 1 }],
    ['null removes a top-level key', '{"car":null,"tags":null}', { name: 'x' }],
    ['an empty object removes what stood under it', '{"car":{},"tags":[]}', { name: 'x' }],
    ['an empty body changes nothing', '{}', stored],
  ])('%s', (_, text, expected) => {
    expect(mergeMetadata(stored, sent(parseJson(text) as JsonObject))).toEqual(expected);
  });

  test.each<[text: string, same: boolean]>([
    ['{}', true],
    ['{"name":"x"}', true],
    ['{"tags":[1],"car":[{"make":"a"},{"make":"b"}]}', true],
    ['{"car":[{"make":"a"}]}', false],
    ['{"name":"y"}', false],
    ['{"name":null}', false],
    ['{"other":"x"}', false],
  ])('%s gives the stored metadata itself: %s', (text, same) => {
    expect(mergeMetadata(stored, sent(parseJson(text) as JsonObject)) === stored).toBe(same);
  });

  test('the whole sent as null clears everything', () => {
    expect(mergeMetadata(stored, null)).toBeNull();
  });

  test('no keys left is null', () => {
    expect(mergeMetadata({ a: 1 }, sent({ a: null }))).toBeNull();
  });
});

test.each<[a: Metadata | null, b: Metadata | null, same: boolean]>([
  [null, null, true],
  [null, {}, false],
  [{ a: 1, b: 'x' }, { b: 'x', a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
])('%j and %j are the same: %s', (a, b, same) => {
  expect([isSameMetadata(a, b), isSameMetadata(b, a)]).toEqual([same, same]);
});

test('a response shows scalars', () => {
  const metadata = { a: 'x', b: 1.5, c: true, d: null };
  expect(shownMetadata().parse(metadata)).toEqual(metadata);
  expect(shownMetadata().safeParse({ a: {} }).success).toBe(false);
});

const scalar: fc.Arbitrary<JsonScalar> = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.integer().filter((value) => !Object.is(value, -0)),
  fc.boolean(),
  fc.constant(null),
);
const name = fc.constantFrom('a', 'b', 'c', '0', '1', 'a.b', 'b.0', '', '__proto__', 'constructor');
const { object: metadata } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as JsonObject),
}));
const storedMetadata = metadata.map((value) => mergeMetadata(null, sent(value)));

const topOf = (key: string) => key.split('.', 1)[0]!;
const text = (value: Metadata | null) => JSON.stringify(value);

describe('the laws of metadata', () => {
  test('sending the same again changes nothing, to the letter', () => {
    fc.assert(
      fc.property(storedMetadata, metadata, (stored, value) => {
        const once = mergeMetadata(stored, sent(value));
        expect(text(mergeMetadata(once, sent(value)))).toBe(text(once));
      }),
    );
  });

  test('sending what was returned changes nothing, to the letter', () => {
    fc.assert(
      fc.property(storedMetadata, (stored) => {
        expect(text(mergeMetadata(stored, sent((stored ?? {}) as JsonObject)))).toBe(text(stored));
      }),
    );
  });

  test('equal metadata is equal text, in whatever order it was sent', () => {
    fc.assert(
      fc.property(metadata, metadata, (first, second) => {
        const tops = (value: JsonObject) => new Set(Object.keys(value).map(topOf));
        fc.pre(tops(first).isDisjointFrom(tops(second)));
        const one = mergeMetadata(mergeMetadata(null, sent(first)), sent(second));
        const other = mergeMetadata(mergeMetadata(null, sent(second)), sent(first));
        expect(text(one)).toBe(text(other));
      }),
    );
  });

  test('keys under other top-level keys stay, those under sent ones are the sent ones', () => {
    fc.assert(
      fc.property(storedMetadata, metadata, (stored, value) => {
        const merged = Object.entries(mergeMetadata(stored, sent(value)) ?? {});
        const tops = new Set(Object.keys(value).map(topOf));
        const kept = Object.entries(stored ?? {}).filter(([key]) => !tops.has(topOf(key)));
        expect(merged.filter(([key]) => !tops.has(topOf(key)))).toEqual(kept);
        const alone = Object.entries(mergeMetadata(null, sent(value)) ?? {});
        expect(merged.filter(([key]) => tops.has(topOf(key)))).toEqual(alone);
      }),
    );
  });

  test('agrees with a recursive reading of the rule', () => {
    fc.assert(
      fc.property(metadata, (value) => {
        expect(new Map(own(mergeMetadata(null, sent(value))))).toEqual(readRecursively(value));
      }),
    );
  });
});

function readRecursively(value: JsonObject): Map<string, JsonScalar> {
  const keys = new Map<string, JsonScalar>();
  const read = (path: string, child: JsonValue): void => {
    if (child === null || typeof child !== 'object') {
      if (child === null && !path.includes('.')) keys.delete(path);
      else keys.set(path, child);
      return;
    }
    const entries = Array.isArray(child) ? child.map((each, n) => [String(n), each] as const) : Object.entries(child);
    const dotted = ([key]: readonly [string, JsonValue]) => key.includes('.');
    for (const [key, each] of [...entries.filter((e) => !dotted(e)), ...entries.filter(dotted)]) {
      read(`${path}.${key}`, each);
    }
  };
  const entries = Object.entries(value);
  for (const [key, child] of entries.filter(([key]) => !key.includes('.'))) read(key, child);
  for (const [key, child] of entries.filter(([key]) => key.includes('.'))) read(key, child);
  return keys;
}

describe('the limits', () => {
  test('are 1,000 keys and 16 KB of JSON', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));
    const bytes = (count: number) => ({ a: 'x'.repeat(count - '{"a":""}'.length) });
    expect(metadataError(keys(1000))).toBeUndefined();
    expect(metadataError(keys(1001))).toBe('must be at most 1000 keys and 16 KB of JSON');
    expect(metadataError(bytes(16 * 1024))).toBeUndefined();
    expect(metadataError(bytes(16 * 1024 + 1))).toBe('must be at most 1000 keys and 16 KB of JSON');
    expect(metadataError({ a: '€'.repeat(5_500) })).toBe('must be at most 1000 keys and 16 KB of JSON');
    expect(metadataError(null)).toBeUndefined();
  });
});

describe('the field', () => {
  const message = (value: unknown) =>
    metadataField()
      .safeParse(value)
      .error?.issues.map((issue) => issue.message);

  test.each([[[]], ['x'], [1], [true]])('refuses %j', (value) => {
    expect(message(value)).toEqual(['must be an object']);
  });

  test('refuses lone surrogates in keys and values', () => {
    const expected = ['must be well-formed Unicode, without lone surrogates'];
    expect(message({ a: '\ud800' })).toEqual(expected);
    expect(message({ '\udc00': 1 })).toEqual(expected);
    expect(message({ a: { b: ['\ud83d\ude00', '\u0000'] } })).toBeUndefined();
  });

  test('refuses what is over the limits by itself', () => {
    expect(message({ a: 'x'.repeat(17_000) })).toEqual(['must be at most 1000 keys and 16 KB of JSON']);
  });
});

test('the limit of bytes counts escapes', () => {
  const accepts = (characters: number) => metadataField().safeParse({ k: '\u0001'.repeat(characters) }).success;
  const most = Math.floor((metadataLimits.bytes - '{"k":""}'.length) / '\\u0001'.length);
  expect(accepts(most)).toBe(true);
  expect(accepts(most + 1)).toBe(false);
});
