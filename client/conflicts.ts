import type { Conflicts } from './ordered-window.ts';
import type { AccountRecord, ContactInput } from './types.ts';

/**
 * The last record of an account wins. A product is created from the first record with its code.
 *
 * @example
 * const window = new OrderedWindow<AccountRecord[]>();
 * window.add(records, accountConflicts(records));
 */
export const accountConflicts = (records: readonly AccountRecord[]): Conflicts => ({
  inOrder: records.map(({ account_number }) => account_number),
  firstDecides: records.flatMap(productCodes),
});

/** The service accepts the dotted key as well as the nested one. */
function productCodes(record: AccountRecord): string[] {
  const { product, 'product.code': dotted } = record as AccountRecord & { 'product.code'?: unknown };
  return [product?.code, dotted].filter((code) => typeof code === 'string');
}

/**
 * The last record of a contact wins. Without a `unique_id`, the email identifies the contact.
 *
 * @example
 * const window = new OrderedWindow<ContactInput[]>();
 * window.add(contacts, contactConflicts(contacts));
 */
export const contactConflicts = (contacts: readonly ContactInput[]): Conflicts => ({
  inOrder: contacts.flatMap(({ unique_id, email }) => (isGiven(unique_id) ? unique_id : isGiven(email) ? email : [])),
});

const isGiven = (value: string | null | undefined): value is string => typeof value === 'string' && value.trim() !== '';
