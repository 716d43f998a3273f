import type { Account } from '../accounts/account.ts';
import { instant } from '../contacts/objective.ts';
import type { TeamFeature } from '../teams/team.ts';
import { type CompletionRule, type HeldAccount, type HeldProduct, isOpenAt, opens } from './completion.ts';

/** An account that is linked to a contact, with all fields that placeholders can name. */
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
 * The account for the placeholders of a page (contract, section 10): the open account that was opened last, among those
 * whose product completes the page if there are any, else among all.
 * @param now ISO 8601 in UTC
 */
export function accountFor(
  page: CompletionRule,
  accounts: readonly LinkedAccount[],
  features: readonly TeamFeature[],
  now: string,
): LinkedAccount | undefined {
  const open = accounts.filter(({ closed_date }) => isOpenAt(closed_date, now));
  const isMatch = opens(page, features);
  const matching = open.filter(({ product }) => isMatch(product));
  return (matching.length > 0 ? matching : open).toSorted(byOpening).at(-1);
}

const byOpening = (a: LinkedAccount, b: LinkedAccount): number => {
  const [left, right] = [openedAt(a), openedAt(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a.account_number < b.account_number ? -1 : 1;
};

/** An empty text if the date is unknown. It sorts before every date. */
const openedAt = ({ account }: LinkedAccount): string => instant(String(account.fields.opened_date ?? '')) ?? '';

type Naming = {
  most: number;
  pages: readonly CompletionRule[];
  features: readonly TeamFeature[];
  productOf(code: string): HeldProduct | undefined;
};

/**
 * The links of the accounts that a public page reads, in their order (contract, section 1): those whose product
 * completes one of the pages, which share the places, then those whose product is unknown, then the others.
 */
export function linksNamedFirst<Link extends { product_code?: string | undefined }>(
  links: readonly Link[],
  { most, pages, features, productOf }: Naming,
): Link[] {
  const productOfLink = ({ product_code = '' }: Link) => productOf(product_code);
  const matches = pages.map((page) => {
    const isMatch = opens(page, features);
    return links.filter((link) => {
      const product = productOfLink(link);
      return product !== undefined && isMatch(product);
    });
  });
  const naming = matches.filter(({ length }) => length > 0);
  const share = Math.ceil(most / naming.length);
  const named = naming.flatMap((each) => each.slice(0, share));
  const unknown = links.filter((link) => productOfLink(link) === undefined);
  const first = new Set([...new Set([...named, ...unknown, ...links])].slice(0, most));
  return links.filter((link) => first.has(link));
}
