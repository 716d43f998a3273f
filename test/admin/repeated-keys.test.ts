import { expect, test } from 'vitest';
import { repeatedKeys } from '../../bin/admin/repeated-keys.ts';

test.each<[what: string, text: string, found: [path: string, message: string][]]>([
  ['none', '{"a": {"b": 1}, "c": [{"b": 1}, {"b": 2}]}', []],
  [
    'one in an object',
    '{"a": 1,\n"b": 2,\n"a": 3}',
    [['/a', 'is written twice, in lines 1 and 3: only the last is used']],
  ],
  [
    'three times in a list',
    '[{},\n{"a": 1,\n"a": 2,\n"a": 3}]',
    [['/1/a', 'is written 3 times, in lines 2, 3 and 4: only the last is used']],
  ],
  ['names with / and ~', '{"a/b~": 1, "a/b~": 2}', [['/a~1b~0', 'is written twice, in line 1: only the last is used']]],
  [
    'names that are written in another way',
    '{"a": 1, "\\u0061": 2}',
    [['/a', 'is written twice, in line 1: only the last is used']],
  ],
  ['names of Object.prototype', '{"__proto__": 1, "constructor": 2}', []],
  [
    'one within one',
    '{"a": {"b": 1, "b": 2},\n"a": {}}',
    [
      ['/a', 'is written twice, in lines 1 and 2: only the last is used'],
      ['/a/b', 'is written twice, in line 1: only the last is used'],
    ],
  ],
])('names the keys that are repeated: %s', (_what, text, found) => {
  expect(repeatedKeys(text)).toEqual(found.map(([path, message]) => ({ path, message })));
});

test('a document of some size is searched quickly', () => {
  const text = `{"a": [${'{"b": "text"},\n'.repeat(20_000)} 1]}`;
  expect(repeatedKeys(text)).toEqual([]);
});
