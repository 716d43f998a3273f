import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/domain/values/json.ts';
import type { FileKind } from '../../../lib/files/kinds.ts';
import { mappingOf } from '../../../lib/files/mapping.ts';
import { rejectedHeader, rejectedLine } from '../../../lib/files/rejected.ts';
import { mapText, uglyFiles } from '../../support/samples/ugly-files.ts';
import { faultsIn, type Read, read, recordsIn } from './support.ts';

const idOf = (record: JsonObject) => record.account_number ?? record.unique_id ?? record.email;
const idsIn = (file: Read) => recordsIn(file).map(idOf);
const contacts = (content: string | Buffer, map?: object, name = 'c.csv') =>
  read(content, { kind: 'contacts', name, mapping: mappingOf('contacts', map && JSON.stringify(map)) });
const accounts = (content: string | Buffer, map?: object, name = 'a.csv') =>
  read(content, { name, mapping: mappingOf('accounts', map && JSON.stringify(map)) });
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const product = 'product.code,product.type';

describe.each([false, true])('files as they arrive (gzip: %s)', (gzip) => {
  test.each(uglyFiles)('$name', async (ugly) => {
    const { bytes, kind, ids, rejected = 0, notices } = ugly;
    const whole = await read(bytes, { kind, gzip, mapping: mappingOf(kind, mapText(ugly)) });
    expect([idsIn(whole), whole.rows.length, whole.failure]).toEqual([ids, ids.length + rejected, undefined]);
    const expected = Object.entries(notices).map(([name, rows]) =>
      [name, rows.join(' ')].join(': ').replace(/: $/, ''),
    );
    expect(whole.notices).toEqual(expected);
    for (const part of [1, 7]) {
      expect((await read(bytes, { kind, gzip, part, mapping: mappingOf(kind, mapText(ugly)) })).chunks).toEqual(
        whole.chunks,
      );
    }
  });
});

describe('line ends are decided by the end of the header', () => {
  test.each([
    ['CR CR LF', 'unique_id,city\r\r\na,X\r\r\nb,Y\r\r\n', []],
    ['CR CR CR LF', 'unique_id,city\r\r\r\na,X\r\r\r\nb,Y\r\r\r\n', []],
    ['an LF after CR LF', 'unique_id,city\r\na,X\nb,Y\r\n', []],
    ['CR LF after LF', 'unique_id,city\na,X\r\nb,Y\r\n', []],
    ['CR', 'unique_id,city\ra,X\rb,Y\r', []],
    ['CR LF after CR', 'unique_id,city\ra,X\r\nb,Y\r\n', []],
    ['one LF after CR', 'unique_id,city\ra,X\rb,Y\n', []],
    ['a quoted CR in a header of LF', '"unique_id","ci\rty"\na,X\nb,Y\n', ['renamed_columns']],
    ['a cut between CR and LF', 'unique_id,city\r\na,X\r\nb,Y\r', ['cut_last_line: 3']],
  ])('%s', async (_, content, notices) => {
    const file = await contacts(content);
    expect([idsIn(file), file.notices, faultsIn(file)]).toEqual([['a', 'b'], notices, []]);
    expect(recordsIn(file).map((record) => Object.values(record).at(-1))).toEqual(['X', 'Y']);
  });

  test('another CR is data, and noted in what identifies', async () => {
    const file = await contacts('unique_id,city\na\rb,X\rY\n"c\r",Z\n');
    expect(recordsIn(file)).toEqual([
      { unique_id: 'a\rb', city: 'X\rY' },
      { unique_id: 'c\r', city: 'Z' },
    ]);
    expect(file.notices).toEqual(['id_invisible: 2 3']);
  });

  test('in quotes they are data, also across parts', async () => {
    for (const part of [1, 2, 1000]) {
      const file = await read('unique_id,city\r"a","X\r\nY"\rb,"Z\n\rW"\r', { kind: 'contacts', part });
      expect(recordsIn(file).map(({ city }) => city)).toEqual(['X\r\nY', 'Z\n\rW']);
    }
  });
});

test.each([
  ['0x1A', '\x1a'],
  ['0x1A on a line of its own', '\n\x1a\r\n'],
  ['NUL', '\0\0\0'],
  ['much padding', '\0'.repeat(3_000_000)],
  ['both', '\n\x1a\0\0\n'],
])('%s at the end is no data, in the middle it is', async (_, mark) => {
  const file = await contacts(`unique_id,city\na,X\nb,Y${mark}`);
  expect(recordsIn(file).at(-1)).toEqual({ unique_id: 'b', city: 'Y' });
  expect(file.rows).toHaveLength(2);
  expect((await contacts(`unique_id,city\na\x1a,X\nb,Y\n`)).notices).toEqual(['id_invisible: 2']);
});

describe('lines that are no rows', () => {
  test.each([
    ['the header twice', 'unique_id,city\nunique_id,city\na,X\n', ['repeated_header: 2'], undefined],
    [
      'three files with marks',
      '\ufeffunique_id\na\n\ufeffunique_id\n\ufeff unique_id \nb\n',
      ['repeated_header: 3 4'],
      undefined,
    ],
    ['hyphens without quotes', 'unique_id,city\n----------------\na,X\n', ['hyphens: 2'], undefined],
    ['hyphens as of psql', 'unique_id|city\n---------+-----\na|X\n', ['hyphens: 2'], undefined],
    [
      'hyphens under the second header',
      'unique_id,city\na,X\nunique_id,city\n--,--\nb,X\n',
      ['repeated_header: 3', 'hyphens: 4'],
      undefined,
    ],
    ['a header alone', 'unique_id,city\n', ['no_rows'], undefined],
    [
      'only headers',
      'unique_id\nunique_id\n',
      ['repeated_header: 2'],
      'The file has lines under its header, but none of them is a row.',
    ],
    ...['\u0085', '\u2028', '\v'].map((end): [string, string, string[], string] => [
      `lines that end in ${JSON.stringify(end)}`,
      `unique_id,city${end}a,X${end}b,Y${end}`,
      [],
      'The file is one line: it has other line ends than LF, CR LF or CR, such as U+0085. Convert them, and send the file again.',
    ]),
    [
      'only hyphens',
      'unique_id\n---------\n',
      ['hyphens: 2'],
      'The file has lines under its header, but none of them is a row.',
    ],
  ])('%s', async (_, content, notices, failure) => {
    const file = await contacts(content);
    expect([file.notices, file.failure, faultsIn(file)]).toEqual([notices, failure, []]);
  });

  test('are counted once where reading continues after any chunk', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => `r${n}\n`).join('');
    const content = `unique_id\n${rows}unique_id\n---\nlast\nunique_id\n`;
    const whole = await contacts(content);
    expect(whole.notices).toEqual(['repeated_header: 502 505', 'hyphens: 503']);
    for (const { next, index } of whole.chunks) {
      const rest = await read(Buffer.from(content).subarray(next.offset), { kind: 'contacts', place: next });
      expect(rest.chunks).toEqual(whole.chunks.slice(index + 1));
    }
  });

  test('hyphens among rows are rows also where reading continues at them', async () => {
    const content = `unique_id\n${Array.from({ length: 500 }, (_, n) => `r${n}\n`).join('')}---\n`;
    const [first, second] = (await contacts(content)).chunks;
    const rest = await read(content.slice(first!.next.offset), { kind: 'contacts', place: first!.next });
    expect([idsIn(rest), rest.chunks]).toEqual([['---'], [second]]);
  });

  test('hyphens among rows are rows, and one hyphen is a word for nothing', async () => {
    expect(idsIn(await contacts('unique_id,city\na,X\n---,-\n'))).toEqual(['a', '---']);
    expect(faultsIn(await contacts('unique_id,city\n-,-\n'))).toHaveLength(1);
  });
});

describe('the header', () => {
  test.each([
    'Unique_ID',
    'UNIQUE_ID',
    'unique id',
    'Unique-Id',
    'uniqueid',
    '\u200bunique_id',
    ' unique\u00a0id ',
    'unique\u00adid',
  ])('names the id as %j', async (name) => {
    const file = await contacts(`${name},email\na,e@x.org\n`);
    expect([recordsIn(file), file.notices]).toEqual([[{ unique_id: 'a', email: 'e@x.org' }], ['renamed_columns']]);
  });

  test('has the keys of metadata as they are written', async () => {
    const [record] = recordsIn(await contacts('unique_id,META_PUBLIC.Branch,Meta-Private.My Key\na,B,C\n'));
    expect(record).toEqual({ unique_id: 'a', meta_public: { Branch: 'B' }, meta_private: { 'My Key': 'C' } });
  });

  test.each([
    ['unique_id,Unique_ID\na,b\n', 'More than one column fills unique_id. Keep one of them.'],
    ['ACCT,E-Mail,email\na,b,c\n', 'More than one column fills email. Keep one of them.'],
    ['CUST_NO,FNAME\n1,Ann\n', 'has the name of a field: CUST_NO, FNAME. Map its columns to fields with --map;'],
    [
      'Jane,Doe,Prague\n',
      'None of its 3 columns has the name of a field: is the header line missing? If it is there, map its columns to fields with --map.',
    ],
    ['c-1001,Jane\n', 'is the header line missing?'],
    ['unique_id^email^city\na^b^c\n', 'They seem to be separated by "^": name it in a map, as {"_delimiter": "^"}'],
    ['unique_id\x01email\na\x01b\n', 'They seem to be separated by "\\u0001"'],
    ['CUST~FIRST~LAST\na~b~c\n', 'They seem to be separated by "~"'],
    ['CUSTNO    FIRST     LAST\n000001    Jane      Doe\n', 'seem to have a fixed width'],
  ])('%j is refused', async (content, message) => {
    await expect(contacts(content)).rejects.toThrow(message);
  });

  test('of a map is exact, and of NDJSON too, where near misses are noted', async () => {
    const map = { Kunde: 'unique_id' };
    await expect(contacts('KUNDE,b\na,b\n', map)).rejects.toThrow('no column for unique_id');
    const lines = ['{"unique_id":"a","Email":"x"}', '{"unique_id":"b","name first":"y"}', '{"Unique_ID":"c"}'];
    const file = await contacts(`${lines.join('\n')}\n`, undefined, 'a.ndjson');
    expect([idsIn(file), file.notices]).toEqual([['a', 'b'], ['near_key: 1 2 3']]);
    const nested = '{"account_number":"1","contact":{"Unique_Id":"x"},"product":{"code":"a","type":"loan"}}\n';
    expect((await accounts(nested, undefined, 'a.ndjson')).notices).toEqual(['near_key: 1']);
    // A field of contacts is none of accounts.
    const other = '{"account_number":"1","Email":"x","product":{"code":"a","type":"loan"}}\n';
    expect((await accounts(other, undefined, 'a.ndjson')).notices).toEqual([]);
  });
});

describe('what identifies', () => {
  const words = ['NULL', 'null', '(null)', '\\N', '#N/A', 'n/a', 'NaN', 'None', 'nil', '-', ' NULL '];
  test.each(words)('is not %j', async (word) => {
    const csv = await contacts(`unique_id,email\n${word},e@x.org\n`);
    const json = await contacts(`${JSON.stringify({ unique_id: word })}\n`, undefined, 'a.ndjson');
    const email = await contacts(`unique_id,email\n,${word}\n`);
    const account = await accounts(`account_number,contact.unique_id\n${word},${word}\n`);
    const columns = [csv, json, email, account].map(({ rows }) => rows[0]!.errors.map(({ column }) => column));
    expect(columns).toEqual([['unique_id'], ['unique_id'], ['email'], ['account_number', 'contact.unique_id']]);
    const elsewhere = await contacts(`unique_id,email,city\na,e@x.org,${word}\n`);
    expect([idsIn(elsewhere), elsewhere.notices]).toEqual([['a'], ['word_for_nothing: 2']]);
  });

  test.each([
    ['another id', 'cif-0', ['cif-0']],
    ['itself', 'NULL', ['NULL']],
    ['nothing', '', ['e@x.org']],
  ])('is what the map says of a word: %s', async (_, value, ids) => {
    const map = { unique_id: { field: 'unique_id', values: { NULL: value } } };
    const csv = await contacts('unique_id,email\nNULL,e@x.org\n', map);
    const json = await contacts('{"unique_id":"NULL","email":"e@x.org"}\n', map, 'a.ndjson');
    const idOrEmail = recordsIn(json).map((record) => record.unique_id || record.email);
    expect([idsIn(csv), csv.notices, idOrEmail]).toEqual([ids, [], ids]);
  });

  test.each([
    ['1001.0', 'id_decimal'],
    ['1001.00', 'id_decimal'],
    ['1.23457E+11', 'id_scientific'],
    [' cif-1', 'id_spaces'],
    ['cif-1\u3000', 'id_spaces'],
    ['cif\u200b-1', 'id_invisible'],
    ['cif-1\u00ad', 'id_invisible'],
    ['\ufeffcif-1', 'id_invisible'],
    ['c\tif', 'id_invisible'],
    ['="0012"', 'id_formula'],
    ["'0012", 'id_apostrophe'],
    ['\u20190012', 'id_apostrophe'],
  ])('as %j is kept and noted', async (id, kind) => {
    const file = await contacts(`unique_id,city\n${id},X\nplain-1,Y\n`);
    expect([idsIn(file), file.notices]).toEqual([[id, 'plain-1'], [`${kind}: 2`]]);
    const account = await accounts(`account_number,contact.unique_id\n1,${id}\n`);
    expect(account.notices).toEqual([`${kind}: 2`]);
  });

  test('may be an empty cell of its column, which is counted', async () => {
    const file = await contacts('unique_id,email\na,x@x.org\n,y@x.org\n  ,z@x.org\n');
    expect([idsIn(file).length, file.notices]).toEqual([3, ['empty_id: 3 4']]);
    const account = await accounts(`account_number,contact.unique_id,${product}\n1,,F,loan\n`);
    expect(account.notices).toEqual(['empty_id: 2']);
    expect((await contacts('email\nx@x.org\n')).notices).toEqual([]);
  });

  test('is repeated also by the email that stands for it', async () => {
    expect((await contacts('email\nx@x.org\nx@x.org\n')).notices).toEqual(['repeated_row: 3']);
  });

  test('never has C1 control characters, which are noted elsewhere', async () => {
    const file = await contacts('unique_id,city\na\u0092,X\nb,W\u0092\n');
    expect([faultsIn(file).length, file.notices]).toEqual([1, ['control_characters: 3']]);
    const json = await contacts('{"unique_id":"a","city":"W\\u0092"}\n', undefined, 'a.ndjson');
    expect(json.notices).toEqual(['control_characters: 1']);
  });
});

describe('encodings', () => {
  const text = 'unique_id,city\na,Přerov\nb,Žďár\n';
  const cities = ['Přerov', 'Žďár'];
  const utf16be = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  test.each<[string, Buffer, object | undefined, string[]]>([
    ['UTF-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le'), undefined, cities],
    ['UTF-16 BE', utf16be, undefined, cities],
    ['UTF-16 whose label is another', utf16be, { _encoding: 'windows-1252' }, cities],
    ['windows-1250', latin1('unique_id,city\na,P\xf8erov\nb,\x8e\xef\xe1r\n'), { _encoding: 'windows-1250' }, cities],
    ['iso-8859-2', latin1('unique_id,city\na,P\xf8erov\nb,\xae\xef\xe1r\n'), { _encoding: 'latin2' }, cities],
    ['ibm866', latin1('unique_id,city\na,\x8c\xae\xe1\n'), { _encoding: 'ibm866' }, ['Мос']],
    ['shift_jis', latin1('unique_id,city\na,\x93\x8c\x8b\x9e\n'), { _encoding: 'shift_jis' }, ['東京']],
  ])('%s', async (_, bytes, map, expected) => {
    for (const gzip of [false, true]) {
      const mapping = mappingOf('contacts', map && JSON.stringify(map));
      const file = await read(bytes, { kind: 'contacts', gzip, part: 3, mapping });
      expect([recordsIn(file).map(({ city }) => city), file.notices]).toEqual([expected, []]);
    }
  });

  test('what an encoding does not have is rejected, and a header that is not UTF-8 names --encoding', async () => {
    const file = await contacts(latin1('unique_id,city\na,\x81\nb,X\n'), { _encoding: 'shift_jis' });
    expect([idsIn(file), faultsIn(file).length]).toEqual([['b'], 1]);
    const lines = latin1('{"unique_id":"a","city":"\x81"}\n{"unique_id":"b"}\n');
    const json = await contacts(lines, { _encoding: 'shift_jis' }, 'a.ndjson');
    expect([idsIn(json), faultsIn(json).length]).toEqual([['b'], 1]);
    await expect(contacts(latin1('unique_id,M\xe9\na,b\n'))).rejects.toThrow('as --encoding windows-1252');
    expect(() => mappingOf('contacts', '{"_encoding":"utf-99"}')).toThrow('_encoding must be an encoding');
  });

  test('rejected rows are as windows-1252 reads them, and are taken when they are sent again', async () => {
    const bytes = Buffer.concat([
      latin1('unique_id,name_last,city\na,O\x92Brien,\x81\n'),
      Buffer.from('b,Dvořák,'),
      latin1('Caf\xe9\n'),
    ]);
    const { chunks, rows } = await contacts(bytes);
    const { layout } = chunks[0]!.next;
    const rejected = rejectedHeader(layout) + rows.map((row) => rejectedLine(layout, row, row.errors)).join('');
    expect(rejected).toContain(',a,O’Brien,\\x81\n');
    const again = await contacts(rejected, {
      _encoding: 'windows-1250',
      _delimiter: ';',
      _trailer: { prefix: 'T', count: 1 },
    });
    expect(recordsIn(again).map(({ name_last, city }) => [name_last, city])).toEqual([
      ['O’Brien', '\\x81'],
      ['Dvořák', 'Café'],
    ]);
    expect(again.failure).toBeUndefined();
  });

  test('reading continues in the middle of a file in another encoding', async () => {
    const rows = Array.from({ length: 1100 }, (_, n) => `c-${n},Žďár ${n}\n`).join('');
    const bytes = Buffer.from(`\ufeffunique_id,city\n${rows}`, 'utf16le');
    const { chunks } = await contacts(bytes);
    for (const { next, index } of chunks) {
      const rest = await read(bytes, { kind: 'contacts', place: JSON.parse(JSON.stringify(next)) });
      expect(rest.chunks).toEqual(chunks.slice(index + 1));
    }
  });
});

describe('formats', () => {
  const dated = async (dates: string | undefined, ...cells: string[]) => {
    const rows = cells.map((cell, n) => `${n},F,loan,"${cell}"\n`).join('');
    const file = await accounts(
      `account_number,${product},opened_date\n${rows}`,
      dates ? { _dates: dates } : undefined,
    );
    return file.rows.map(({ record, errors }) => (errors.length > 0 ? null : record.opened_date));
  };
  test.each([
    ['MM/DD/YYYY', ['11/27/2026', '2/3/2026', '2026-11-27', '13/01/2026'], ['2026-11-27', null, null, null]],
    ['DD.MM.YYYY', ['27.11.2026', '27.11.26', '27/11/2026'], ['2026-11-27', null, null]],
    ['YYYYMMDD', ['20261127', '20260230', '2026112'], ['2026-11-27', null, null]],
    ['D/M/YYYY', ['3/2/2026', '03/02/2026'], ['2026-02-03', '2026-02-03']],
    ['DD-MMM-YYYY', ['27-NOV-2026', '27-Foo-2026'], ['2026-11-27', null]],
    ['YYYYMMDD HH:mm:ss', ['20261127 10:20:30', '20261127'], ['2026-11-27T10:20:30', null]],
    [undefined, ['2026-11-27', '11/27/2026'], ['2026-11-27', null]],
  ])('dates as %s', async (form, cells, expected) => {
    expect(await dated(form, ...cells)).toEqual(expected);
  });

  const numbered = async (numbers: string, ...cells: string[]) => {
    const rows = cells.map((cell, n) => `${n},F,loan,"${cell}"\n`).join('');
    const file = await accounts(`account_number,${product},balance\n${rows}`, { _numbers: numbers });
    return file.rows.map(({ record, errors }) => (errors.length > 0 ? null : record.balance));
  };
  const bad = ['10 CR', '5 DR', 'USD 5', '1,2,3', '1.2E5', '--5', '(-5)', '$5$', '5%'];
  test.each([
    [
      '1,234.50',
      ['1,204.50', '$10.00', '(25.00)', '10-', '-$5', '($1,000.50)', '12345678901234567890.123456789'],
      ['1204.50', '10.00', '-25.00', '-10', '-5', '-1000.50', '12345678901234567890.123456789'],
    ],
    ['1.234,50', ['1.204,50', '10,00 €', '1.204', '1,204.50'], ['1204.50', '10.00', '1204', null]],
    ['1 234,50', ['1 204,50', '1\u00a0204,5', '1\u202f204', '1.204,50'], ['1204.50', '1204.5', '1204', null]],
    ["1'234.50", ["1'204.50", '1’204', '1,204'], ['1204.50', '1204', null]],
  ])('numbers as %s, to the digit', async (form, cells, expected) => {
    expect(await numbered(form, ...cells)).toEqual(expected);
    expect(await numbered(form, ...bad)).toEqual(bad.map(() => null));
  });

  test('are those of a column where it names them, of whole numbers and NDJSON too, and not of the map', async () => {
    const map = {
      A: 'account_number',
      C: 'closed_date',
      N: 'number_transactions_last_30_days',
      O: { field: 'opened_date', dates: 'YYYYMMDD', values: { '00000000': '', '99999999': '2020-01-01' } },
      _dates: 'DD.MM.YYYY',
      _numbers: '1,234.50',
      _constants: { 'product.code': 'F', 'product.type': 'loan', balance: '1.5' },
    };
    const expected = { account_number: '1', closed_date: '2026-11-28', opened_date: '2026-11-27' };
    const whole = { ...expected, number_transactions_last_30_days: 1204, balance: '1.5' };
    const csv = await accounts('A,C,N,O\n1,28.11.2026,"1,204",20261127\n2,,,00000000\n3,,,99999999\n', map);
    expect(recordsIn(csv)[0]).toMatchObject(whole);
    expect(recordsIn(csv).map(({ opened_date }) => opened_date)).toEqual(['2026-11-27', undefined, '2020-01-01']);
    const json = await accounts('{"A":"1","C":"28.11.2026","N":"1,204","O":"20261127"}\n', map, 'a.ndjson');
    expect(recordsIn(json)).toMatchObject([whole]);
  });

  test('of dates are also those of a key of an objective, whose words stay', async () => {
    const file = await contacts('unique_id,key\na,03/01/2026\nb,Yes \nc,31/12/2026\n', { _dates: 'MM/DD/YYYY' });
    expect(recordsIn(file).map(({ key }) => key)).toEqual(['2026-03-01', 'Yes', '2026-31-12']);
    expect(file.notices).toEqual(['objective_cell: 4']);
  });

  test.each(['^', '~', '\x01', '||'])('a delimiter %j is named by the map', async (delimiter) => {
    const content = ['unique_id,city', 'a,X', 'b,"Y"'].join('\n').replaceAll(',', delimiter);
    expect(recordsIn(await contacts(`${content}\n`, { _delimiter: delimiter }))).toMatchObject([
      { city: 'X' },
      { city: 'Y' },
    ]);
  });

  test('dates that mean none are noted', async () => {
    const rows = ['1,F,loan,1899-12-31,', '2,F,loan,,1753-01-01', '3,F,loan,1910-01-01,'];
    const file = await accounts(`account_number,${product},opened_date,closed_date\n${rows.join('\n')}\n`);
    expect(file.notices).toEqual(['old_date: 2 3']);
    const born = await contacts('unique_id,birthdate\na,1900-01-01\nb,0001-01-01\nc,1905-03-04\n');
    expect(born.notices).toEqual(['old_date: 2 3']);
  });
});

describe('a trailer', () => {
  const map = { _trailer: { prefix: 'TRL', count: 2 } };
  test.each([
    ['says the rows, accepted and rejected', 'a,X\n-,Y\nTRL,0002\n', 2, undefined],
    ['without a line end', 'a,X\nTRL,1', 1, undefined],
    ['of a file without rows', 'TRL,0\n', 0, undefined],
    ['says more', 'a,X\nTRL,5\n', 1, 'The last line says 5 rows, but the file has 1.'],
    ['says no number', 'a,X\nTRL,\n', 1, 'The file has 1 rows, but cell 2 of its last line is not their number.'],
    ['is absent', 'a,X\nb,Y\n', 2, 'The file has 2 rows, but no last line that begins with "TRL".'],
    ['in the middle is a row', 'a,X\nTRL,1\nb,Y\nTRL,3\n', 3, undefined],
  ])('that %s', async (_, rows, count, failure) => {
    const file = await contacts(`unique_id,city\n${rows}`, map);
    expect(file.rows).toHaveLength(count);
    expect(file.failure).toEqual(failure && expect.stringContaining(failure));
  });
});

describe('a broken transfer', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => `c-${n},City ${n}\n`).join('');
  const content = `unique_id,city\n${rows(1200)}`;
  const whole = gzipSync(content);

  test.each(['\n', '\r\n', ' \n\x1a', '\0'.repeat(600)])('a whole gzip member before %j is noted', async (tail) => {
    for (const part of [1, 1000]) {
      const file = await read(Buffer.concat([whole, Buffer.from(tail)]), { kind: 'contacts', part });
      expect([file.rows.length, file.notices, file.failure]).toEqual([1200, ['after_gzip'], undefined]);
    }
  });

  test.each(['x', '</html>\n', '\n\x1f'])('other data after it (%j) fail the file, with every row', async (tail) => {
    const file = await contacts(Buffer.concat([whole, Buffer.from(tail)]));
    expect([file.rows.length, file.failure]).toEqual([1200, expect.stringContaining('Other data follow')]);
  });

  test('several members are one file, also with a name and a comment', async () => {
    const named = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 0x18, 0, 0, 0, 0, 0, 3]),
      Buffer.from('a.csv\0said\0'),
      gzipSync('last,City\n').subarray(10),
    ]);
    expect((await read(Buffer.concat([whole, named]), { kind: 'contacts', part: 11 })).rows).toHaveLength(1201);
  });

  test('a cut gzip file has every row before the cut', async () => {
    const stored = gzipSync(content, { level: 0 });
    for (const length of [100, 5000, 12_000, stored.length - 9, stored.length - 1]) {
      const file = await contacts(stored.subarray(0, length));
      const before = content.slice(0, Math.max(0, length - 15)).split('\n').length - 2;
      expect(file.rows.length).toBeGreaterThanOrEqual(Math.min(before, 1200) - 1);
      expect(file.rows.every(({ record }, n) => record.city === `City ${n}`)).toBe(true);
      expect(file.failure).toContain('gzip data is damaged or ends too early');
    }
  });

  test.each([
    ['in a cell', 'a,X\nb,"Y', 1],
    ['in a cell of several lines', 'a,X\nb,"Main St 1\nPrague, CZ', 1],
    ['after a line end in a cell', 'a,X\nb,"Main St 1\n', 1],
  ])('a cut in quotes fails the file, with the rows before it: %s', async (_, text, count) => {
    const file = await contacts(`unique_id,city\n${text}`);
    expect([recordsIn(file).length, file.rows.length]).toEqual([count, count + 1]);
    expect(file.failure).toContain('ends inside quotes');
    const again = await read('', { kind: 'contacts', place: file.chunks.at(-1)!.next });
    expect([again.rows, again.failure]).toEqual([[], file.failure]);
  });

  test.each([
    ['before whole rows', 'a,"X\nb,Y\nc,Z\n', ['b', 'c']],
    ['inside a cell', 'a,X"\nb,Y\n', ['b']],
  ])('a quote that closes nowhere costs its row: %s', async (_, text, ids) => {
    const file = await contacts(`unique_id,city\n${text}`);
    expect([idsIn(file), file.failure]).toEqual([ids, undefined]);
  });

  test.each<[string, string | Buffer, string]>([
    ['}{', '{"unique_id":"a"}{"unique_id":"b"}\n', 'follow one another as }{'],
    ['armoured PGP', '-----BEGIN PGP MESSAGE-----\n\nhQEMA\n', 'PGP data'],
    ['binary PGP', Buffer.from('85020c03aabbccddeeff0011', 'hex'), 'PGP data'],
    ['PGP with a password', Buffer.from('8c0d040703020102030405', 'hex'), 'PGP data'],
    ['a zip', 'PK\x03\x04\x14\0', 'zip archive'],
    ['an empty zip', 'PK\x05\x06\0\0', 'zip archive'],
    ['a tar', `${'a.csv'.padEnd(257, '\0')}ustar\0`, 'an archive'],
    ['what is compressed twice', gzipSync(gzipSync('unique_id\na\n')), 'gzip data in gzip data'],
  ])('%s is named', async (_, bytes, message) => {
    await expect(contacts(bytes, undefined, 'c.txt')).rejects.toThrow(message);
    await expect(contacts(gzipSync(bytes), undefined, 'c.txt')).rejects.toThrow(message);
  });

  test('}{ on a later line rejects the line', async () => {
    const file = await contacts('{"unique_id":"a"}\n{"unique_id":"b"} {"unique_id":"c"}\n', undefined, 'a.ndjson');
    expect([idsIn(file), faultsIn(file)]).toEqual([['a'], [expect.stringContaining('}{')]]);
  });
});

test.each<[FileKind, string]>([
  ['contacts', 'unique_id\na\nb'],
  [
    'accounts',
    '{"account_number":"1","contact":{"unique_id":"a"}}\n{"account_number":"2","contact":{"unique_id":"a"}}',
  ],
])('a last line without a line end is noted (%s)', async (kind, text) => {
  const name = kind === 'accounts' ? 'a.ndjson' : 'a.csv';
  const [cut, whole] = [await read(text, { kind, name }), await read(`${text}\n`, { kind, name })];
  expect([cut.notices, whole.notices]).toEqual([[`cut_last_line: ${kind === 'accounts' ? 2 : 3}`], []]);
  expect(recordsIn(cut)).toEqual(recordsIn(whole));
});
