import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { containsText, findInFile, objectsOf, remainingText } from '../../../lib/operations/person/files.ts';
import type { DropBoxFiles, StoredObject } from '../../../lib/store/drop-box-files.ts';

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

const find = async (key: string, parts: Parts, ...names: string[]) => {
  const bucket = new Bucket({ [key]: parts });
  const hit = await findInFile(
    bucket,
    { key, version: 'v', at },
    names.map((unique_id) => ({ unique_id })),
  );
  expect(bucket.open).toBe(0);
  return hit && { lines: hit.lines, isUnreadable: hit.isUnreadable };
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

  test('are not searched in a report or an object of another kind', async () => {
    for (const key of ['contacts/a.csv.report.json', 'images/a.csv']) {
      expect(await find(`${team}/${key}`, ['unique_id\nann\n'], 'ann')).toBeUndefined();
    }
  });

  test('are none in an object that was deleted', async () => {
    const object = { key: `${team}/contacts/a.csv`, version: 'v', at };
    expect(await findInFile(new Bucket({}), object, [{ unique_id: 'ann' }])).toBeUndefined();
    expect(await containsText(new Bucket({}), object, new Set(['ann']))).toBe(false);
  });
});

describe('a file that cannot be read to its end', () => {
  const key = `${team}/contacts/a.csv.gz`;
  const rows = Array.from({ length: 12_000 }, (_, n) => `c-${n},${Math.sin(n)}`);
  const damaged = gzipSync(`unique_id,city\nann,Oslo\n${rows.join('\n')}\n`).subarray(0, -100);

  test('is a hit if a row named the person before', async () => {
    expect(await find(key, [damaged], 'ann')).toEqual({ lines: [2], isUnreadable: true });
    expect(await find(key, [damaged], 'bob')).toBeUndefined();
  });

  test('is an error, and no hit, if the bucket failed', async () => {
    await expect(find(key, ['unique_id,city\nann,', new Error('reset')], 'ann')).rejects.toThrow('reset');
  });
});

describe('a text in an object', () => {
  const has = async (parts: Parts, ...names: string[]) => {
    const bucket = new Bucket({ a: parts });
    const found = await containsText(bucket, { key: 'a', version: 'v', at }, new Set(names));
    expect(bucket.open).toBe(0);
    return found;
  };

  test.each([
    ['in one part', ['x ann x']],
    ['at the end of a part', ['x ann', 'x']],
    ['across two parts', ['x a', 'nn x']],
    ['across many parts', [...'x ann x']],
  ])('is found %s', async (_, parts) => {
    expect(await has(parts, 'ann')).toBe(true);
    expect(await has(parts, 'bob', 'ann')).toBe(true);
    expect(await has(parts, 'bob')).toBe(false);
  });

  test('is found with characters of several bytes, wherever a part ends', async () => {
    const bytes = Buffer.from('x Žofie x');
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(await has([bytes.subarray(0, cut), bytes.subarray(cut)], 'Žofie')).toBe(true);
    }
  });
});

test('the remaining text has the header and all other rows as they were', async () => {
  const text = 'unique_id;city\r\nann;"Oslo\n1"\r\n"bob";"Rio\n2"\r\ncarl;\r\n';
  const key = `${team}/contacts/a.csv`;
  const bucket = new Bucket({ [key]: [text] });
  const hit = { object: { key, version: 'v', at }, kind: 'contacts' as const, lines: [2], isUnreadable: false };
  const parts: string[] = [];
  for await (const part of remainingText(bucket, hit)) parts.push(part);
  expect(parts.join('')).toBe('unique_id;city\n"bob";"Rio\n2"\ncarl;\n');
});

test('the objects of a team are those with rows, dropped files first, oldest first', async () => {
  const keys = ['contacts/a.csv', 'accounts/b.csv.rejected.csv', 'accounts/b.csv', 'accounts/b.csv.remaining'];
  const without = ['contacts/folder/', 'contacts/a.csv.report.json', 'images/logo.png', 'contacts'];
  const bucket = new Bucket(
    Object.fromEntries([
      ...[...keys, ...without].map((key) => [`${team}/${key}`, []]),
      [`${other}/contacts/a.csv`, []],
      [`work/${team}/contacts/a.csv`, []],
    ]),
  );
  const found = (await objectsOf(bucket, team)).map(({ key }) => key);
  expect(found).toEqual(
    ['accounts/b.csv', 'contacts/a.csv', 'accounts/b.csv.remaining', 'accounts/b.csv.rejected.csv'].map(
      (key) => `${team}/${key}`,
    ),
  );
});
