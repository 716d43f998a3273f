import { isDeepStrictEqual } from 'node:util';
import type { ContactAccount, OnboardingClient } from '../../client/index.ts';
import { together } from '../../lib/store/table/together.ts';
import { type Bank, type JsonRecord, type Totals, totalsOf } from './files.ts';
import type { Progress } from './progress.ts';

const readsAtOnce = 16;

/** The parts of the responses that are compared. */
export type StoredContact = { id: string; unique_id: string; [field: string]: unknown };
type Account = ContactAccount['account'];
export type HeldAccount = {
  role: string | null;
  account: Pick<Account, 'id'> & { product: Pick<Account['product'], 'code' | 'type' | 'name'> };
};

/** All contacts of the team, page by page. */
export async function readContacts(client: OnboardingClient, progress: Progress): Promise<StoredContact[]> {
  const contacts: StoredContact[] = [];
  for await (const contact of client.contacts.list()) {
    contacts.push(contact);
    progress(contacts.length, contacts.length);
  }
  return contacts;
}

/** The accounts of each contact, in the order of `contacts`. */
export async function readAccounts(
  client: OnboardingClient,
  contacts: readonly StoredContact[],
  progress: Progress,
): Promise<HeldAccount[][]> {
  let done = 0;
  return together(contacts, readsAtOnce, async ({ id }) => {
    const accounts = await client.contacts.accounts(id);
    progress(++done, contacts.length);
    return accounts;
  });
}

export const totalsOfFiles = ({ contacts, rows }: Bank): Totals =>
  totalsOf(
    contacts.length,
    rows.map(({ number, code }) => ({ accountId: number, code })),
  );

export function totalsOfService(contacts: readonly StoredContact[], accounts: readonly HeldAccount[][]): Totals {
  const links = accounts.flat().map(({ account: { id, product } }) => ({ accountId: id, code: product.code }));
  return totalsOf(contacts.length, links);
}

/** Where the service differs from the files. Names only the records, not their values. */
export function differences(
  bank: Bank,
  contacts: readonly StoredContact[],
  accounts: readonly HeldAccount[][],
): string[] {
  const found = new Map(contacts.map((contact, at) => [contact.unique_id, { contact, accounts: accounts[at]! }]));
  const rowsOf = Map.groupBy(bank.rows, (row) => row.contact);
  const idOf = new Map<string, string>();
  return bank.contacts.flatMap((expected) => {
    const uniqueId = expected.unique_id as string;
    const stored = found.get(uniqueId);
    if (!stored) return [`contact ${uniqueId} is missing`];
    const rows = (rowsOf.get(uniqueId) ?? []).sort((a, b) => (a.number < b.number ? -1 : 1));
    return [
      ...contactDifferences(uniqueId, expected, stored.contact),
      ...linkDifferences(uniqueId, rows, stored.accounts, idOf),
    ];
  });
}

const contactDifferences = (
  uniqueId: string,
  expected: JsonRecord,
  stored: { readonly [field: string]: unknown },
): string[] =>
  Object.entries(expected)
    .filter(([field, value]) => !isDeepStrictEqual(stored[field], typeof value === 'object' ? flat(value) : value))
    .map(([field]) => `contact ${uniqueId}: ${field} differs`);

/** Responses contain metadata flattened, with dots between the keys. */
function flat(value: JsonRecord, prefix = ''): Record<string, string> {
  const entries = Object.entries(value).flatMap(([key, child]) =>
    typeof child === 'object' ? Object.entries(flat(child, `${prefix}${key}.`)) : [[`${prefix}${key}`, child] as const],
  );
  return Object.fromEntries(entries);
}

/** Responses order accounts by number, so positions match. An account must have the same id for all its contacts. */
function linkDifferences(
  contact: string,
  rows: Bank['rows'],
  held: HeldAccount[],
  idOf: Map<string, string>,
): string[] {
  if (rows.length !== held.length) return [`contact ${contact}: ${held.length} accounts instead of ${rows.length}`];
  return rows.flatMap((row, at) => {
    const { role, account } = held[at]!;
    const { code, type, name } = account.product;
    const isSame = isDeepStrictEqual([role, code, type, name], [row.role, row.code, row.type, row.name]);
    const id = idOf.get(row.number) ?? account.id;
    idOf.set(row.number, id);
    return isSame && id === account.id ? [] : [`account ${row.number} of contact ${contact} differs`];
  });
}
