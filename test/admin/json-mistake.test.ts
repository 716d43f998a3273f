import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { documentFile } from '../../bin/admin/document.ts';
import { jsonMistake, shownPlace } from '../../bin/admin/json-mistake.ts';
import { jsonErrorPosition } from '../../lib/domain/json-position.ts';

test.each<[text: string, said: string]>([
  ['{\n  "a": 1,\n}', 'Delete the comma before the `}`'],
  ['{"a": [1, 2, ]}', 'Delete the comma before the `]`'],
  ['{\n  "a": 1\n  "b": 2\n}', 'A comma is missing before it'],
  ['{"a": {}\n  "b": 2}', 'A comma is missing before it'],
  ['[{} {}]', 'A comma is missing before it'],
  ['["a" "b"]', 'A comma is missing before it'],
  ['{"a": true "b": 1}', 'A comma is missing before it'],
  ['{"a": 1,, "b": 2}', 'There is a comma too many'],
  ['{"a": [,]}', 'A value is missing before the comma'],
  ['{"a": , "b": 1}', 'A value is missing before the comma'],
  ['{"a": }', 'A value is missing after the colon'],
  ['{"a" 1}', 'A colon is missing after the name'],
  ['{"a", "b": 1}', 'A colon is missing after the name'],
  ['{"a" = 1}', 'Write a colon in place of the `=`'],
  ['{"a": 1; "b": 2}', 'Write a comma in place of the semicolon'],
  ["{'a': 1}", `Write " in place of '`],
  ['{"a": ‘b’}', 'Write " in place of ‘'],
  ['{“a”: 1}', 'Write " in place of “'],
  ['{"a": "b”, "c": 1}', 'The text before it has a typographic quotation mark: write "'],
  ['{"a": "He said "hi" to us"}', 'Write \\" for a quotation mark inside of a text'],
  ['{a: 1}', 'Write " around names and texts'],
  ['{"a": hello}', 'Write " around names and texts'],
  ['{"a": True}', 'Write true, false or null'],
  ['{"a": undefined}', 'Write true, false or null'],
  ['{"a": tru}', 'The value before it is not complete'],
  ['{"a": .5}', 'Write a digit before the point'],
  ['{"a": 01}', 'A number cannot begin with 0: delete the 0'],
  ['{\n  // A\n  "a": 1}', 'JSON has no comments: delete it'],
  ['{"a": 1 /* A */}', 'JSON has no comments: delete it'],
  ['{"a": 1}}', 'There is a `}` too many'],
  ['{"a": 1}\n{"b": 1}', 'There is more text after the end of the document'],
  ['{\n  "a": [1, 2\n}', 'A `]` is missing for the `[` in line 2'],
  ['{\n  "a": {\n    "b": 1\n  ', 'A `}` is missing for the `{` in line 2'],
  ['{"a": "b', 'A `"` is missing at the end of the text in line 1'],
  ['{\n"a": "b\nc"}', 'A `"` is missing at the end of the line, or write \\n for a line break inside of a text'],
  ['{"a": "b\tc"}', 'Write \\t for a tab inside of a text'],
  ['{"a": "C:\\Data"}', 'Write \\\\ for a backslash'],
  ['{"a": "\\users"}', 'Write \\\\ for a backslash'],
  ['{"a": "\u0001"}', 'The text has a character that JSON does not allow: delete it'],
  ['', 'The file is empty'],
  [' \n', 'The file is empty'],
  ['templates:\n  - A', 'A JSON document begins with `{`'],
  ['<html>', 'A JSON document begins with `{`'],
  ['{"a": 😀}', 'The character `😀` is not expected here'],
])('%j: %s', (text, said) => {
  expect(jsonMistake(text, jsonErrorPosition(text)!)).toBe(said);
});

const long = 'x'.repeat(100);
test.each<[text: string, line: number, column: number, shown: string]>([
  ['{\n  "a": 1,\r\n}', 2, 10, '  "a": 1,\n           ^'],
  ['{\n\t"a" 1', 2, 6, ' "a" 1\n       ^'],
  ['', 1, 1, '\n  ^'],
  [`"${long}" ,`, 1, 104, `…${'x'.repeat(58)}" ,\n${' '.repeat(63)}^`],
  [`,"${long}`, 1, 1, `,"${'x'.repeat(58)}…\n  ^`],
])('%j: the line %i is shown with the column %i', (text, line, column, shown) => {
  expect(shownPlace(text, { line, column })).toBe(`  ${shown}`);
});

test.each<[what: string, bytes: Buffer]>([
  ['with a mark', Buffer.from('\ufeff{"a": 1}', 'utf16le')],
  ['without a mark', Buffer.from('{"a": 1}', 'utf16le')],
  ['with the high byte first', Buffer.from('\ufeff{"a": 1}', 'utf16le').swap16()],
])('a file in UTF-16 %s', (_what, bytes) => {
  const text = bytes.toString('utf8');
  expect(jsonMistake(text, jsonErrorPosition(text)!)).toBe('The file is in UTF-16: save it as UTF-8');
  const file = join(tmpdir(), `${crypto.randomUUID()}.json`);
  writeFileSync(file, bytes);
  onTestFinished(() => rmSync(file));
  expect(() => documentFile(file)).toThrow(/: save it as UTF-8$/);
});
