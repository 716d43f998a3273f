import { expect, test } from 'vitest';
import { read } from './support.ts';

const header = 'account_number,contact.unique_id,product.code,product.type';
const row = '1,c1,FREE,checking';

test('a number in scientific notation in what identifies, which is noticed without its digits', async () => {
  const rows = ['1.23457E+11,c1', '2,"1,5e9"', 'E2,c1E5', '1E,c', ',1E+5'].map((ids) => `${ids},FREE,checking`);
  const { notices } = await read(`${[header, ...rows].join('\n')}\n`);
  expect(notices).toEqual(['id_scientific: 2 3']);
  expect((await read('unique_id\n4E+10\n', { kind: 'contacts' })).notices).toEqual(['id_scientific: 2']);
});

const excelLine = (first: string) => `The first line is ${first}, which only Excel reads. Delete this line.`;

test.each<[string | Buffer, string]>([
  ['PK\u0003\u0004zip', 'The file is a zip archive or an Excel workbook. Unpack it, or save the sheet as CSV UTF-8.'],
  [Buffer.from('d0cf11e0a1b1', 'hex'), 'The file is an Excel workbook. Save the sheet as CSV UTF-8.'],
  ...['sep=;', 'sep=,', '"sep=\t"'].map((first): [string, string] => [
    `${first}\r\n${header}\r\n${row}`,
    excelLine(first),
  ]),
])('a file that only Excel reads is refused, with the remedy (%#)', async (content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});
