import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { AccountRecord } from '../../client/index.ts';

export type JsonRecord = { [field: string]: string | JsonRecord };

/** Totals that can be computed both from the files and from the responses of the service. */
export type Totals = { contacts: number; accounts: number; links: number; products: number };

export type AccountRow = { number: string; contact: string; role: string; code: string; type: string; name: string };

export type Bank = {
  contacts: JsonRecord[];
  accounts: AccountRecord[];
  rows: AccountRow[];
  /** Identifies the content of the account file. */
  fingerprint: string;
};

const folder = new URL('../../examples/bank/', import.meta.url);

/** The two files as records: a column with dots is a nested field, an empty cell an absent field. */
export function readBank(): Bank {
  const accounts = readFileSync(new URL('accounts.csv', folder));
  const cells = cellsOf(accounts);
  return {
    contacts: cellsOf(readFileSync(new URL('contacts.csv', folder))).map(nested),
    accounts: cells.map((row) => ({ ...nested(row), account_number: row.account_number! })),
    rows: cells.map(accountRow),
    fingerprint: createHash('sha256').update(accounts).digest('hex').slice(0, 16),
  };
}

type Cells = Record<string, string>;

const cellsOf = (content: Buffer): Cells[] => parse(content, { columns: true });

function nested(cells: Cells): JsonRecord {
  const record: JsonRecord = {};
  for (const [column, cell] of Object.entries(cells)) {
    if (cell === '') continue;
    const path = column.split('.');
    let parent = record;
    for (const part of path.slice(0, -1)) {
      parent[part] ??= {};
      parent = parent[part] as JsonRecord;
    }
    parent[path.at(-1)!] = cell;
  }
  return record;
}

const accountRow = (cells: Cells): AccountRow => ({
  number: cells.account_number!,
  contact: cells['contact.unique_id']!,
  role: cells['contact.role']!,
  code: cells['product.code']!,
  type: cells['product.type']!,
  name: cells['product.name']!,
});

/** `accountId` identifies the account: its number in the files, its system id in the service. */
export type Link = { accountId: string; code: string };

export const totalsOf = (contacts: number, links: readonly Link[]): Totals => ({
  contacts,
  accounts: new Set(links.map(({ accountId }) => accountId)).size,
  links: links.length,
  products: new Set(links.map(({ code }) => code)).size,
});
