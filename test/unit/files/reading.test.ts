import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../../lib/files/file.ts';
import { readMapping } from '../../../lib/files/mapping.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { cpuOf } from '../../support/cpu.ts';
import { runs } from '../../support/long-form.ts';
import { faultsIn, read, recordsIn } from './support.ts';

/** Possible texts of a cell: not empty, and without NUL and U+FFFD, which are rejected. */
const cell = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() !== '' && !/[\0\uFFFD]/.test(text));
const csvish = fc.string({
  unit: fc.constantFrom('a', '"', ',', '\n', '\r', ';', 'é', ' '),
  minLength: 1,
  maxLength: 12,
});
const value = fc.oneof(
  cell,
  csvish.filter((text) => text.trim() !== ''),
);

/** Without the C1 control characters and the words for no value, which are rejected in what identifies. */
const identity = value.filter(
  (text) => !/[\u0080-\u009F]/.test(text) && !/^(NULL|\(null\)|\\N|#N\/A|N\/A|NaN|None|nil|-)$/i.test(text.trim()),
);

const account = fc.record(
  {
    account_number: identity,
    contact: fc.record({ unique_id: identity, role: value }),
    product: fc.record({ code: identity, type: fc.constantFrom('checking', 'loan'), name: value }),
    nickname: value,
    balance: fc.integer().map((cents) => (cents / 100).toFixed(2)),
    number_transactions_last_30_days: fc.nat(),
    meta_public: fc.record({ 'car.make': value, __proto__: value }, { requiredKeys: [] }),
  },
  { requiredKeys: ['account_number', 'contact', 'product'] },
);

const columns = [
  ...['account_number', 'contact.unique_id', 'contact.role', 'product.code', 'product.type', 'product.name'],
  ...['nickname', 'balance', 'number_transactions_last_30_days', 'meta_public.car.make', 'meta_public.__proto__'],
];

function at(record: object, column: string): string {
  const [head = '', ...rest] = column.split('.');
  const outer: unknown = Object.entries(record).find(([name]) => name === head)?.[1];
  if (rest.length === 0) return outer === undefined ? '' : String(outer);
  return String(Object.entries(outer ?? {}).find(([name]) => name === rest.join('.'))?.[1] ?? '');
}

const csvOf = (records: object[], record_delimiter: string) =>
  stringify([columns, ...records.map((record) => columns.map((column) => at(record, column)))], {
    record_delimiter,
    quoted_match: /[\r\n]/,
  });

/** Without empty objects, which a file cannot express. */
const told = (record: object) => JSON.parse(JSON.stringify(record).replace(',"meta_public":{}', ''));
const inOrder = (record: object) => JSON.stringify(columns.map((column) => at(record, column)));

describe('any records', () => {
  test('come out of a CSV as they went in, however its bytes are cut', async () => {
    const file = fc.array(account, { minLength: 1, maxLength: 20 });
    const ends = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(file, ends, fc.integer({ min: 1, max: 200 }), fc.boolean(), async (records, end, part, gzip) => {
        const result = await read(csvOf(records, end), { part, gzip });
        expect(faultsIn(result)).toEqual([]);
        expect(recordsIn(result).map(inOrder)).toEqual(records.map(inOrder));
      }),
      { numRuns: runs(60) },
    );
  });

  test('come out of NDJSON as they went in, digits included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(account, { minLength: 1 }), fc.integer({ min: 1, max: 200 }), async (records, part) => {
        const lines = records.map((record) => JSON.stringify(record)).join('\n');
        const result = await read(lines, { part, name: 'a.jsonl' });
        expect(recordsIn(result).map(told)).toEqual(records.map(told));
      }),
      { numRuns: runs(40) },
    );
    const digits = await read(
      '{"account_number":"1","product":{"code":"A","type":"loan"},"balance":0.10000000000000000001}',
    );
    expect(JSON.stringify(recordsIn(digits)[0])).toContain('0.10000000000000000001');
  });
});

const header = 'account_number,contact.unique_id,product.code,product.type\n';
const rowOf = (n: number) => (n % 7 === 3 ? `${n},"stray\n` : `${n},c${n},FREE,checking\n`);
const manyRows = (count: number) => header + Array.from({ length: count }, (_, n) => rowOf(n)).join('');

describe('chunks', () => {
  test.each([
    ['rows with faults', `{"x":"${'a'.repeat(300_000)}\n`],
    ['rows that are mostly blank', `{"account_number":"1","contact":{"unique_id":"1"}${' '.repeat(300_000)}}\n`],
  ])('end before %s take much memory', async (_, line) => {
    const { chunks } = await read(line.repeat(10), { name: 'a.ndjson' });
    expect(chunks.map(({ rows }) => rows.length)).toEqual([3, 3, 3, 1]);
  });

  test('hold 500 rows by their place, whatever came of each', async () => {
    const { chunks } = await read(manyRows(1203));
    expect(chunks.map(({ isLast }) => isLast)).toEqual([false, false, true]);
    expect(chunks.map(({ index, rows }) => [index, rows.length])).toEqual([
      [0, 500],
      [1, 500],
      [2, 203],
    ]);
    expect(chunks[1]!.rows[0]!.line).toBe(502);
  });

  test('are the same however the bytes are cut', async () => {
    const content = manyRows(1203);
    const whole = await read(content, { part: content.length });
    for (const part of [1, 7, 333, 4096]) expect((await read(content, { part })).chunks).toEqual(whole.chunks);
  });

  test('end early where their records would not fit into a request', async () => {
    const wide = 'x'.repeat(1000);
    const lines = Array.from({ length: 500 }, (_, n) =>
      JSON.stringify({ account_number: `${n}`, more: [wide, wide, wide, wide, wide, wide, wide, wide, wide, wide] }),
    );
    const { chunks } = await read(lines.join('\n'));
    expect(chunks.length).toBeGreaterThan(1);
    for (const { rows } of chunks) {
      expect(JSON.stringify(rows.map(({ record }) => record)).length).toBeLessThan(4 * 1024 * 1024 - 1000);
    }
    expect(chunks.flatMap(({ rows }) => rows)).toHaveLength(500);
  });

  test.each([false, true])('go on from the place after any of them (gzip: %s)', async (gzip) => {
    const content = `\uFEFF${manyRows(1703)}`;
    const { chunks } = await read(content, { gzip });
    for (const { next, index } of chunks) {
      const place = JSON.parse(JSON.stringify(next));
      const rest = await read(gzip ? content : Buffer.from(content).subarray(next.offset), { gzip, place });
      expect(rest.chunks).toEqual(chunks.slice(index + 1));
    }
  });

  test('leave out blank lines, which cost next to nothing', async () => {
    const blank = ['\n', '\r\n', ' \t \n', ',,\n', '"",\n', ',,,,,,\n'];
    const file = `${header}1,c,FREE,checking\n${blank.join('')}2,c,FREE,"check\n\n,,\ning"\n${blank.join('')} `;
    for (const part of [1, 7, 1000]) {
      const { rows } = await read(file, { part });
      expect(rows.map(({ line, text }) => [line, text])).toEqual([
        [2, '1,c,FREE,checking'],
        [9, '2,c,FREE,"check\n\n,,\ning"'],
      ]);
    }
    expect((await read('{}\n,\n', { name: 'a.ndjson' })).rows).toHaveLength(2);
    for (const part of [1000, 4_000_000]) {
      expect((await read(`${header}${' '.repeat(1_100_000)}\n`, { part })).rows).toHaveLength(1);
    }
    const blanks = () => read(header + '\n,,\n'.repeat(1_500_000), { gzip: true });
    const took = await cpuOf(async () => expect((await blanks()).rows).toEqual([]));
    expect(took).toBeLessThan(1500);
  });

  test('are read as they are asked for, in memory that does not grow', async () => {
    let taken = 0;
    async function* endless() {
      yield Buffer.from(header);
      for (let n = 0; ; n++) {
        taken += 1;
        yield Buffer.from(Array.from({ length: 100 }, (_, at) => `${n}-${at},c,FREE,checking\n`).join(''));
      }
    }
    const { chunks } = await openFile(endless(), { kind: 'accounts' });
    const reader = chunks[Symbol.asyncIterator]();
    await reader.next();
    const before = taken;
    await reader.next();
    expect(taken - before).toBeLessThanOrEqual(6);
    await reader.return?.();
  });
});

describe('cells', () => {
  const contact = async (column: string, text: string) =>
    recordsIn(
      await read(
        stringify([
          ['unique_id', column],
          ['1', text],
        ]),
        { kind: 'contacts' },
      ),
    )[0];

  test.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['y', true],
    ['Yes', true],
    ['t', true],
    ['false', false],
    ['0', false],
    ['n', false],
    ['No', false],
    ['F', false],
  ])('%s is a flag', async (text, flag) => {
    expect(await contact('email_opted_in', text)).toEqual({ unique_id: '1', email_opted_in: flag });
  });

  test('anything else is no flag, and an empty one leaves it alone', async () => {
    const file = await read('unique_id,sms_opted_in\n1,maybe\n2,', { kind: 'contacts' });
    expect(faultsIn(file)).toEqual(['2 sms_opted_in: must be true or false']);
    expect(recordsIn(file)).toEqual([{ unique_id: '2' }]);
  });

  test.each([
    ['meta_private.district.id', '18', { meta_private: { 'district.id': '18' } }],
    ['meta_private', '{"a":{"b":1}}', { meta_private: { a: { b: 1 } } }],
    ['journey.template_id', 'abc', { journey: { template_id: 'abc' } }],
    ['loan.closed', '2024-01-01', { 'loan.closed': '2024-01-01' }],
    ['name_first', ' Jana ', { name_first: ' Jana ' }],
    ['phone_home', '+420 123', { phone_home: '+420 123' }],
  ])('of %s come to where the interface has it', async (column, text, expected) => {
    expect(await contact(column, text)).toEqual({ unique_id: '1', ...expected });
  });

  test('metadata that are no object are reported', async () => {
    const file = await read('unique_id,meta_public\n1,{oops\n2,plain', { kind: 'contacts' });
    expect(faultsIn(file)).toEqual(['2 meta_public: must be an object', '3 meta_public: must be an object']);
  });

  test('an account with a contact and nothing else is a mapping', async () => {
    const file = await read('account_number,contact.unique_id,product.code,product.type\n1,c1,,');
    expect(recordsIn(file)).toEqual([{ account_number: '1', contact: { unique_id: 'c1' } }]);
  });
});

describe('a mapping', () => {
  const mapping = readMapping(
    JSON.stringify({
      ACCT: 'account_number',
      CUST: 'contact.unique_id',
      PROD: 'product.code',
      TYP: { field: 'product.type', values: { D: 'checking', L: 'loan' } },
      FILLER: null,
      _constants: { 'contact.role': 'primary', number_transactions_last_30_days: 0 },
    }),
    'accounts',
  );
  const record = {
    account_number: '1',
    contact: { role: 'primary', unique_id: 'c1' },
    product: { code: 'FREE', type: 'checking' },
    number_transactions_last_30_days: 0,
  };

  test('gives columns their fields, codes their meaning and every record its constants', async () => {
    const file = await read('ACCT,CUST,PROD,TYP,FILLER\n1,c1,FREE,D,x\n2,c2,FREE,Q,x', { mapping });
    expect(recordsIn(file)).toEqual([record]);
    expect(faultsIn(file)).toEqual(['3 TYP: must be one of checking, savings, loan, lease, investment']);
    expect(file.warnings).toEqual([]);
  });

  test('renames the keys of NDJSON', async () => {
    const file = await read('{"ACCT":"1","CUST":"c1","PROD":"FREE","TYP":"D","FILLER":1}', { mapping });
    expect(recordsIn(file)).toEqual([record]);
  });

  test('that names a column which the file has not is noted', async () => {
    const file = await read('ACCT,CUST,PROD,TYP\n1,c1,FREE,D', { mapping });
    expect(file.warnings).toEqual(['the mapping names FILLER, but the file has no such column']);
  });

  test.each([
    ['oops', 'accounts', 'is not JSON'],
    ['[]', 'accounts', 'must be a JSON object'],
    ['{"A":1}', 'accounts', 'A must be the name of a field, null, or'],
    ['{"A":"acount_number"}', 'accounts', 'A names "acount_number", which is not a field of an account'],
    ['{"A":"unique_id","B":"unique_id"}', 'contacts', 'B names unique_id, which is already set by another entry'],
    ['{"_constants":{"x":"1"}}', 'contacts', '_constants names "x", which is not a field of a contact'],
  ] as const)('%s is refused', (text, kind, message) => {
    expect(() => readMapping(text, kind)).toThrow(message);
  });
});

test('repeats are found among many rows', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `${n},c${n},FREE,checking\n`).join('');
  const { notices } = await read(`${header}${rows}7,c7,FREE,checking\n`);
  expect(notices).toEqual(['repeated_row: 20002']);
});
