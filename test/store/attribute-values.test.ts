import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attributeMap, attributeValue, nativeMap, nativeValue } from '../../lib/store/attribute-values.ts';

describe('a value of an item', () => {
  test.each([
    ['', { S: '' }],
    ['Zoë', { S: 'Zoë' }],
    [0, { N: '0' }],
    [-12.5, { N: '-12.5' }],
    [1e21, { N: '1e+21' }],
    [true, { BOOL: true }],
    [false, { BOOL: false }],
    [null, { NULL: true }],
    [new Uint8Array([1, 2, 255]), { B: 'AQL/' }],
    [new Uint8Array(0), { B: '' }],
    [[1, 'a'], { L: [{ N: '1' }, { S: 'a' }] }],
    [{ a: null }, { M: { a: { NULL: true } } }],
  ])('%j is sent as %j', (value, sent) => {
    expect(attributeValue(value)).toEqual(sent);
  });

  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: 'grapheme' }),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((number) => (number === 0 ? 0 : number)),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.array(tie('value')),
      fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value')),
    ),
  })).value;

  test('is received as it was sent', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(nativeValue(JSON.parse(JSON.stringify(attributeValue(value))))).toEqual(value);
      }),
    );
  });

  const notFinite = 'an item cannot hold a number that is not finite';
  const ofType = (type: string) => `an item cannot hold a value of type ${type}`;
  test.each([
    ['undefined', undefined, ofType('undefined')],
    ['a bigint', 1n, ofType('bigint')],
    ['a symbol', Symbol('a'), ofType('symbol')],
    ['a function', () => {}, ofType('function')],
    ['a number that is not finite', Number.POSITIVE_INFINITY, notFinite],
    ['a number that is not a number', Number.NaN, notFinite],
  ])('cannot be %s', (_, value, message) => {
    expect(() => attributeValue(value)).toThrow(new TypeError(message));
  });

  test.each([
    [{ N: '9007199254740993' }, 'an item has a number that is too large'],
    [{ N: '-9007199254740993' }, 'an item has a number that is too large'],
    [{ SS: ['a'] }, 'an item has an attribute of type SS'],
    [{}, 'an item has an attribute of type '],
  ])('received as %j is refused', (received, message) => {
    expect(() => nativeValue(received as never)).toThrow(new TypeError(message));
  });

  test('can be the largest number without loss', () => {
    expect(nativeValue({ N: '9007199254740991' })).toBe(Number.MAX_SAFE_INTEGER);
  });
});

test('an item leaves out attributes that are undefined', () => {
  expect(attributeMap({ pk: 'a', x: undefined })).toEqual({ pk: { S: 'a' } });
});

test('a key called __proto__ is data like any other', () => {
  const item = nativeMap(JSON.parse('{"meta":{"M":{"__proto__":{"S":"x"}}}}'));
  expect(JSON.stringify(item)).toBe('{"meta":{"__proto__":"x"}}');
  const property = Object.getOwnPropertyDescriptor(item.meta, '__proto__');
  expect(property).toEqual({ value: 'x', enumerable: true, configurable: true, writable: true });
  expect(JSON.stringify(attributeMap(item))).toBe('{"meta":{"M":{"__proto__":{"S":"x"}}}}');
});
