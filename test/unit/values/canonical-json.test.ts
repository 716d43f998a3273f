import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalText } from '../../../lib/domain/values/canonical-json.ts';
import { type JsonValue, parseJson } from '../../../lib/domain/values/json.ts';
import { cpuOf } from '../../support/cpu.ts';
import { runs } from '../../support/long-form.ts';

const textOf = (json: string) => canonicalText(parseJson(json));

describe('the canonical text', () => {
  test.each([
    ['{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['{"a":{"x":[1],"y":null}}', ' { "a" : { "y" : null , "x" : [ 1 ] } } '],
    ['1', '1.0'],
    ['1000', '1e3'],
    ['0', '-0'],
    ['0', '-0.00e7'],
    ['0.5', '5e-1'],
    ['12345678901234567890', '1234567890123456789e1'],
    ['-12345678901234567890', '-1234567890123456789e1'],
    ['-0.12345678901234567890', '-12345678901234567890e-20'],
    ['0.1000000000000000000000000000001', '0.10000000000000000000000000000010'],
    ['"é"', '"\\u00e9"'],
    ['{"é":1,"z":2,"10":3,"9":4}', '{"9":4,"10":3,"z":2,"\\u00e9":1}'],
  ])('of %s and of %s is the same', (one, other) => {
    expect(textOf(other)).toBe(textOf(one));
  });

  test.each([
    ['1', '"1"'],
    ['null', '"null"'],
    ['[1,2]', '[2,1]'],
    ['[1,2]', '[12]'],
    ['[[1],2]', '[[1,2]]'],
    ['{"a":1}', '{"a":1,"b":null}'],
    ['{"a":"1,b:2"}', '{"a":"1","b":2}'],
    ['{"__proto__":1}', '{}'],
    ['10', '1'],
    ['0.1', '0.10000000000000001'],
    ['12345678901234567890', '12345678901234567891'],
    ['12345678901234567890', '-12345678901234567890'],
    ['12345678901234567890', '1234567890123456789'],
    ['1e-300', '1e-301'],
    ['"e\\u0301"', '"\\u00e9"'],
    ['""', '"\\u0000"'],
  ])('of %s and of %s differs', (one, other) => {
    expect(textOf(other)).not.toBe(textOf(one));
  });
});

// Stored digests were made from this text, so it must not change.
test('the canonical text has sorted keys, and a comma after each value', () => {
  expect(textOf('{"b":[1.50,true,null],"a":{"é":"x","B":-12345678901234567890,"A":0.12345678901234567890}}')).toBe(
    '{"a":{"A":1234567890123456789e-19,"B":-1234567890123456789e1,"é":"x",},"b":[1.5,true,null,],}',
  );
});

test.each([39, 40, 41, 200])('the order of %i keys makes no difference', (count) => {
  const entries = Array.from({ length: count }, (_, n) => [`key-${(n * 7) % count}-${n}`, n]);
  const sorted = [...entries].sort(([a], [b]) => (a! < b! ? -1 : 1));
  const text = `{${sorted.map(([key, value]) => `"${key}":${value},`).join('')}}`;
  expect(canonicalText(Object.fromEntries(entries))).toBe(text);
  expect(canonicalText(Object.fromEntries(entries.toReversed()))).toBe(text);
});

const name = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('__proto__', 'constructor', '0', '10', 'a.b'));
const plain = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  fc.string({ maxLength: 6 }),
  fc.boolean(),
  fc.constant(null),
);
type Tree = number | bigint | string | boolean | null | Tree[] | Map<string, Tree>;
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    plain,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}));

/** The value as a JSON text, with its keys in the given or reversed order, and its numbers in a normal or unusual form. */
function written(value: Tree, odd: boolean): string {
  if (typeof value === 'bigint') return odd ? `${value}.0` : String(value);
  if (typeof value === 'number') return odd ? oddly(value) : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => written(each, odd)).join(odd ? ' , ' : ',')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const entries = odd ? [...value].reverse() : [...value];
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${written(each, odd)}`).join(',')}}`;
}

function oddly(value: number): string {
  const text = JSON.stringify(value);
  if (/e/.test(text)) return text.replace('e', '000e').replace(/^(-?\d)000e/, '$1.000e');
  return text.includes('.') ? `${text}00` : `${text}.0e+0`;
}

/** Equal values have equal texts of this form, which is not the one under test. */
const reference = (value: Tree): unknown => {
  if (typeof value === 'bigint' || typeof value === 'number') return ['number', exactly(value)];
  if (Array.isArray(value)) return ['array', value.map(reference)];
  if (!(value instanceof Map)) return ['scalar', value];
  const entries = [...value].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return ['object', entries.map(([key, each]) => [key, reference(each)])];
};

/** Digits and exponent of what JSON writes for the number. */
function exactly(value: number | bigint): string {
  const [mantissa = '', exponent = '0'] = (typeof value === 'bigint' ? String(value) : JSON.stringify(value)).split(
    'e',
  );
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = Number(exponent) - fraction.length;
  let digits = BigInt(whole + fraction);
  let power = scale;
  for (; digits !== 0n && digits % 10n === 0n; power++) digits /= 10n;
  return digits === 0n ? '0' : `${digits}e${power}`;
}

describe('two values', () => {
  test('that are equal have one text, whatever the order of their keys and the notation of their numbers', () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(textOf(written(value, true))).toBe(textOf(written(value, false)));
      }),
      { numRuns: runs(500) },
    );
  });

  test('have one text only when they are equal', () => {
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        const isEqual = JSON.stringify(reference(one)) === JSON.stringify(reference(other));
        expect(textOf(written(one, false)) === textOf(written(other, true))).toBe(isEqual);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('the time that the canonical text takes', () => {
  /** The least CPU time of ten runs. */
  async function least(values: readonly JsonValue[]): Promise<number> {
    const runs: number[] = [];
    while (runs.length < 10) runs.push(await cpuOf(() => values.forEach(canonicalText)));
    return Math.min(...runs);
  }
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
  const numbers = (count: number, text: string) => parseJson(`[${Array(count).fill(text).join(',')}]`);

  test.each<[string, (size: number) => JsonValue]>([
    ['many keys', (size) => keys(100 * size)],
    ['a long string', (size) => '\u0000'.repeat(3000 * size)],
    ['numbers of many zeros', (size) => numbers(500, `1${'0'.repeat(0.3 * size)}1`)],
    ['small numbers of many zeros', (size) => numbers(500, `0.${'0'.repeat(size)}1`)],
    ['fractions of many zeros', (size) => numbers(500, `1.${'0'.repeat(size)}1`)],
  ])('is proportional to the length: %s', async (_, value) => {
    const [size, parts] = [1000, 20];
    const small = Array<JsonValue>(parts).fill(value(size / parts));
    expect(await least([value(size)])).toBeLessThan(6 * (await least(small)));
  });
});
