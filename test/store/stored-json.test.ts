import { describe, expect, test } from 'vitest';
import * as readers from '../../lib/store/stored-json.ts';

const read = <Value>(reader: readers.Reader<Value>, value: unknown) => reader(value as never, 'path');
const invalid = (path: string) => `a stored content revision is invalid: ${path}`;
const pair = { a: readers.text, b: readers.number };

describe('a stored value', () => {
  test.each([
    ['a text', readers.text, 'x', [1, null, undefined, true, {}]],
    ['a text that may be null', readers.textOrNull, 'x', [1, true, {}]],
    ['a flag', readers.flag, false, ['x', 0, {}]],
    ['a number', readers.number, 0, ['1', false, {}]],
    ['an object', readers.object, { a: 1 }, ['x', 1, []]],
    ['a list', readers.listOf(readers.text), ['x'], ['x', {}, 1]],
    ['a map', readers.mapOf(readers.text), { a: 'x' }, ['x', [], null, undefined]],
    ['an object of fields', readers.objectOf(pair), { a: 'x', b: 1 }, ['x', [], null, undefined]],
  ] as const)('is read as %s, and another is an error', (_, reader, value, others) => {
    expect(read(reader as readers.Reader<unknown>, value)).toEqual(value);
    for (const other of others) {
      expect(() => read(reader as readers.Reader<unknown>, other)).toThrow(invalid('path'));
    }
  });

  test('that an earlier release did not store is null or an empty list', () => {
    const { textOrNull, flag, number, object, json, listOf, text } = readers;
    for (const reader of [textOrNull, flag, number, object, json]) {
      expect([read(reader as readers.Reader<unknown>, undefined), reader(null, 'path')]).toEqual([null, null]);
    }
    expect(read(listOf(text), undefined)).toEqual([]);
    expect(read(listOf(text), null)).toEqual([]);
  });

  test('of any form is as it is', () => {
    for (const value of ['x', 0, false, [1], { a: 1 }]) expect(read(readers.json, value)).toEqual(value);
  });

  test.each([
    [readers.listOf(readers.text), ['x', 1], 'path.1'],
    [readers.mapOf(readers.text), { a: 'x', b: 1 }, 'path.b'],
    [readers.objectOf(pair), { a: 'x', b: 'x' }, 'path.b'],
    [readers.openObjectOf(pair), { a: 1, c: 1 }, 'path.a'],
    [readers.mapOf(readers.listOf(readers.objectOf(pair))), { m: [{ a: 'x' }, { b: 1 }] }, 'path.m.1.a'],
  ])('in another is named by its path %#', (reader, value, path) => {
    expect(() => read(reader as readers.Reader<unknown>, value)).toThrow(invalid(path));
  });
});

describe('an object', () => {
  const stored = { c: true, b: 1, a: 'x' };
  test('has its fields in their order, and no others', () => {
    expect(JSON.stringify(read(readers.objectOf(pair), stored))).toBe('{"a":"x","b":1}');
    expect(JSON.stringify(read(readers.objectOf(pair), { a: 'x' }))).toBe('{"a":"x","b":null}');
  });

  test('that is open keeps the others after them', () => {
    expect(JSON.stringify(read(readers.openObjectOf(pair), stored))).toBe('{"a":"x","b":1,"c":true}');
  });
});
