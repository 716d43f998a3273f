import type { AccountState, LinkState } from '../accounts/account.ts';
import type { NewEvent } from './events.ts';

/**
 * `account.opened` and `account.closed` (contract, section 14): once for each contact and account, when both link and
 * account are stored, or were closed. Whichever of the two was stored later finds the other. If each finds the other, both
 * give the same event.
 */

/**
 * What a new link tells.
 * @param current the link as it is stored now, if the account was stored or closed after the link
 */
export function eventsOfLink(
  link: LinkState,
  account: AccountState,
  current: LinkState | undefined = link,
): NewEvent[] {
  const { removed_at, inserted_at, closed_at } = account;
  const { unlinked_at: since = '' } = link;
  if (removed_at !== undefined && removed_at <= link.inserted_at) return [];
  const isTold = (at: string) => at >= since && (at <= link.inserted_at || isLinkedAt(at));
  return [
    ...(isTold(inserted_at) ? [accountEvent('account.opened', link, account, inserted_at)] : []),
    ...(closed_at !== undefined && isTold(closed_at) ? [accountEvent('account.closed', link, account, closed_at)] : []),
  ];

  function isLinkedAt(at: string): boolean {
    const { removed_at: end } = current;
    return current.inserted_at === link.inserted_at && (end === undefined || end > at);
  }
}

/** True if the account was stored, or closed, after the link, so that it matters whether it was still linked. */
export const isEarlierThan = (link: LinkState, { inserted_at, closed_at = '' }: AccountState): boolean =>
  link.inserted_at < inserted_at || link.inserted_at < closed_at;

/**
 * What changed with an account, at a time. `since`: it was stored, for the first time if it is empty, or again after it was
 * removed at that time.
 */
export type AccountStep = { at: string; since?: string | undefined; isClosing: boolean };

/** True if the contact was not linked to the account yet, so that the change of the link tells both what happened. */
export const isFirstLinkedAfter = ({ at }: AccountStep, { inserted_at, unlinked_at = '' }: LinkState): boolean =>
  inserted_at > at && unlinked_at < at;

/** What it tells a contact who was linked to the account before. */
export function eventsOfStep(
  { at, since, isClosing }: AccountStep,
  link: LinkState,
  { id }: { id: string },
): NewEvent[] {
  if (link.removed_at !== undefined && link.removed_at <= at) return [];
  return [
    ...(since !== undefined && link.inserted_at >= since ? [accountEvent('account.opened', link, { id }, at)] : []),
    ...(isClosing ? [accountEvent('account.closed', link, { id }, at)] : []),
  ];
}

/** A link that is stored after an erasure has another time, so it is another fact. */
function accountEvent(
  type: 'account.opened' | 'account.closed',
  { contactId: contact_id, inserted_at }: LinkState,
  { id: account_id }: { id: string },
  at: string,
): NewEvent {
  const later = at > inserted_at ? at : inserted_at;
  return { type, at: later, contact_id, account_id, fact: [type, contact_id, account_id, inserted_at] };
}
