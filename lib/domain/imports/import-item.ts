import { type Account, isSameAccount, mergeAccount } from '../accounts/account.ts';
import type { AccountRecord } from '../accounts/account-record.ts';
import type { MergeStep } from './import-merge.ts';

/** The data that an import stores: an account, or a link between a contact and an account. */
export type ImportData = Account | LinkData;
export type LinkData = {
  role: string | null;
  /**
   * The product of the account, if the record that wrote the link had it. It can be outdated: it says only which accounts
   * are read first if a contact has very many.
   */
  product_code?: string | undefined;
};

export const isLink = (data: ImportData | undefined): data is LinkData => data !== undefined && 'role' in data;
export const isAccount = (data: ImportData | undefined): data is Account => data !== undefined && !isLink(data);

/** The product of a link does not count, so that it never makes a write of its own. */
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
  (role: string | null | undefined, productCode?: string): MergeStep<ImportData> =>
  (stored) => {
    const before: LinkData = isLink(stored) ? stored : { role: null };
    const known = productCode === undefined ? {} : { product_code: productCode };
    return { data: { ...before, ...(role === undefined ? {} : { role }), ...known } };
  };

/** Removes the account or link. A later record that names it creates it again, from nothing. */
export const removalStep: MergeStep<ImportData> = () => ({ data: undefined });
