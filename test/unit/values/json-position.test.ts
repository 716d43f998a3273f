import { expect, test } from 'vitest';
import { jsonErrorPosition } from '../../../lib/domain/values/json-position.ts';

test.each<[string, number, number]>([
  ['{"a":1,}', 1, 8],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{\r\n  "a": tru\r\n}', 2, 11],
  ['{"a": "no end', 1, 14],
  ['{\n  "a": [1, 2\n', 3, 1],
  ['{"a": "a line\nbreak"}', 1, 14],
  ['{"a":1}}', 1, 8],
  ["{'a':1}", 1, 2],
  ['', 1, 1],
])('%j is broken at line %i, column %i', (text, line, column) => {
  expect(jsonErrorPosition(text)).toEqual({ line, column });
});

test('a document of some size is searched quickly', () => {
  const text = `{"a": [${'{"b": "text"},\n'.repeat(20_000)} oops]}`;
  expect(jsonErrorPosition(text)).toEqual({ line: 20_001, column: 2 });
});

test.each(['{}', '[1]', '"text"', ' 1 '])('%s is JSON', (text) => {
  expect(jsonErrorPosition(text)).toBeUndefined();
});
