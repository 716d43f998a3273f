import {
  isSameMetadata,
  type Metadata,
  type MetadataChange,
  mergeMetadata,
  metadataError,
} from '../values/metadata.ts';
import { accountFieldNames } from './account-field-table.ts';
import type { AccountFields } from './account-fields.ts';
import type { AccountRecord } from './account-record.ts';

/** An account. `null` in a field means the same as an absent field. */
export type Account = {
  fields: AccountFields;
  product_code: string;
  meta_public: Metadata | null;
  meta_private: Metadata | null;
};

export type Rejected = { rejected: string };

/** Merges the record into the account. Returns the reason if the merged account cannot be stored. */
export function mergeAccount(
  stored: Account | undefined,
  input: NonNullable<AccountRecord['account']>,
): Account | Rejected {
  const merged = {
    fields: { ...stored?.fields, ...input.fields },
    product_code: input.product.code,
    meta_public: mergedMeta(stored?.meta_public ?? null, input.meta_public),
    meta_private: mergedMeta(stored?.meta_private ?? null, input.meta_private),
  };
  const overLimit =
    metaError(merged.meta_public, stored?.meta_public) ?? metaError(merged.meta_private, stored?.meta_private);
  return overLimit === undefined ? merged : { rejected: mergedTooLarge };
}

/** Metadata that did not change was within the limits when it was stored. */
const metaError = (merged: Metadata | null, stored: Metadata | null | undefined): string | undefined =>
  merged === stored ? undefined : metadataError(merged);

export const mergedTooLarge =
  'meta_public or meta_private would exceed 1,000 keys or 16 KB after merging with the stored values; the account was not changed';

const mergedMeta = (stored: Metadata | null, sent: MetadataChange | null | undefined): Metadata | null =>
  sent === undefined ? stored : mergeMetadata(stored, sent);

export const isSameAccount = (a: Account, b: Account): boolean =>
  a.product_code === b.product_code &&
  accountFieldNames.every((name) => (a.fields[name] ?? null) === (b.fields[name] ?? null)) &&
  isSameMetadata(a.meta_public, b.meta_public) &&
  isSameMetadata(a.meta_private, b.meta_private);

/** ISO 8601 date or date-time; `null` while the account is open. */
export const closedDateOf = ({ fields }: Account): string | null =>
  (fields.closed_date as string | null | undefined) ?? null;

/** True if both complete the same pages. */
export const hasSameProduct = (a: Account, b: Account): boolean =>
  a.product_code === b.product_code && closedDateOf(a) === closedDateOf(b);

/** Since when a contact is linked to an account. */
export type LinkState = {
  contactId: string;
  inserted_at: string;
  /** When it was removed; absent while it is stored. */
  removed_at?: string | undefined;
  /** When an earlier link of the two was removed. What was stored before it was told. */
  unlinked_at?: string | undefined;
};
/** Since when an account is stored. */
export type AccountState = {
  id: string;
  inserted_at: string;
  removed_at?: string | undefined;
  /** When its `closed_date` was first stored. */
  closed_at?: string | undefined;
};
