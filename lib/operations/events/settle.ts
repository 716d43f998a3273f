import type { Contact } from '../../domain/contacts/contact.ts';
import { type CompletionRule, type HeldProduct, isPublished, opens } from '../../domain/journeys/completion.ts';
import type { LinkedAccount } from '../../domain/journeys/linked-account.ts';
import { type EarlierHolders, holdersPage } from '../../store/accounts/holders.ts';
import type { Content } from '../../store/campaigns/content.ts';
import { completionWork } from '../../store/events/completion-work.ts';
import type { AccountChange, ItemChange } from '../../store/events/item-changes.ts';
import { type JourneyKey, keyOfJourney, nameOfJourney } from '../../store/journeys/journey-items.ts';
import {
  type ContactAggregate,
  findJourneys,
  type JourneyWithActions,
  loadJourneys,
  loadJourneyWithActions,
  loadLargeAggregate,
  loadSmallAggregate,
} from '../../store/journeys/journeys.ts';
import { chunksOf, type Database } from '../../store/table/database.ts';
import { together } from '../../store/table/together.ts';
import { type AccountReader, accountsOf, needsAccounts, progressOf, recordShown } from '../journeys/progress.ts';
import { markUnsubscribed } from '../messages/mark-unsubscribed.ts';
import { type CountService, countJourneys } from '../results/count.ts';
import { countNoted } from '../results/count-noted.ts';
import type { JourneyService } from '../service.ts';

/** A template with published pages that an account completes. */
type OpenTemplate = { id: string; isCompletedBy(product: HeldProduct): boolean };
/** The templates with published pages that stored facts complete: their ids, and by the kind of fact. */
type FactTemplates = { open: OpenTemplate[]; byObjective: Map<string, string[]>; ids: Set<string> };

export type SettleService = JourneyService &
  CountService & {
    /** Sends a message that the team has work on completions. The sweeper replaces a lost one. */
    wakeCompletions?(teamId: string): Promise<unknown>;
  };
/** `earlier`: of the new accounts among the changes. */
type ChangesService = SettleService & { earlier: EarlierHolders };

/** Contacts, journeys or accounts that are read at the same time. */
const parallel = 25;
/** Contacts whose accounts are read together, and whose completions are written together. */
const contactsAtOnce = 50;
/**
 * Contacts that one invocation looks at; of these, those who have a journey, and those of whom it is not known, that it
 * reads. The others are waiting work.
 */
const mostContacts = 1000;
const mostAtOnce = 200;
const mostUnknown = 50;
/** Templates of a contact for whose journeys keys are read. For more, a query of the contact costs less. */
const mostKeys = 4;
const keysAtOnce = 500;
/** Items of a contact, or of an account with its holders, that are read at once. What has more is waiting work. */
const mostItems = 250;
/** Completions that are written at once. */
const mostWrites = 1000;
/** Changed journeys that are read and counted together, and those of one invocation. */
const journeysAtOnce = 50;
const mostJourneys = 200;
/** Accounts that are read at once: their metadata can have 32 KB. */
const accountsAtOnce = 1000;
/** Accounts of a contact that can complete its pages: those with the lowest numbers. */
export const mostCompleting = 20_000;

/**
 * Records the completions whose facts are in these changes: objectives, links, accounts, new journeys and pages. A
 * reader decides the same from the same facts, and the first of them records it (contract, section 6). Then it counts the
 * journeys that were changed. Its work is bounded, whatever a client has stored: the rest waits in the lane of the team.
 * @param origin the first record of the changes
 */
export async function settle(
  service: ChangesService,
  teamId: string,
  origin: string,
  changes: readonly ItemChange[],
  hasTime: () => boolean,
): Promise<void> {
  const facts = changes.filter(isFact);
  // Other changes complete nothing.
  const content = facts.length > 0 || changes.some(isCompletedPage) ? await service.content.current(teamId) : undefined;
  const { read, ...waiting } = await settleFacts(service, teamId, content, facts, hasTime);
  const messaged = await journeysOfMessages(service, teamId, changes);
  const changed = byTemplate([...changes.flatMap(journeyIn), ...messaged]);
  const bounds = { journeys: mostJourneys, hasTime, isLane: false };
  const known = [...createdAlone(changes, messaged, content), ...read];
  const ofMessages = new Set(messaged.map(nameOfJourney));
  const { left } = await settleJourneys(service, teamId, content, changed, bounds, known, ofMessages);
  const noted = changes.filter((change) => change.kind === 'note');
  if (noted.length > 0) await countNoted(service, teamId, noted);
  const work = completionWork(teamId, changes[0]!.at, origin, { ...waiting, journeys: left });
  if (work.length === 0) return;
  await service.database.write(work);
  await service.wakeCompletions?.(teamId);
}

/** @returns what is left, and the journeys that were read and of which nothing was recorded */
async function settleFacts(
  service: ChangesService,
  teamId: string,
  content: Content | undefined,
  facts: readonly Fact[],
  hasTime: () => boolean,
): Promise<{ read: JourneyWithActions[]; contactIds: string[]; accountNumbers: string[] }> {
  if (!content || facts.length === 0) return { read: [], contactIds: [], accountNumbers: [] };
  const { database } = service;
  const templates = factTemplates(content);
  const { concerned, accountNumbers } = await concernedContacts(service, teamId, facts, templates, hasTime);
  const { having, unknown } = await withJourneys(database, teamId, [...concerned].slice(0, mostContacts));
  const contactIds = [...having, ...unknown];
  const bounds = { contacts: Math.min(mostAtOnce, having.length + mostUnknown), hasTime, isLane: false };
  const { read, left } = await settleContacts(service, teamId, content, contactIds, bounds);
  return { read, contactIds: left.concat([...concerned.keys()].slice(mostContacts)), accountNumbers };
}

/**
 * The journeys that these records insert and do not change otherwise. They are counted as the records show them, without a
 * read: what changed since follows in other records. Those that a fact can have completed are read.
 */
function createdAlone(
  changes: readonly ItemChange[],
  messaged: readonly JourneyKey[],
  content: Content | undefined,
): JourneyWithActions[] {
  const { ids } = content ? factTemplates(content) : { ids: new Set<string>() };
  const all = [...changes.flatMap(journeyIn), ...messaged];
  const times = Map.groupBy(all, nameOfJourney);
  return changes.flatMap(({ created }) => {
    if (!created || ids.has(created.journey.template_id)) return [];
    return times.get(nameOfJourney(keyOfJourney(created.journey)))?.length === 1 ? created : [];
  });
}

type JourneyBounds = Omit<Bounds, 'contacts'> & { journeys: number };

/**
 * Records what the recorded pages of these journeys complete, and counts them, within these bounds. A fact and the last
 * other page can be completed at the same time, and neither write sees that the journey is complete: what is recorded of
 * the journey shows it.
 * @param read those that were just read
 * @param messaged the names of those whose messages have changed. In a lane, it can be all of them
 */
export async function settleJourneys(
  service: JourneyService & CountService,
  teamId: string,
  content: Content | undefined,
  keys: readonly JourneyKey[],
  { journeys, hasTime, isLane }: JourneyBounds,
  read: readonly JourneyWithActions[] = [],
  messaged: ReadonlySet<string> = new Set(),
): Promise<{ left: JourneyKey[]; written: number }> {
  const ids = content ? factTemplates(content).ids : new Set();
  const known = new Map(read.map((each) => [nameOfJourney(keyOfJourney(each.journey)), each]));
  let [looked, written] = [0, 0];
  for (const group of chunksOf(keys, journeysAtOnce)) {
    if (looked >= journeys || !((isLane && looked === 0) || hasTime())) break;
    const [own, other] = [
      group.flatMap((key) => known.get(nameOfJourney(key)) ?? []),
      group.filter((key) => ids.has(key.templateId) && !known.has(nameOfJourney(key))),
    ];
    const found = await together(other, parallel, (key) => loadJourneyWithActions(service.database, teamId, key));
    const facts = found.flatMap((each) => (each ? { journeys: [each], links: [], contact: { completions: {} } } : []));
    const recorded = content ? await recordCompletions(service, teamId, content, facts) : { read: [], written: 0 };
    await countJourneys(service, teamId, group, own.concat(recorded.read), false, isLane ? 'all' : messaged);
    looked += group.length;
    written += recorded.written;
  }
  return { left: keys.slice(looked), written };
}

/** Each of these journeys once, by template: those of one template are counted together. */
const byTemplate = (keys: readonly JourneyKey[]): JourneyKey[] =>
  [...new Map(keys.map((key) => [nameOfJourney(key), key]))].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);

/** `contacts`: so many are looked at. `isLane`: at least one is, and also those that have very many items. */
type Bounds = { contacts: number; hasTime(): boolean; isLane: boolean };

/**
 * Records the completions of these contacts, within these bounds.
 * @returns the journeys that had nothing to record, the contacts that are left, and how much was written
 */
export async function settleContacts(
  service: JourneyService,
  teamId: string,
  content: Content,
  contactIds: readonly string[],
  { contacts, hasTime, isLane }: Bounds,
): Promise<{ read: JourneyWithActions[]; left: string[]; written: number }> {
  const { database } = service;
  let read: JourneyWithActions[] = [];
  let left: string[] = [];
  let [looked, written] = [0, 0];
  const hasBegun = () => looked > 0 || !isLane;
  const isFull = () => looked >= contacts || written >= mostWrites || (hasBegun() && !hasTime());
  const record = async (found: readonly ContactAggregate[]) => {
    const recorded = await recordCompletions(service, teamId, content, found, mostWrites - written);
    read = read.concat(recorded.read);
    left = left.concat(recorded.left.map(({ contact }) => contact.id));
    written += recorded.written;
  };
  for (const group of chunksOf(contactIds, contactsAtOnce)) {
    if (isFull()) {
      left = left.concat(group);
      continue;
    }
    const found = await together(group, parallel, (id) => loadSmallAggregate(database, teamId, id, mostItems));
    await record(found.filter((each) => each !== 'large' && each !== undefined));
    const large = group.filter((_, index) => found[index] === 'large');
    looked += group.length - large.length;
    for (const id of large) {
      if (!isLane || isFull()) left.push(id);
      else {
        const aggregate = await loadLargeAggregate(database, teamId, id, mostCompleting);
        await record(aggregate ? [aggregate] : []);
        looked += 1;
      }
    }
  }
  return { read, left, written };
}

/** What decides which pages of the journeys of a contact are complete. */
type Facts = Pick<ContactAggregate, 'journeys' | 'links'> & { contact: Pick<Contact, 'completions'> };

/**
 * Writes the completions of the first of these contacts, so many that there are at most `most` or that it is only one.
 * @returns the journeys that had nothing to record, what is left, and the number of writes
 */
async function recordCompletions<Found extends Facts>(
  { database, productCache, now }: JourneyService,
  teamId: string,
  content: Content,
  found: readonly Found[],
  most = Number.POSITIVE_INFINITY,
): Promise<{ read: JourneyWithActions[]; left: Found[]; written: number }> {
  const links = found.flatMap((facts) => (needsAccounts(facts, content) ? facts.links : []));
  const reader = { productCache: await readTogether(productCache, teamId, links) };
  const held = (facts: Found) => async () => withoutEqual(await accountsOf(reader, teamId, facts.links)());
  const progress = await Promise.all(found.map((facts) => progressOf(facts, content, held(facts), now())));
  let written = 0;
  const fitting = progress.findIndex((own, index) => {
    const writes = own.reduce((sum, { unrecorded }) => sum + unrecorded.length, 0);
    if (index > 0 && written + writes > most) return true;
    written += writes;
    return false;
  });
  const end = fitting === -1 ? found.length : fitting;
  const recorded = progress.slice(0, end).flat();
  await recordShown(database, teamId, recorded);
  const changed = new Set(recorded.flatMap(({ journey, unrecorded: [first] }) => (first ? journey.id : [])));
  const read = found
    .slice(0, end)
    .flatMap(({ journeys }) => journeys.filter(({ journey }) => !changed.has(journey.id)));
  return { read, left: found.slice(end), written };
}

/** Reads these accounts, without their metadata. */
async function readTogether(
  productCache: JourneyService['productCache'],
  teamId: string,
  links: ContactAggregate['links'],
): Promise<AccountReader['productCache']> {
  const found = new Map<string, Awaited<ReturnType<typeof productCache.accounts>>[number]>();
  for (const numbers of chunksOf([...new Set(links.map((link) => link.account_number))], accountsAtOnce)) {
    for (const [index, each] of (await productCache.accounts(teamId, numbers)).entries()) {
      found.set(
        numbers[index]!,
        each && { ...each, account: { ...each.account, meta_public: null, meta_private: null } },
      );
    }
  }
  return { accounts: async (_, wanted) => wanted.map((number) => found.get(number)) };
}

/** Of accounts with the same product and closing date, the one that was stored first: only this one decides. */
function withoutEqual(accounts: readonly LinkedAccount[]): LinkedAccount[] {
  const first = new Map<string, LinkedAccount>();
  for (const account of accounts) {
    const name = `${account.product.id} ${account.closed_date}`;
    const other = first.get(name);
    if (!other || account.since < other.since) first.set(name, account);
  }
  return [...first.values()];
}

/** Contacts, each with the first of the templates whose journeys the facts can complete: at most one more than `mostKeys`. */
type Concerned = Map<string, Set<string>>;

/** The contacts whose journeys these facts can complete, and accounts of which the holders are still to be read. */
async function concernedContacts(
  service: ChangesService,
  teamId: string,
  facts: readonly Fact[],
  { open, byObjective, ids }: FactTemplates,
  hasTime: () => boolean,
): Promise<{ concerned: Concerned; accountNumbers: string[] }> {
  const concerned: Concerned = new Map();
  const add = (contactId: string, templateIds: Iterable<string>) => {
    const known = concerned.get(contactId) ?? new Set();
    for (const id of templateIds) {
      concerned.set(contactId, known.add(id));
      if (known.size > mostKeys) break;
    }
  };
  const changes = facts.filter((change) => change.kind === 'account');
  const accounts = await accountsWithTemplates(service, teamId, changes, open);
  const byNumber = Map.groupBy(accounts, ({ accountNumber }) => accountNumber);
  const openIds = open.map(({ id }) => id);
  for (const change of facts) {
    if (change.kind === 'account') continue;
    if (change.kind === 'journey') add(change.contactId, ids.has(change.templateId) ? [change.templateId] : []);
    else if (change.kind === 'contact') {
      for (const objective of freshObjectives(change)) add(change.contactId, byObjective.get(objective) ?? []);
    } else {
      const known = byNumber.get(change.accountNumber);
      for (const templateIds of known?.map((each) => each.templateIds) ?? [openIds]) add(change.contactId, templateIds);
    }
  }
  const accountNumbers: string[] = [];
  for (const group of chunksOf(linkedBefore(accounts, await service.earlier()), parallel)) {
    await together(group, parallel, async ({ accountNumber, templateIds }) => {
      if (concerned.size >= mostContacts || !hasTime()) return accountNumbers.push(accountNumber);
      const page = await holdersPage(service.database, teamId, accountNumber, { limit: mostItems });
      if (page.next !== undefined) return accountNumbers.push(accountNumber);
      return page.contactIds.forEach((contactId) => {
        add(contactId, templateIds);
      });
    });
  }
  return { concerned, accountNumbers };
}

/** Those who have a journey, and those who can have one of so many templates that their journeys are read to know it. */
async function withJourneys(
  database: Database,
  teamId: string,
  concerned: readonly [string, ReadonlySet<string>][],
): Promise<{ having: string[]; unknown: string[] }> {
  const few = concerned.filter(([, templateIds]) => templateIds.size <= mostKeys);
  const keys = few.flatMap(([contactId, ids]) => [...ids].map((templateId) => ({ contactId, templateId })));
  const having = new Set<string>();
  for (const part of chunksOf(keys, keysAtOnce)) {
    const stored = await loadJourneys(database, teamId, part);
    for (const [index, { contactId }] of part.entries()) if (stored[index]) having.add(contactId);
  }
  const unknown = concerned.flatMap(([id, templateIds]) => (templateIds.size > mostKeys ? [id] : []));
  return { having: [...having], unknown };
}

type Fact = Extract<ItemChange, { kind: 'contact' | 'journey' | 'link' | 'account' }>;

function isFact(change: ItemChange): change is Fact & ItemChange {
  if (change.kind === 'contact') return freshObjectives(change).length > 0;
  if (change.kind === 'journey') return change.before === undefined;
  return change.kind === 'link' || change.kind === 'account';
}

const isCompletedPage = (change: ItemChange): boolean =>
  change.kind === 'action' && change.after?.kind === 'completed' && change.before === undefined;

/** A journey whose results can have changed. What counting itself writes is not among them. */
function journeyIn(change: ItemChange): JourneyKey[] {
  const isChanged =
    (change.kind === 'action' && change.after) ||
    (change.kind === 'journey' && change.after && JSON.stringify(change.before) !== JSON.stringify(change.after));
  if (isChanged) {
    const { contactId, templateId, accountId } = change;
    return [{ contactId, templateId, accountId }];
  }
  if (change.kind !== 'response' || !change.after) return [];
  const { template_id: templateId, account_id: accountId } = change.after;
  return [{ contactId: change.contactId, templateId, accountId }];
}

/**
 * The journeys of messages whose counts can have changed. A message by whose link somebody left is marked first: that
 * change follows in the stream.
 */
async function journeysOfMessages(
  service: SettleService,
  teamId: string,
  changes: readonly ItemChange[],
): Promise<JourneyKey[]> {
  for (const { messageId, at } of changes.flatMap(leavingIn)) await markUnsubscribed(service, teamId, messageId, at);
  const ids = changes.flatMap((change) => {
    if (change.kind !== 'send' || !change.after) return [];
    // It still waits.
    const isSame = change.before?.state === 'scheduled' && change.after.state === 'scheduled';
    return isSame ? [] : change.after.journey_id;
  });
  const found = ids.length === 0 ? [] : await findJourneys(service.database, teamId, [...new Set(ids)]);
  return found.flatMap((key) => key ?? []);
}

function leavingIn(change: ItemChange): { messageId: string; at: string }[] {
  if (change.kind !== 'contact') return [];
  const { left_at: at, left_by: messageId } = change.after ?? {};
  return at !== undefined && at !== change.before?.left_at && messageId !== undefined ? [{ messageId, at }] : [];
}

function freshObjectives({ before, after }: Extract<ItemChange, { kind: 'contact' }>): string[] {
  const known = before?.completions ?? {};
  return Object.keys(after?.completions ?? {}).filter((id) => !Object.hasOwn(known, id));
}

function factTemplates({ templates, team }: Content): FactTemplates {
  const found: FactTemplates = { open: [], byObjective: new Map(), ids: new Set() };
  for (const { id, template_pages } of templates) {
    const pages = template_pages.map(({ page }): CompletionRule => page).filter(isPublished);
    const matches = pages
      .filter((page) => page.completion_condition === 'open')
      .map((page) => opens(page, team?.features ?? []));
    if (matches.length > 0)
      found.open.push({ id, isCompletedBy: (product) => matches.some((matchesPage) => matchesPage(product)) });
    if (matches.length > 0) found.ids.add(id);
    for (const { completion_condition, objective_id } of pages) {
      if (completion_condition !== 'objective' || objective_id === null) continue;
      found.byObjective.set(objective_id, [...(found.byObjective.get(objective_id) ?? []), id]);
      found.ids.add(id);
    }
  }
  return found;
}

/** `templateIds`: the templates with pages that the product of the account completes. */
type AccountWithTemplates = AccountChange & { templateIds: readonly string[] };

async function accountsWithTemplates(
  { productCache }: JourneyService,
  teamId: string,
  changes: readonly AccountChange[],
  open: readonly OpenTemplate[],
): Promise<AccountWithTemplates[]> {
  if (changes.length === 0 || open.length === 0) return [];
  const products = await productCache.products(teamId, [...new Set(changes.map(({ productCode }) => productCode))]);
  const completed = new Map(
    [...products].map(([code, product]) => [code, open.filter((each) => each.isCompletedBy(product))]),
  );
  return changes.map((change) => {
    const templateIds = (completed.get(change.productCode) ?? []).map(({ id }) => id);
    return { ...change, templateIds };
  });
}

/** The accounts to which contacts can have been linked before, each once. */
function linkedBefore(accounts: readonly AccountWithTemplates[], noted: ReadonlySet<string>): AccountWithTemplates[] {
  const completing = accounts.filter(({ templateIds }) => templateIds.length > 0);
  const linked = completing.filter(({ isNew, accountNumber }) => !isNew || noted.has(accountNumber));
  return [...new Map(linked.map((each) => [each.accountNumber, each])).values()];
}
