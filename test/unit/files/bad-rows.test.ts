import { describe, expect, test } from 'vitest';
import { rejectedHeader, rejectedLine } from '../../../lib/files/rejected.ts';
import { faultsIn, read, recordsIn } from './support.ts';

const header =
  'account_number,contact.unique_id,product.code,product.type,balance,opened_date,number_transactions_last_30_days';
const good = (n: number) => `${n},c${n},FREE,checking,1.50,2024-02-29,3`;
const recordOf = (n: number) => ({
  account_number: String(n),
  contact: { unique_id: `c${n}` },
  product: { code: 'FREE', type: 'checking' },
  balance: '1.50',
  opened_date: '2024-02-29',
  number_transactions_last_30_days: 3,
});

const misplaced = 'has a quote inside a cell: put the whole cell in quotes, and write each quote inside it twice';
const notClosed = 'has an opening quote that is never closed';
const isForeign =
  'is not UTF-8; it is shown as windows-1252, its probable encoding. If the whole file has another encoding, name it with --encoding';
const tooFew = 'Write the delimiters of empty cells too, and put a cell with a line break in quotes';
const otherDates = 'if the file writes dates otherwise, name their format, as --dates MM/DD/YYYY';
const noCount = '3 number_transactions_last_30_days: must be a number';
const types = 'must be one of checking, savings, loan, lease, investment';

/** Each is line 3 between valid rows. */
const badRows: [name: string, row: string, ...errors: string[]][] = [
  ['without an account number', ',c9,FREE,checking,1,2024-02-29,3', '3 account_number: is required'],
  [
    'without a product',
    '9,c9,,,1,2024-02-29,3',
    '3 product: code and type are required, unless the record only maps an account to a contact',
  ],
  ['with an unknown type', '9,c9,FREE,current,1,2024-02-29,3', `3 product.type: ${types}`],
  [
    'with a day that does not exist',
    '9,c9,FREE,checking,1,2023-02-29,3',
    '3 opened_date: must be an ISO 8601 date or date-time, such as 2024-12-31',
  ],
  [
    'with a date of another country',
    '9,c9,FREE,checking,1,29.02.2024,3',
    `3 opened_date: must be an ISO 8601 date or date-time, such as 2024-12-31; ${otherDates}`,
  ],
  [
    'with a decimal comma',
    '9,c9,FREE,checking,"1,50",2024-02-29,3',
    '3 balance: must be a decimal: a JSON number, or a string of digits such as "12.50"; name how the file writes numbers, as --numbers "1.234,50"',
  ],
  [
    'with a fraction for a count',
    '9,c9,FREE,checking,1,2024-02-29,2.5',
    '3 number_transactions_last_30_days: must be a whole number',
  ],
  ['with words for a count', '9,c9,FREE,checking,1,2024-02-29,many', noCount],
  ['with a count beyond the range of a double', `9,c9,FREE,checking,1,2024-02-29,${'9'.repeat(400)}`, noCount],
  [
    'with a number that is too long',
    `${'9'.repeat(513)},c9,FREE,checking,1,2024-02-29,3`,
    '3 account_number: must be at most 512 bytes of UTF-8',
  ],
  [
    'with three errors',
    '9,c9,FREE,current,x,never,3',
    `3 product.type: ${types}`,
    `3 opened_date: must be an ISO 8601 date or date-time, such as 2024-12-31; ${otherDates}`,
    '3 balance: must be a decimal: a JSON number, or a string of digits such as "12.50"',
  ],
  ['with too few cells', '9,c9,FREE', `3 : has 3 cells; the header has 7. ${tooFew}`],
  [
    'with too many cells',
    `${good(9)},more`,
    '3 : has 8 cells; the header has 7. Put a cell that contains the delimiter in quotes',
  ],
  ['with a quote that opens and never closes', '9,"c9,FREE,checking,1,2024-02-29,3', `3 : ${notClosed}`],
  ['with a quote inside a cell', '9,c"9,FREE,checking,1,2024-02-29,3', `3 : ${notClosed}`],
  ['with two quotes inside a cell', '9,c"9",FREE,checking,1,2024-02-29,3', `3 : ${misplaced}`],
  ['with text behind a closing quote', '9,"c9"x,FREE,checking,1,2024-02-29,3', `3 : ${misplaced}`],
  ['with Latin-1 bytes', '9,Jos\xe9,FREE,checking,1,2024-02-29,3', `3 contact.unique_id: ${isForeign}`],
  [
    'with a NUL',
    '9,c\x009,FREE,checking,1,2024-02-29,3',
    '3 contact.unique_id: contains a NUL character, which is not allowed',
  ],
  [
    'that is longer than any record',
    `9,${'c'.repeat(1024 * 1024)},FREE,checking,1,2024-02-29,3`,
    '3 : is longer than 1 MB: a line break is missing, or the file is not a text file',
  ],
  ['that is no CSV at all', '<html><body>Bad gateway</body></html>', `3 : has 1 cells; the header has 7. ${tooFew}`],
];

const endings: [string, string][] = [
  ['line feeds', '\n'],
  ['CRLF', '\r\n'],
];

describe.each(endings)('a file with %s', (_, end) => {
  const fileOf = (...rows: string[]) => Buffer.from([header, ...rows].join(end), 'latin1');

  test.each(badRows)('reports a row %s, and loses no other', async (_, row, ...errors) => {
    const file = await read(fileOf(good(1), row, good(2), good(3)));
    expect(faultsIn(file).sort()).toEqual(errors.sort());
    expect(recordsIn(file)).toEqual([recordOf(1), recordOf(2), recordOf(3)]);
  });

  test.each(badRows)('reports a row %s as its last', async (_, row) => {
    const file = await read(fileOf(good(1), row));
    expect(file.rows.map(({ line, errors }) => [line, errors.length > 0])).toEqual([
      [2, false],
      [3, true],
    ]);
  });

  test('reports all of them at once, each on its line', async () => {
    const rows = badRows.flatMap(([, row], at) => [row, good(at)]);
    const file = await read(fileOf(...rows));
    const faulty = file.rows.filter(({ errors }) => errors.length > 0).map(({ line }) => line);
    expect(faulty).toEqual(badRows.map((_, at) => 2 + 2 * at));
    expect(recordsIn(file)).toEqual(badRows.map((_, at) => recordOf(at)));
  });
});

describe('a stray quote', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => good(n));

  test.each([
    ['a few rows', 5],
    ['more rows than a cell may run over', 2500],
  ])('costs its own row before %s', async (_, count) => {
    const file = await read([header, '9,"c9,FREE,checking,1,2024-02-29,3', ...rows(count)].join('\n'));
    expect(faultsIn(file)).toEqual([`2 : ${notClosed}`]);
    expect(recordsIn(file)).toHaveLength(count);
  });

  test('costs its own row where a later one has a quote too', async () => {
    const other = '5,"c5, the other",FREE,checking,,,';
    const file = await read([header, '9,"c9,FREE,checking,1,2024-02-29,3', good(1), other, good(2)].join('\n'));
    expect(file.rows.map(({ line, errors }) => [line, errors.length])).toEqual([
      [2, 1],
      [3, 0],
      [4, 0],
      [5, 0],
    ]);
  });

  test('is told from a cell that runs over lines', async () => {
    const file = await read(`${header}\n9,"c9\nof two\r\nlines",FREE,checking,1,,\n${good(1)}`);
    expect(file.rows.map(({ line }) => line)).toEqual([2, 5]);
    expect(recordsIn(file)[0]).toMatchObject({ contact: { unique_id: 'c9\nof two\r\nlines' } });
  });
});

describe('what is no fault', () => {
  test.each([
    ['a byte order mark', `\uFEFF${header}\n${good(1)}\n`],
    ['no line end at the end', `${header}\n${good(1)}`],
    ['blank lines', `\n${header}\n\n${good(1)}\n\n  \n,,,,,,\n`],
    ['carriage returns alone', `${header}\r${good(1)}\r`],
    ['empty cells behind the last column', `${header}\n${good(1)},,,\n`],
    ['semicolons', `${header}\n${good(1)}\n`.replaceAll(',', ';')],
    ['blanks around numbers and dates', `${header}\n1,c1,FREE, checking ,1.50 , 2024-02-29,3 \n`],
    ['blanks around the names of columns', `${header.replaceAll(',', ' , ')}\n${good(1)}\n`],
    ['every cell in quotes', `${header}\n${good(1).replaceAll(/[^,]+/g, '"$&"')}\n`],
  ])('%s', async (_, content) => {
    const file = await read(content);
    expect(faultsIn(file)).toEqual([]);
    expect(recordsIn(file)).toEqual([recordOf(1)]);
  });

  test('the same account twice; of the same contact it is noticed', async () => {
    const joint = '1,c2,FREE,checking,1.50,,';
    const file = await read([header, good(1), joint, '1,c1,FREE,checking,2.50,,'].join('\n'));
    expect(faultsIn(file)).toEqual([]);
    expect(file.notices).toEqual(['repeated_row: 4', 'cut_last_line: 4']);
    expect(recordsIn(file)).toHaveLength(3);
  });

  test.each(['', '\n', '\r\n\r\n'])('a header without rows, which is noted (%j)', async (end) => {
    expect(await read(`${header}${end}`)).toMatchObject({ rows: [], notices: ['no_rows'], failure: undefined });
    expect((await read(`${header}\n${good(1)}\n`)).notices).toEqual([]);
  });
});

describe('a file that is refused', () => {
  const gzipMagic = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]);
  test.each<[string, string | Buffer, string]>([
    ['is empty', '', 'The file is empty.'],
    ['holds nothing but line ends', '\r\n\r\n', 'The file is empty.'],
    [
      'lacks the account number',
      'contact.unique_id,product.code\n1,2',
      'The file has no column for account_number. Its header is: contact.unique_id, product.code.',
    ],
    [
      'has contacts',
      'unique_id,name_first\n1,Jana',
      'Its header is: unique_id, name_first. If it is a file of contacts, import it as contacts (in the drop box: from the folder contacts). Otherwise: Map its columns',
    ],
    [
      'lacks the product',
      'account_number,balance\n1,2',
      'The file has no column for product.code and product.type. Its header is: account_number, balance.',
    ],
    [
      'has a header beyond measure',
      header + ',x'.repeat(30_000),
      'The header cannot be read: it is longer than 64 KB.',
    ],
    [
      'has a column twice',
      `${header},balance\n`,
      'The header names balance more than once. Rename or delete the other columns.',
    ],
    [
      'is UTF-16 without a mark',
      Buffer.from(header, 'utf16le'),
      'The file is UTF-16 without a byte order mark, or not a text file. Save it as UTF-8, or name its encoding, as --encoding utf-16le.',
    ],
    [
      'is a JSON array',
      '[{"account_number":"1"}]',
      'The file is a JSON array. Write one JSON object per line instead (NDJSON).',
    ],
    ['has a header that is never closed', `"${header}\n${good(1)}`, `The header cannot be read: ${notClosed}.`],
    ['is broken gzip', gzipMagic, 'The gzip data is damaged or ends too early. Copy the file again.'],
  ])('one that %s', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });

  test('one of contacts that nothing names', async () => {
    await expect(read('name_first\nJana', { kind: 'contacts' })).rejects.toThrow('no column for unique_id or email');
  });
});

test('columns that no account has are named once, and left out', async () => {
  const file = await read(`${header},branch,\n${good(1)},Pisek,x`);
  expect(file.warnings).toEqual([
    'column branch is not a field of an account and is ignored',
    'column 9 has no name and is ignored',
  ]);
  expect(recordsIn(file)).toEqual([recordOf(1)]);
});

describe('rejected rows', () => {
  const rejectedOf = async (content: string | Buffer, name = 'a.csv') => {
    const { chunks } = await read(content, { name });
    const { layout } = chunks[0]!.next;
    const faulty = chunks.flatMap(({ rows }) => rows).filter(({ errors }) => errors.length > 0);
    return rejectedHeader(layout) + faulty.map((row) => rejectedLine(layout, row, row.errors)).join('');
  };

  test('say no more than fifty errors of a row', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `meta_public.c${n}`);
    const bytes = Buffer.from(`unique_id,${names.join(',')}\n1${',\u00e9'.repeat(60)}\n`, 'latin1');
    const { chunks } = await read(bytes, { kind: 'contacts' });
    const [row] = chunks[0]!.rows;
    expect(row!.errors).toHaveLength(60);
    const line = rejectedLine(chunks[0]!.next.layout, row!, row!.errors);
    expect(line).toContain('meta_public.c49: ');
    expect(line).not.toContain('meta_public.c50');
    expect(line).toContain('; and 10 more"');
  });

  test('say what is wrong, beside their cells', async () => {
    expect(
      await rejectedOf(`account_number,product.code,product.type\n1,FREE,current\n2,"A, B",checking\n3,FREE`),
    ).toBe(
      `_row,_column,_reason,_line,account_number,product.code,product.type
2,product.type,"${types}",,1,FREE,current
4,,"has 2 cells; the header has 3. ${tooFew}","3,FREE",,,
`,
    );
  });

  test('stay rejected until they are mended', async () => {
    const rejected = await rejectedOf(Buffer.from([header, ...badRows.map(([, row]) => row)].join('\n'), 'latin1'));
    const again = await read(rejected);
    const mendedByReading = badRows.filter(([name]) => name === 'with Latin-1 bytes').length;
    expect(recordsIn(again)).toHaveLength(mendedByReading);
    expect(again.rows).toHaveLength(badRows.length);
    expect(again.warnings).toEqual([]);
  });

  test('are taken once they are mended, and rejected again keep one set of notes', async () => {
    const rejected = await rejectedOf(`account_number,product.code,product.type\n1,FREE,current\n2,FREE,other`);
    const mended = rejected.replace('1,FREE,current', '1,FREE,checking');
    expect(recordsIn(await read(mended))).toEqual([
      { account_number: '1', product: { code: 'FREE', type: 'checking' } },
    ]);
    expect(await rejectedOf(mended)).toMatch(
      /^_row,_column,_reason,_line,account_number,product.code,product.type\n3,product.type,/,
    );
  });

  test('are taken as Excel saves them: with a byte order mark and semicolons', async () => {
    const rejected = await rejectedOf(`account_number,nickname,product.code,product.type\n1,Žluť,FREE,current\n`);
    const saved = rejected
      .replace('current', 'loan')
      .replace(/"must.*?"/, 'must be')
      .replaceAll(',', ';');
    for (const bytes of [Buffer.from(`\ufeff${saved}`), Buffer.from(`\ufeff${saved}`, 'utf16le')]) {
      const again = await read(bytes);
      expect([recordsIn(again).map(({ nickname }) => nickname), again.warnings]).toEqual([['Žluť'], []]);
    }
  });

  test('of NDJSON stand in a column that is read as such', async () => {
    const rejected = await rejectedOf(
      '{"account_number":"1","product":{"code":"A","type":"odd"}}\n{oops\n',
      'a.ndjson',
    );
    expect(faultsIn(await read(rejected))).toEqual([
      `2 product.type: ${types}`,
      '3 : is not a JSON object: not well-formed JSON',
    ]);
    expect(recordsIn(await read(rejected.replace('odd', 'loan')))).toEqual([
      { account_number: '1', product: { code: 'A', type: 'loan' } },
    ]);
  });
});
