import { type CompletionRule, type HeldProduct, isPublished, opens } from '../../domain/completion.ts';
import type { Contact } from '../../domain/contact.ts';
import type { Content } from '../../store/content.ts';
import { chunksOf, type Database } from '../../store/database.ts';
import { loadHolders, withEarlierHolders } from '../../store/holders.ts';
import type { AccountChange, ItemChange } from '../../store/item-changes.ts';
import type { JourneyKey } from '../../store/journey-items.ts';
import {
  type ContactAggregate,
  type JourneyWithActions,
  loadContactAggregate,
  loadJourneys,
  loadJourneyWithActions,
} from '../../store/journeys.ts';
import { together } from '../../store/together.ts';
import { type AccountReader, accountsOf, needsAccounts, progressOf, recordShown } from '../journeys/progress.ts';
import type { ProgressDependencies } from '../service.ts';

/** A template with published pages that an account completes. */
type OpenTemplate = { id: string; isCompletedBy(product: HeldProduct): boolean };
/** The templates with published pages that stored facts complete: their ids, and by the kind of fact. */
type FactTemplates = { open: OpenTemplate[]; byObjective: Map<string, string[]>; ids: Set<string> };

/** Contacts, journeys or accounts that are read at the same time. */
const parallel = 25;
/** Contacts whose accounts are read together, and whose completions are written together. */
const contactsAtOnce = 100;

/**
 * Records the completions whose facts are in these changes: objectives, links, accounts, new journeys and pages. A
 * reader decides the same from the same facts, and the first of them records it (contract, section 6).
 * @returns the journeys that were read for this, except those of which something was recorded
 */
export async function settle(
  dependencies: ProgressDependencies,
  teamId: string,
  changes: readonly ItemChange[],
): Promise<JourneyWithActions[]> {
  const facts = changes.filter(isFact);
  const pages = changes.filter(isCompletedPage);
  if (facts.length + pages.length === 0) return [];
  const { database } = dependencies;
  const content = await dependencies.content.current(teamId);
  const templates = factTemplates(content);
  const pairs = await concernedPairs(dependencies, teamId, facts, templates);
  const stored = await loadJourneys(database, teamId, pairs);
  const contactIds = new Set(pairs.filter((_, index) => stored[index]).map(({ contactId }) => contactId));
  let read: JourneyWithActions[] = [];
  const recordOf = async (found: readonly (Facts | undefined)[]) => {
    const existing = found.filter((facts) => facts !== undefined);
    read = read.concat(await recordCompletions(dependencies, teamId, content, existing));
  };
  for (const group of chunksOf([...contactIds], contactsAtOnce))
    await recordOf(await together(group, parallel, (contactId) => loadContactAggregate(database, teamId, contactId)));
  const other = pages.filter(
    ({ contactId, templateId }) => templates.ids.has(templateId) && !contactIds.has(contactId),
  );
  await recordOf(await together(pairsOf(other), parallel, (key) => recordedFacts(database, teamId, key)));
  return read;
}

/** What decides which pages of the journeys of a contact are complete. */
type Facts = Pick<ContactAggregate, 'journeys' | 'links'> & { contact: Pick<Contact, 'completions'> };

/**
 * A fact and the last other page can be completed at the same time, and neither write sees that the journey is complete.
 * What is recorded of the journey shows it.
 */
async function recordedFacts(database: Database, teamId: string, key: JourneyKey): Promise<Facts | undefined> {
  const journey = await loadJourneyWithActions(database, teamId, key);
  return journey && { journeys: [journey], links: [], contact: { completions: {} } };
}

/** @returns the journeys that had nothing to record */
async function recordCompletions(
  { database, productCache, now }: ProgressDependencies,
  teamId: string,
  content: Content,
  found: readonly Facts[],
): Promise<JourneyWithActions[]> {
  const links = found.flatMap((facts) => (needsAccounts(facts, content) ? facts.links : []));
  const reader = { productCache: await readTogether(productCache, teamId, links) };
  const progress = await Promise.all(
    found.map((facts) => progressOf(facts, content, accountsOf(reader, teamId, facts.links), now())),
  );
  await recordShown(database, teamId, progress.flat());
  const changed = new Set(progress.flat().flatMap(({ journey, unrecorded: [first] }) => (first ? journey.id : [])));
  return found.flatMap(({ journeys }) => journeys.filter(({ journey }) => !changed.has(journey.id)));
}

/** Reads the accounts of all these links in one round trip. */
async function readTogether(
  productCache: ProgressDependencies['productCache'],
  teamId: string,
  links: ContactAggregate['links'],
): Promise<AccountReader['productCache']> {
  const numbers = [...new Set(links.map(({ account_number }) => account_number))];
  const accounts = await productCache.accounts(teamId, numbers);
  const found = new Map(numbers.map((number, index) => [number, accounts[index]]));
  return { accounts: async (_, wanted) => wanted.map((number) => found.get(number)) };
}

/** The journeys that these facts can complete, if they exist. */
async function concernedPairs(
  dependencies: ProgressDependencies,
  teamId: string,
  facts: readonly Fact[],
  { open, byObjective, ids }: FactTemplates,
): Promise<JourneyKey[]> {
  const changes = facts.filter((change) => change.kind === 'account');
  const accounts = await accountsWithTemplates(dependencies, teamId, changes, open);
  const byNumber = Map.groupBy(accounts, ({ accountNumber }) => accountNumber);
  const templatesOf = (change: Exclude<Fact, AccountChange>): readonly string[] => {
    if (change.kind === 'contact') return freshObjectives(change).flatMap((id) => byObjective.get(id) ?? []);
    if (change.kind === 'journey') return ids.has(change.templateId) ? [change.templateId] : [];
    const known = byNumber.get(change.accountNumber);
    return known ? known.flatMap(({ templateIds }) => templateIds) : open.map(({ id }) => id);
  };
  const concerned = [
    ...facts.flatMap((change) =>
      change.kind === 'account' ? [] : { contactIds: [change.contactId], templateIds: templatesOf(change) },
    ),
    ...(await concernedHolders(dependencies, teamId, accounts)),
  ];
  return pairsOf(
    concerned.flatMap(({ contactIds, templateIds }) =>
      contactIds.flatMap((contactId) => templateIds.map((templateId) => ({ contactId, templateId }))),
    ),
  );
}

/** Each of these journeys once. */
const pairsOf = (keys: readonly JourneyKey[]): JourneyKey[] => [
  ...new Map(
    keys.map(({ contactId, templateId }) => [`${contactId}#${templateId}`, { contactId, templateId }]),
  ).values(),
];

type Fact = Extract<ItemChange, { kind: 'contact' | 'journey' | 'link' | 'account' }>;

function isFact(change: ItemChange): change is Fact & ItemChange {
  if (change.kind === 'contact') return freshObjectives(change).length > 0;
  if (change.kind === 'journey') return change.before === undefined;
  return change.kind === 'link' || change.kind === 'account';
}

type PageChange = Extract<ItemChange, { kind: 'action' }>;
const isCompletedPage = (change: ItemChange): change is PageChange =>
  change.kind === 'action' && change.after?.kind === 'completed' && change.before === undefined;

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
  { productCache }: ProgressDependencies,
  teamId: string,
  changes: readonly AccountChange[],
  open: readonly OpenTemplate[],
): Promise<AccountWithTemplates[]> {
  if (changes.length === 0 || open.length === 0) return [];
  const products = await productCache.products(teamId, [...new Set(changes.map(({ productCode }) => productCode))]);
  return changes.map((change) => {
    const product = products.get(change.productCode);
    const completed = product ? open.filter((each) => each.isCompletedBy(product)) : [];
    return { ...change, templateIds: completed.map(({ id }) => id) };
  });
}

/**
 * The contacts that were linked to these accounts before. Most accounts of an import are new and have none, so only a
 * key is read for them: their links are stored after them, and are changes of their own.
 */
async function concernedHolders(
  { database }: ProgressDependencies,
  teamId: string,
  accounts: readonly AccountWithTemplates[],
): Promise<{ contactIds: readonly string[]; templateIds: readonly string[] }[]> {
  const completing = accounts.filter(({ templateIds }) => templateIds.length > 0);
  const created = completing.filter(({ isNew }) => isNew).map(({ accountNumber }) => accountNumber);
  const linkedBefore = await withEarlierHolders(database, teamId, created);
  const linked = completing.filter(({ isNew, accountNumber }) => !isNew || linkedBefore.has(accountNumber));
  return together(linked, parallel, async ({ accountNumber, templateIds }) => ({
    templateIds,
    contactIds: await loadHolders(database, teamId, accountNumber),
  }));
}
