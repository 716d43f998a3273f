import { expect, test } from 'vitest';
import * as z from 'zod';
import { itemReader, jsonText } from '../../../lib/store/table/stored-item.ts';

test('an item of another form is an error', () => {
  const read = itemReader('note', z.object({ text: z.string() }));
  expect(read({ text: 'a', more: 1 })).toEqual({ text: 'a' });
  expect(() => read({ text: 1 })).toThrow('a stored note is invalid: text');
  expect(() => read(null)).toThrow('a stored note is invalid: ');
  const readJson = itemReader('note', z.object({ data: jsonText(z.unknown()) }));
  expect(readJson({ data: '[1]' })).toEqual({ data: [1] });
  expect(() => readJson({ data: 'no JSON' })).toThrow('a stored note is invalid: data');
});
