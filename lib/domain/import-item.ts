import { type Account, isSameAccount, mergeAccount } from './account.ts';
import type { AccountRecord } from './account-record.ts';
import type { MergeStep } from './import-merge.ts';

/** The data that an import stores: an account, or a link between a contact and an account. */
export type ImportData = Account | LinkData;
export type LinkData = { role: string | null };

export const isLink = (data: ImportData | undefined): data is LinkData => data !== undefined && 'role' in data;
export const isAccount = (data: ImportData | undefined): data is Account => data !== undefined && !isLink(data);

export const isSameData = (a: ImportData, b: ImportData): boolean =>
  isLink(a) ? isLink(b) && a.role === b.role : isAccount(b) && isSameAccount(a, b);

export const accountStep =
  (input: NonNullable<AccountRecord['account']>): MergeStep<ImportData> =>
  (stored) => {
    const merged = mergeAccount(isAccount(stored) ? stored : undefined, input);
    return 'rejected' in merged ? { rejected: true } : { data: merged };
  };

/** @param role `undefined` keeps the stored role */
export const linkStep =
  (role: string | null | undefined): MergeStep<ImportData> =>
  (stored) => ({ data: { role: role === undefined ? (isLink(stored) ? stored.role : null) : role } });
