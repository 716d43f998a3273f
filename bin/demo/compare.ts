import { isDeepStrictEqual } from 'node:util';
import type { ContactAccount } from '../../client/index.ts';
import type { Bank, JsonRecord } from './files.ts';

/** The parts of the responses that are compared. */
export type StoredContact = { id: string; unique_id: string; [field: string]: unknown };
type Account = ContactAccount['account'];
export type HeldAccount = {
  role: string | null;
  account: Pick<Account, 'id'> & { product: Pick<Account['product'], 'code' | 'type' | 'name'> };
};

/** Totals that can be computed both from the files and from the responses of the service. */
export type Totals = { contacts: number; accounts: number; links: number; products: number };

export const totalsOfFiles = ({ contacts, rows }: Bank): Totals =>
  totalsOf(
    contacts.length,
    rows.map(({ number, code }) => ({ account: number, code })),
  );

export const totalsOfService = (contacts: readonly StoredContact[], accounts: readonly HeldAccount[][]): Totals =>
  totalsOf(
    contacts.length,
    accounts.flat().map(({ account: { id, product } }) => ({ account: id, code: product.code })),
  );

/** `account` identifies the account: its number in the files, its system id in the service. */
const totalsOf = (contacts: number, links: readonly { account: string; code: string }[]): Totals => ({
  contacts,
  accounts: new Set(links.map(({ account }) => account)).size,
  links: links.length,
  products: new Set(links.map(({ code }) => code)).size,
});

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
