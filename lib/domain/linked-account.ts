import type { Account } from './account.ts';
import { type CompletionRule, type HeldAccount, type HeldProduct, isOpenAt, opens } from './completion.ts';
import { instant } from './objective.ts';
import type { TeamFeature } from './team.ts';

/** An account that is linked to a contact, with all that content may name of it. */
export type LinkedAccount = HeldAccount & {
  readonly account_number: string;
  readonly role: string | null;
  readonly account: Account;
  readonly product: HeldProduct & {
    readonly code: string;
    readonly name: string | null;
    readonly description: string | null;
  };
};

/**
 * The account that the placeholders of a page stand for (contract, section 10): of the open ones, one of a product that
 * completes the page, else any; of several the one that was opened last.
 * @param now ISO 8601 in UTC
 */
export function accountFor(
  page: CompletionRule,
  accounts: readonly LinkedAccount[],
  features: readonly TeamFeature[],
  now: string,
): LinkedAccount | undefined {
  const open = accounts.filter(({ closed_date }) => isOpenAt(closed_date, now));
  const isNamed = opens(page, features);
  const named = open.filter(({ product }) => isNamed(product));
  return (named.length > 0 ? named : open).toSorted(byOpening).at(-1);
}

const byOpening = (a: LinkedAccount, b: LinkedAccount): number => {
  const [left, right] = [openedAt(a), openedAt(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a.account_number < b.account_number ? -1 : 1;
};

/** Before every date where none is known. */
const openedAt = ({ account }: LinkedAccount): string => instant(String(account.fields.opened_date ?? '')) ?? '';
