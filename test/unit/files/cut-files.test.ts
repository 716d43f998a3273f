import { gzipSync } from 'node:zlib';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mappingOf } from '../../../lib/files/mapping.ts';
import { runs } from '../../support/long-form.ts';
import { read, recordsIn } from './support.ts';

/** A text that any encoding here has. Its lines are no rows, because they have no delimiter. */
const text = fc.stringMatching(/^[A-Za-z0-9"' éß-]{0,12}$/);
const lines = fc.array(text, { minLength: 1, maxLength: 3 });
const row = fc.record({ city: lines, street: lines, note: fc.stringMatching(/^[A-Z,;|" ]{0,8}$/) });

const encodings = {
  'utf-8': (content: string) => Buffer.from(content),
  'utf-8 with a mark': (content: string) => Buffer.from(`\ufeff${content}`),
  'utf-16le': (content: string) => Buffer.from(`\ufeff${content}`, 'utf16le'),
  'utf-16be': (content: string) => Buffer.from(`\ufeff${content}`, 'utf16le').swap16(),
  'windows-1252': (content: string) => Buffer.from(content, 'latin1'),
};

const layout = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  record_delimiter: fc.constantFrom('\n', '\r\n', '\r\r\n', '\r'),
  quoted: fc.boolean(),
  encoding: fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[])),
  marks: fc.constantFrom('', '\x1a', '\0\0', '\x1a\0'),
  gzip: fc.boolean(),
});

const columns = ['unique_id', 'city', 'address', 'state'];

/** What a reference writer makes of the rows, and how they must be read. */
function written(rows: readonly Row[], { delimiter, record_delimiter, quoted, encoding, marks, gzip }: Layout) {
  const end = record_delimiter.at(-1)!;
  const cells = rows.map(({ city, street, note }, n) => [`cif-${n}`, city.join(end), street.join('\n'), note]);
  const options = { delimiter, record_delimiter, quoted, quoted_match: /[\r\n]/ };
  const content = encodings[encoding](stringify([columns, ...cells], options) + marks);
  const mapping =
    encoding === 'windows-1252' ? mappingOf('contacts', JSON.stringify({ _encoding: encoding })) : undefined;
  return { bytes: gzip ? gzipSync(content) : content, expected: cells, mapping };
}
type Row = { city: string[]; street: string[]; note: string };
type Layout = {
  delimiter: string;
  record_delimiter: string;
  quoted: boolean;
  encoding: keyof typeof encodings;
  marks: string;
  gzip: boolean;
};

const cellsOf = (record: object): string[] =>
  columns.map((name) => String((record as Record<string, unknown>)[name] ?? ''));
const anyRows = fc.array(row, { minLength: 1, maxLength: 8 });

test('what a reference writer makes is read as the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, layout, fc.integer({ min: 1, max: 60 }), async (rows, given, part) => {
      const { bytes, expected, mapping } = written(rows, given);
      const file = await read(bytes, { kind: 'contacts', name: 'c.csv', mapping, part });
      expect([recordsIn(file).map(cellsOf), file.failure]).toEqual([expected, undefined]);
      expect(file.notices.filter((kind) => !kind.startsWith('word_for_nothing'))).toEqual([]);
    }),
    { numRuns: runs(150) },
  );
});

/** A file that ends where a row does, or before its first row, cannot be told from a whole one. */
const endsARow = (bytes: Buffer, at: number, { record_delimiter, encoding }: Layout): boolean => {
  const end = encodings[encoding === 'utf-8 with a mark' ? 'utf-8' : encoding](record_delimiter.at(-1)!);
  const mark = encoding.startsWith('utf-16') ? end.subarray(2) : end;
  return bytes.subarray(at - mark.length, at).equals(mark);
};

test('a file that is cut at any byte has a part of its rows, the last at most cut itself, and says so', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, layout, fc.nat({ max: 10_000 }), async (rows, given, length) => {
      const { bytes, expected, mapping } = written(rows, { ...given, marks: '' });
      const at = length % bytes.length;
      const part = bytes.subarray(0, at);
      const file = await read(part, { kind: 'contacts', name: 'c.csv', mapping }).catch((error: Error) => error);
      if (file instanceof Error) return;
      const found = recordsIn(file).map(cellsOf);
      const last = found.at(-1);
      const whole = file.notices.some((kind) => kind.startsWith('cut_last_line')) ? found.slice(0, -1) : found;
      expect(whole).toEqual(expected.slice(0, whole.length));
      if (last && whole.length < found.length) {
        const origin = expected[whole.length]!;
        expect(last.every((cell, n) => origin[n]!.startsWith(cell))).toBe(true);
      }
      const isKnown = file.failure !== undefined || file.notices.length > 0;
      expect(isKnown || (!given.gzip && endsARow(bytes, at, given))).toBe(true);
    }),
    { numRuns: runs(450) },
  );
});
