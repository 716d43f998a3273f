import type { AccountState, LinkState } from '../../domain/accounts/account.ts';
import {
  type AccountStep,
  eventsOfLink,
  eventsOfStep,
  isEarlierThan,
  isFirstLinkedAfter,
} from '../../domain/events/account-events.ts';
import type { NewEvent } from '../../domain/events/events.ts';
import { loadAccountStates, loadLinkStates } from '../../store/accounts/accounts.ts';
import { type EarlierHolders, holdersPage } from '../../store/accounts/holders.ts';
import { accountWork } from '../../store/events/completion-work.ts';
import type { AccountChange, HoldersPage, ItemChange, NewLink } from '../../store/events/item-changes.ts';
import type { Database, Upsert } from '../../store/table/database.ts';
import { derivedAccountId } from '../../store/table/ids.ts';
import { together } from '../../store/table/together.ts';

/** Accounts whose holders are read at the same time. */
const parallel = 10;
/** Holders of an account that are read at once, and those of all accounts of one invocation. */
export const holdersAtOnce = 250;
const mostHolders = 300;

type EventsOf = Map<ItemChange, NewEvent[]>;

/** What new links tell: a read of each account that is not among the changes. */
export async function linkEvents(
  database: Database,
  teamId: string,
  changes: readonly ItemChange[],
): Promise<EventsOf> {
  const links = changes.filter((change) => change.kind === 'link');
  const accounts = changes.filter((change) => change.kind === 'account');
  const states = await accountStates(database, teamId, links, accounts);
  const current = await currentLinks(database, teamId, links, states);
  const found: EventsOf = new Map();
  for (const change of links) {
    const account = states.get(change.accountNumber);
    const link = current.has(change) ? current.get(change) : linkOf(change);
    // Without it, the contact was erased.
    if (account && link) found.set(change, eventsOfLink(linkOf(change), account, link));
  }
  return found;
}

type Walk = { change: ItemChange & (AccountChange | HoldersPage); step: AccountStep };

/**
 * What accounts tell those who were linked to them before.
 * @param origin the first record of the changes
 * @returns also inserts of work, for the holders whom one invocation does not tell
 */
export async function holderEvents(
  database: Database,
  teamId: string,
  origin: string,
  changes: readonly ItemChange[],
  earlier: EarlierHolders,
): Promise<{ events: NewEvent[]; waiting: Upsert[] }> {
  const accounts = changes.filter((change) => change.kind === 'account');
  const pages: (Walk & { contactIds: string[] })[] = [];
  const waiting: Upsert[] = [];
  let holders = 0;
  await together(stepsWithHolders(accounts, await earlier()), parallel, async ({ change, step }) => {
    const { accountNumber, at } = change;
    const isFull = holders >= mostHolders;
    const page = isFull ? undefined : await holdersPage(database, teamId, accountNumber, { limit: holdersAtOnce });
    if (!page || page.next !== undefined)
      return void waiting.push(accountWork(teamId, at, origin, { accountNumber, step }));
    holders += page.contactIds.length;
    pages.push({ change, step, contactIds: page.contactIds });
  });
  const told = changes.filter((change) => change.kind === 'holders');
  await together(told, parallel, async (change) => {
    const { accountNumber, step, after, to } = change;
    // The bounds of the page, and who was linked since then.
    const range = { limit: 2 * holdersAtOnce, after, to };
    const { contactIds } = await holdersPage(database, teamId, accountNumber, range);
    pages.push({ change, step, contactIds });
  });
  return { events: await eventsOfPages(database, teamId, pages), waiting };
}

const linkOf = ({ contactId, insertedAt, unlinkedAt }: NewLink): LinkState => ({
  ...{ contactId, inserted_at: insertedAt, unlinked_at: unlinkedAt },
});

/** Those of the links that are older than what happened to their accounts, as they are stored. */
async function currentLinks(
  database: Database,
  teamId: string,
  links: readonly NewLink[],
  accounts: ReadonlyMap<string, AccountState>,
): Promise<Map<NewLink, LinkState | undefined>> {
  const earlier = links.filter((change) => {
    const account = accounts.get(change.accountNumber);
    return account && isEarlierThan(linkOf(change), account);
  });
  const stored = earlier.length > 0 ? await loadLinkStates(database, teamId, earlier) : [];
  return new Map(earlier.map((change, index) => [change, stored[index]]));
}

/** The accounts of these links, as the changes show them, or else as they are stored. */
async function accountStates(
  database: Database,
  teamId: string,
  links: readonly NewLink[],
  changes: readonly AccountChange[],
): Promise<Map<string, AccountState>> {
  const states = new Map<string, AccountState>();
  for (const { accountNumber, insertedAt: inserted_at, closedAt: closed_at } of changes)
    states.set(accountNumber, { id: derivedAccountId(teamId, accountNumber), inserted_at, closed_at });
  const numbers = [...new Set(links.map(({ accountNumber }) => accountNumber))].filter((each) => !states.has(each));
  const stored = numbers.length > 0 ? await loadAccountStates(database, teamId, numbers) : [];
  for (const [index, state] of stored.entries()) if (state) states.set(numbers[index]!, state);
  return states;
}

/** The changes of accounts to which contacts can have been linked before. */
function stepsWithHolders(changes: readonly (ItemChange & AccountChange)[], noted: ReadonlySet<string>): Walk[] {
  const steps = changes.filter(({ since, isClosing }) => since !== undefined || isClosing);
  return steps
    .filter(({ isNew, accountNumber }) => !isNew || noted.has(accountNumber))
    .map((change) => {
      const { changedAt: at, since, isClosing } = change;
      return { change, step: { at, since, isClosing } };
    });
}

/**
 * Only holders that have, or had, a link are told. One who was linked after the step is told what the link itself tells:
 * its change may be read later than this, and an account is opened before it is closed.
 */
async function eventsOfPages(
  database: Database,
  teamId: string,
  pages: readonly (Walk & { contactIds: readonly string[] })[],
): Promise<NewEvent[]> {
  const wanted = pages.flatMap(({ change: { accountNumber }, step, contactIds }) =>
    contactIds.map((contactId) => ({ contactId, accountNumber, step })),
  );
  const links = wanted.length > 0 ? await loadLinkStates(database, teamId, wanted) : [];
  const later = wanted.filter(({ step }, index) => links[index] && isFirstLinkedAfter(step, links[index]));
  const numbers = [...new Set(later.map(({ accountNumber }) => accountNumber))];
  const states = numbers.length > 0 ? await loadAccountStates(database, teamId, numbers) : [];
  return wanted.flatMap(({ accountNumber, step }, index) => {
    const link = links[index];
    if (!link) return [];
    if (!isFirstLinkedAfter(step, link))
      return eventsOfStep(step, link, { id: derivedAccountId(teamId, accountNumber) });
    const account = states[numbers.indexOf(accountNumber)];
    return account ? eventsOfLink(link, account) : [];
  });
}
