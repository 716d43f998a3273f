import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { dataLine, originalCell, textLine } from '../../../lib/files/csv.ts';

const formulas = [
  '=1+1',
  '+cmd|x',
  '-cmd|x',
  '@SUM(A1)',
  '\uFF1D1',
  '\uFF0Bx',
  '\uFF0Dx',
  '\uFF201',
  ' =1',
  '\t=1',
  '\r=1',
  '-1;=2',
];
const cells = formulas.flatMap((each) => [
  ...[each, `'${each}`, `''${each}`, `"${each}`],
  ...[',', ';', '\t', '\n', '\r\n', '; ', ';;'].map((between) => `Ann${between}${each}`),
]);

/** The cells as a program reads them that expects this separator: quotes count only at the beginning of a cell. */
const shown = (line: string, delimiter: string): string[] =>
  parse(line, { delimiter, relax_quotes: true, relax_column_count: true }).flat();

test.each(cells)('a line for people has no formula, whatever separator is expected: %j', (cell) => {
  for (const place of [0, 1, 2]) {
    const row = ['a', 'b', 'c'].with(place, cell);
    expect(parse(textLine(row)).flat().map(originalCell)).toEqual(row);
    for (const delimiter of [',', ';', '\t']) {
      for (const each of shown(textLine(row), delimiter))
        expect(each.trim()).not.toMatch(/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/);
    }
  }
});

test.each(['+1 555 010 0199', '-5', "'twas", 'a-b', 'a@b.example', 'x=1', '"', '', 'a; b'])(
  'a value that is no formula is written as it is: %j',
  (cell) => {
    expect(textLine([cell, -5, null])).toBe(dataLine([cell, -5, null]));
  },
);

test('cells that are imported again are written as they are', () => {
  for (const cell of cells) expect(parse(dataLine([cell, 'x']))).toEqual([[cell, 'x']]);
});
