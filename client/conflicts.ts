import type { Conflicts } from './ordered-window.ts';
import type { AccountRecord, ContactInput } from './types.ts';

/** Of records for the same account the later wins, and a product is made by the first record that names its code. */
export const accountConflicts = (records: readonly AccountRecord[]): Conflicts => ({
  inOrder: records.map(({ account_number }) => account_number),
  firstDecides: records.flatMap(productCodes),
});

/** The service takes a dotted key for the nested one. */
function productCodes(record: AccountRecord): string[] {
  const { product, 'product.code': dotted } = record as AccountRecord & { 'product.code'?: unknown };
  return [product?.code, dotted].filter((code) => typeof code === 'string');
}

/** Of records for the same contact the later wins; the email stands in where there is no `unique_id`. */
export const contactConflicts = (contacts: readonly ContactInput[]): Conflicts => ({
  inOrder: contacts.flatMap(({ unique_id, email }) => (isGiven(unique_id) ? unique_id : isGiven(email) ? email : [])),
});

const isGiven = (value: string | null | undefined): value is string => typeof value === 'string' && value.trim() !== '';
