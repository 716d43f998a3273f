import { expect, test } from 'vitest';
import * as z from 'zod';
import { itemReader, jsonText } from '../../lib/store/stored-item.ts';

test('an item in a newer format is an error, and is not read as if it had this one', () => {
  const read = itemReader('note', z.object({ text: z.string() }));
  expect(read({ text: 'a', format: 1 })).toEqual({ text: 'a' });
  expect(() => read({ text: 'a', format: 2 })).toThrow('a stored note is invalid: format');
  expect(() => read(null)).toThrow('a stored note is invalid: ');
  const readJson = itemReader('note', z.object({ data: jsonText(z.unknown()) }));
  expect(readJson({ data: '[1]' })).toEqual({ data: [1] });
  expect(() => readJson({ data: 'no JSON' })).toThrow('a stored note is invalid: data');
});
