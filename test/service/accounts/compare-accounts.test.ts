import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Comparison } from '../../../bin/admin/operations/accounts/compare-accounts.ts';
import { openFile } from '../../../lib/files/file.ts';
import type { Item } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { accountKey, linkKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { temporaryDirectory } from '../../support/service/process.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const time = '2026-03-01T00:00:00.000000Z';
const stamp = { order: 1, outcomes: 'a', inserted_at: time, updated_at: time };
const account = (number: string, data: string | undefined = '{"product_code":"P","fields":{}}'): Item => ({
  ...accountKey(team, number),
  ...stamp,
  data,
});
const link = (contact: string, number: string, data: string | undefined = '{"role":null}'): Item => ({
  ...linkKey(team, derivedContactId(team, contact), number),
  ...stamp,
  data,
});

async function compared(items: readonly Item[], rows: readonly (readonly [number: string, contact: string])[]) {
  const comparison = new Comparison(new ModelDatabase(), team);
  try {
    const text = ['account_number,contact.unique_id', ...rows.map((row) => row.join())].join('\n');
    const { chunks } = await openFile([Buffer.from(`${text}\n`)], { kind: 'accounts', name: 'full.csv' });
    expect(await comparison.addNamed(chunks)).toBe(0);
    await comparison.addStored(
      (async function* () {
        // A page of a scan can be empty.
        yield [];
        for (const item of items) yield [item];
      })(),
    );
    const missing: string[] = [];
    for await (const { account_number, contact_id } of comparison.missing())
      missing.push([account_number, contact_id ?? ''].join());
    return { missing, totals: comparison.totals() };
  } finally {
    comparison.close();
  }
}

const numbers = ['1', '01', 'a"b', 'ž', '1 '];
const contacts = ['x', 'y', 'X'];
const pair = fc.tuple(fc.constantFrom(...numbers.slice(0, 4)), fc.constantFrom(...contacts));

test('what a file omits is what the team has and the file does not name, whatever both have', async () => {
  const file = fc.array(
    pair.filter(([number]) => !number.includes('"')),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(pair, { selector: String }),
      fc.uniqueArray(fc.constantFrom(...numbers)),
      file,
      async (linked, accounts, rows) => {
        const items = [
          ...linked.map(([number, contact]) => link(contact, number)),
          ...accounts.map((each) => account(each)),
        ];
        const stored = [
          ...accounts.map((number) => `${number},`),
          ...linked.map(([number, contact]) => `${number},${derivedContactId(team, contact)}`),
        ];
        const named = new Set(
          rows.flatMap(([number, contact]) => [`${number},`, `${number},${derivedContactId(team, contact)}`]),
        );
        const { missing, totals } = await compared(items, rows);
        expect(missing.toSorted()).toEqual(stored.filter((each) => !named.has(each)).toSorted());
        expect([totals.accounts, totals.links]).toEqual([accounts.length, linked.length]);
        expect(totals.missing_accounts + totals.missing_links).toBe(missing.length);
      },
    ),
    { numRuns: 40 },
  );
});

test('accounts and links that were removed are not missing, nor are those of other teams and other items', async () => {
  const other = { ...account('9'), pk: account('9').pk.replace(team, '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de002') };
  const removed = [account('1', undefined), link('x', '1', undefined)].map(({ data, ...item }) => item as Item);
  const { missing, totals } = await compared([...removed, other, { pk: `T#${team}`, sk: 'TEAM' }], [['2', 'x']]);
  expect([missing, totals]).toEqual([[], { accounts: 0, links: 0, missing_accounts: 0, missing_links: 0 }]);
});

test('each of hundreds that are missing is named once', async () => {
  const all = Array.from({ length: 250 }, (_, n) => `${n}`);
  const { missing } = await compared(
    all.map((number) => account(number)),
    [['z', 'x']],
  );
  expect(missing.toSorted()).toEqual(all.map((number) => `${number},`).toSorted());
});

test('nothing of it is left on the disk', async () => {
  const folder = temporaryDirectory();
  vi.stubEnv('TMPDIR', folder);
  await compared([account('1')], [['2', 'x']]);
  vi.unstubAllEnvs();
  expect(readdirSync(folder)).toEqual([]);
});
