import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { findInFile, objectsOf, remainingText, searchText } from '../../../lib/operations/erasure/files.ts';
import { type PersonFacts, PersonWords } from '../../../lib/operations/erasure/words.ts';
import type { DropBoxFiles, StoredObject } from '../../../lib/store/drop-box/drop-box-files.ts';

const team = 'aaaaaaaa-0000-4000-8000-000000000001';
const other = 'aaaaaaaa-0000-4000-8000-000000000002';
const at = Date.parse('2026-03-01T12:00:00Z');

type Parts = readonly (string | Uint8Array | Error)[];

/** A bucket of objects with one version each, which arrive in these parts. An error ends the reading. */
class Bucket implements DropBoxFiles {
  readonly #objects: Record<string, Parts>;
  /** Readings that were opened and not closed. */
  open = 0;

  constructor(objects: Record<string, Parts>) {
    this.#objects = objects;
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    for (const [n, key] of Object.keys(this.#objects).entries()) {
      if (key.startsWith(prefix)) yield { key, version: 'v', at: at - n };
    }
  }

  async read(key: string) {
    const parts = this.#objects[key];
    if (!parts) return undefined;
    this.open++;
    const bytes = async function* () {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield Buffer.from(part);
      }
    };
    return Object.assign(bytes(), { destroy: () => void this.open-- });
  }

  write(): Promise<never> {
    throw new Error('a write');
  }
  remove(): Promise<never> {
    throw new Error('a removal');
  }
}

const personOf = (names: readonly string[], facts?: PersonFacts) => ({
  names: names.map((unique_id) => ({ unique_id })),
  facts,
  expected: [],
});

const find = async (key: string, parts: Parts, ...names: string[]) => {
  const bucket = new Bucket({ [key]: parts });
  const hit = await findInFile(bucket, { key, version: 'v', at }, personOf(names));
  expect(bucket.open).toBe(0);
  return hit && { lines: hit.lines, holds: hit.holds };
};
const linesIn = async (key: string, text: string, ...names: string[]) =>
  (await find(`${team}/${key}`, [text], ...names))?.lines ?? [];

describe('the rows that name a person', () => {
  const accounts = 'account_number,contact.unique_id,product.code,product.type';

  test.each<[what: string, key: string, rows: string[], name: string, lines: number[]]>([
    ['the unique_id of a contact', 'contacts/a.csv', ['unique_id,city', 'ann,Oslo', 'bob,ann'], 'ann', [2]],
    ['an email without a unique_id', 'contacts/a.csv', ['unique_id,email', ',a@x.org', 'bob,a@x.org'], 'a@x.org', [2]],
    [
      'an email beside a unique_id that is no text',
      'contacts/a.ndjson',
      ['{"unique_id":7,"email":"a@x.org"}', '{"email":"a@x.org"}'],
      'a@x.org',
      [1, 2],
    ],
    ['the contact of an account', 'accounts/a.csv', [accounts, '1,ann,C,checking', '2,bob,ann,checking'], 'ann', [2]],
    [
      'the contact of an account as an object or with a dot',
      'accounts/a.ndjson',
      [
        '{"account_number":"1","contact":{"unique_id":"ann"}}',
        '{"account_number":"2","contact.unique_id":"ann"}',
        '{"account_number":"3","contact":{"unique_id":"bob"},"unique_id":"ann"}',
        '{"account_number":"4","contact":"ann"}',
        '{"account_number":"5","nickname":"ann","product":{"code":"C","type":"checking"}}',
      ],
      'ann',
      [1, 2, 4],
    ],
    [
      'any word of a row that cannot be read',
      'contacts/a.ndjson',
      ['{"unique_id":"ann"', '["ann"]', '{"unique_id":"Joann"', '{"unique_id":"ann7"', '{"unique_id":"anné"'],
      'ann',
      [1, 2],
    ],
    [
      'a word with characters of regular expressions',
      'contacts/a.ndjson',
      ['{"unique_id":"a.(1)/[x]"', '{"unique_id":"ab(1)/[x]"'],
      'a.(1)/[x]',
      [1],
    ],
    [
      'no other word of a row that can be read, although it is invalid',
      'contacts/a.ndjson',
      ['{"unique_id":"bob","name_first":"ann","email":7}', '{"unique_id":"ann","email":7}'],
      'ann',
      [2],
    ],
    [
      'the cell of a row with characters that are refused',
      'contacts/a.csv',
      ['city, unique_id ,email', 'O\0,"a""nn",', 'O\0,,"a""nn"', 'O\0,bob,"a""nn"'],
      'a"nn',
      [2, 3],
    ],
    [
      'the cell of an account, and no other cell of such a row',
      'accounts/a.csv',
      [`${accounts},nickname`, '1,ann,C,checking,O\0', '2,bob,C,checking,ann\0', '3,O\0,C,checking,ann'],
      'ann',
      [2],
    ],
    [
      'any word of a row with refused characters and without a name',
      'contacts/a.csv',
      ['unique_id,city', ' ,ann\0', ',bob\0'],
      'ann',
      [2],
    ],
    ['a row with too many cells', 'contacts/a.csv', ['unique_id,city', 'bob,ann,x', 'bob,Oslo,x'], 'ann', [2]],
  ])('are found by %s', async (_, key, rows, name, lines) => {
    expect(await linesIn(key, `${rows.join('\n')}\n`, name)).toEqual(lines);
  });

  test('are found by each of several values', async () => {
    const rows = ['{"unique_id":"ann"', '{"unique_id":"bob"', '{"unique_id":"carl"'];
    expect(await linesIn('contacts/a.ndjson', rows.join('\n'), 'ann', 'bob')).toEqual([1, 2]);
  });

  test('are none in an object that was deleted', async () => {
    const object = { key: `${team}/contacts/a.csv`, version: 'v', at };
    expect(await findInFile(new Bucket({}), object, personOf(['ann']))).toBeUndefined();
    expect(await searchText(new Bucket({}), object, new PersonWords(new Set(['ann']), undefined))).toBeUndefined();
  });
});

describe('a file that cannot be read to its end', () => {
  const key = `${team}/contacts/a.csv.gz`;
  const rows = Array.from({ length: 12_000 }, (_, n) => `c-${n},${Math.sin(n)}`);
  const damaged = gzipSync(`unique_id,city\nann,Oslo\n${rows.join('\n')}\n`).subarray(0, -100);

  test('is a hit if a row named the person before', async () => {
    expect(await find(key, [damaged], 'ann')).toEqual({ lines: [2], holds: 'text' });
    expect(await find(key, [damaged], 'bob')).toBeUndefined();
  });

  test('is an error, and no hit, if the bucket failed', async () => {
    await expect(find(key, ['unique_id,city\nann,', new Error('reset')], 'ann')).rejects.toThrow('reset');
  });
});

describe('a file that cannot be read as rows', () => {
  const facts: PersonFacts = {
    name_first: 'Žofie',
    name_last: "O'Neil",
    email: 'zofie.o@example.com',
    phone_home: '15550101234',
    phone_mobile: '420770000123',
    phone_work: '5550',
  };
  const search = async (parts: Parts, uniqueId = 'zed-77') => {
    const bucket = new Bucket({ a: parts });
    const words = new PersonWords(new Set([uniqueId]), facts);
    const found = await searchText(bucket, { key: 'a', version: 'v', at }, words);
    expect(bucket.open).toBe(0);
    return found;
  };
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const long = Array.from({ length: 20_000 }, (_, n) => `other-${n},${Math.sin(n)}`).join('\n');
  const gzip = (text: string) => gzipSync(`${text}\n${long}`);
  const damaged = (bytes: Buffer) =>
    Buffer.concat([bytes.subarray(0, 50_000), Buffer.alloc(100, 0xff), bytes.subarray(50_100)]);
  const zip = Buffer.concat([Buffer.from('PK\x03\x04'), gzipSync(long)]);

  test.each<[what: string, Parts, found: 'text' | 'unknown' | undefined]>([
    ['with the unique_id as a cell', ['7;zed-77;x'], 'text'],
    ['with the unique_id as a word', ['the file of zed-77.'], 'text'],
    ['with the unique_id in an array of JSON', ['[{"unique_id":"zed-77"}]'], 'text'],
    [
      'with the letters of the unique_id in another one',
      ['zed-778,azed-77,zed-77-1,a_zed-77,zed-77@x.org,x.zed-77'],
      undefined,
    ],
    ['with the email', ['7,ZOFIE.O@example.com,x'], 'text'],
    ['with the email within another one', ['a.zofie.o@example.com,zofie.o@example.com.au'], undefined],
    ['with a phone', ['7,+420 770 000 123'], 'text'],
    ['with a phone with zeros', ['7,00420770000123'], 'text'],
    ['with a phone without its country code', ['7;(555) 010-1234;x'], 'text'],
    ['with the digits of a phone in a longer number', ['7,4207700001234,9420770000123'], undefined],
    ['with the digits of a phone that is too short', ['7,5550'], undefined],
    ['with the full name', ["7,Mrs,Žofie,O'Neil"], 'text'],
    ['with the full name, the last one first', ['"O\'Neil", Žofie'], 'text'],
    ['with the full name in JSON', ['{\n"name_first": "\\u017dofie",\n"name_last": "O\'Neil"}'], 'text'],
    ['with a first name alone', ['7,Žofie,Novák'], undefined],
    ['with the names of two persons', ["Novák,Žofie\nO'Neil,Jan"], undefined],
    ['in UTF-16', [utf16('\ufeffid;name\nzed-77;x')], 'text'],
    ['in UTF-16 without a mark', [utf16('id;name\nzed-77;x')], 'text'],
    ['in UTF-16 with the most significant byte first', [utf16('\ufeffid;name\nzed-77;x').swap16()], 'text'],
    ['in UTF-16 without the person', [utf16('\ufeffid;name\nzed-778;x')], undefined],
    ['in Latin-1', [Buffer.from("Jos\u00e9;x\nzed-77;O'Neil", 'latin1')], 'text'],
    ['compressed', [gzip('zed-77')], 'text'],
    ['compressed and cut off', [gzip('zed-77').subarray(0, 50_000)], 'text'],
    ['compressed and cut off after a few bytes', [gzipSync('zed-77,Zed,zed@x.org').subarray(0, -9)], 'text'],
    ['compressed and cut off, without the person', [gzip('zed-778').subarray(0, 50_000)], undefined],
    ['compressed and damaged after the person', [damaged(gzip('zed-77'))], 'text'],
    ['compressed and damaged, without the person', [damaged(gzip('zed-778'))], 'unknown'],
    ['as an archive', [zip], 'unknown'],
    ['encrypted', ['-----BEGIN PGP MESSAGE-----\nzed-77'], 'unknown'],
    ['without text', [gzipSync(gzip('x'))], 'unknown'],
    ['without anything', [], undefined],
  ])('is searched %s', async (_, parts, found) => {
    expect(await search(parts)).toBe(found);
  });

  test('names nobody with the noise of other formats', async () => {
    expect(await search([zip], 'b')).toBe('unknown');
    expect(await search(['x,bb\ncab,b@x.org'], 'b')).toBeUndefined();
  });

  test.each(['zed-77', 'Ž'.repeat(300), 'a"b'])('finds %s wherever a part ends', async (name) => {
    const bytes = Buffer.from(`x,${name.replace('"', '""')}\n${'y,'.repeat(2000)}`);
    for (let cut = 1; cut < Math.min(bytes.length, 700); cut += 7) {
      expect(await search([bytes.subarray(0, cut), bytes.subarray(cut)], name)).toBe('text');
    }
    expect(await search([...`${'y,'.repeat(2000)}${name}`], name)).toBe('text');
    expect(await search([...`${'y,'.repeat(2000)}${name}${name}`], name)).toBeUndefined();
  });
});

test('the columns of an expected file are those of its map, also of rows with errors', async () => {
  const key = `${team}/accounts/core.csv`;
  const bucket = new Bucket({ [key]: ['NR;WHO;CODE;TYPE\n1;ann;P;checking\n2;bob;ann;checking\n3;ann;P;nonsense\n'] });
  const map = '{"NR":"account_number","WHO":"contact.unique_id","CODE":"product.code","TYPE":"product.type"}';
  const expected = [
    {
      team_id: team,
      type: 'accounts' as const,
      by: '05:00',
      time_zone: 'UTC',
      map,
      inserted_at: '',
      last_arrival_at: null,
    },
  ];
  const hit = await findInFile(bucket, { key, version: 'v', at }, { ...personOf(['ann']), expected });
  expect(hit).toMatchObject({ holds: 'rows', lines: [2, 4] });
  const parts: string[] = [];
  for await (const part of remainingText(bucket, hit!)) parts.push(part);
  expect(parts.join('')).toBe('NR;WHO;CODE;TYPE\n2;bob;ann;checking\n');
});

test('the remaining text has the header and all other rows as they were', async () => {
  const text = 'unique_id;city\r\nann;"Oslo\n1"\r\n"bob";"Rio\n2"\r\ncarl;\r\n';
  const key = `${team}/contacts/a.csv`;
  const bucket = new Bucket({ [key]: [text] });
  const hit = { object: { key, version: 'v', at }, mapping: undefined, lines: [2], holds: 'rows' as const };
  const parts: string[] = [];
  for await (const part of remainingText(bucket, hit)) parts.push(part);
  expect(parts.join('')).toBe('unique_id;city\n"bob";"Rio\n2"\ncarl;\n');
});

test('the objects of a team are all but reports, dropped files first, oldest first', async () => {
  const keys = ['contacts/a.csv', 'accounts/b.csv.rejected.csv', 'products/p.csv', 'accounts/b.csv.remaining'];
  const without = ['contacts/folder/', 'contacts/a.csv.report.json'];
  const bucket = new Bucket(
    Object.fromEntries([
      ...[...keys, ...without].map((key) => [`${team}/${key}`, []]),
      [`${other}/contacts/a.csv`, []],
      [`work/${team}/contacts/a.csv`, []],
    ]),
  );
  const found = (await objectsOf(bucket, team)).map(({ key }) => key);
  expect(found).toEqual(
    ['products/p.csv', 'contacts/a.csv', 'accounts/b.csv.remaining', 'accounts/b.csv.rejected.csv'].map(
      (key) => `${team}/${key}`,
    ),
  );
});
