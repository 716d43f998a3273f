import { type CompletionRule, type HeldProduct, isPublished, opens } from '../../domain/completion.ts';
import type { Content } from '../../store/content.ts';
import { chunksOf } from '../../store/database.ts';
import { loadHolders, withEarlierHolders } from '../../store/holders.ts';
import type { AccountChange, ItemChange } from '../../store/item-changes.ts';
import { loadContactAggregate, loadJourneys } from '../../store/journeys.ts';
import type { ProgressDependencies } from '../journeys/dependencies.ts';
import { accountsOf, progressOf, recordShown } from '../journeys/progress.ts';

/** A template with published pages that an account completes. */
type OpenTemplate = { id: string; isCompletedBy(product: HeldProduct): boolean };
/** The templates with published pages that stored facts complete, by the kind of fact. */
type FactTemplates = { open: OpenTemplate[]; byObjective: Map<string, string[]> };

/** Contacts or accounts that are read at the same time. */
const parallel = 25;

/**
 * Records the completions whose facts are in these changes: objectives, links, accounts, new journeys and pages. A
 * reader decides the same from the same facts, and the first of them records it (contract, section 6).
 */
export async function settle(
  dependencies: ProgressDependencies,
  teamId: string,
  changes: readonly ItemChange[],
): Promise<void> {
  const relevant = changes.filter(isFact);
  if (relevant.length === 0) return;
  const content = await dependencies.content.current(teamId);
  const found = factTemplates(content);
  const pairs = new Map<string, { contactId: string; templateId: string }>();
  const add = (contactId: string, templateIds: readonly string[]) => {
    for (const templateId of templateIds) pairs.set(`${contactId}#${templateId}`, { contactId, templateId });
  };
  const accounts = relevant.filter((change) => change.kind === 'account');
  // The product of such an account says which templates are concerned.
  const named = new Set(
    accounts.flatMap(({ accountNumber, holders }) => holders.map((id) => `${id}#${accountNumber}`)),
  );
  const open = found.open.map(({ id }) => id);
  const concerned = new Set([...open, ...[...found.byObjective.values()].flat()]);
  for (const change of relevant) {
    if (change.kind === 'contact') {
      for (const objective of freshObjectives(change)) add(change.contactId, found.byObjective.get(objective) ?? []);
    } else if (change.kind === 'journey' || change.kind === 'action')
      add(change.contactId, concerned.has(change.templateId) ? [change.templateId] : []);
    else if (change.kind === 'link' && !named.has(`${change.contactId}#${change.accountNumber}`))
      add(change.contactId, open);
  }
  for (const { contactIds, templateIds } of await concernedByAccounts(dependencies, teamId, accounts, found.open))
    for (const contactId of contactIds) add(contactId, templateIds);
  const keys = [...pairs.values()];
  const journeys = await loadJourneys(dependencies.database, teamId, keys);
  const contactIds = new Set(keys.filter((_, index) => journeys[index]).map(({ contactId }) => contactId));
  await inGroups([...contactIds], async (contactId) => {
    const aggregate = await loadContactAggregate(dependencies.database, teamId, contactId);
    if (!aggregate) return;
    const accounts = accountsOf(dependencies, teamId, aggregate.links);
    const progress = await progressOf(aggregate, content, accounts, dependencies.now());
    await recordShown(dependencies.database, teamId, progress);
  });
}

type Fact = Extract<ItemChange, { kind: 'contact' | 'journey' | 'action' | 'link' | 'account' }>;

function isFact(change: ItemChange): change is Fact {
  if (change.kind === 'contact') return freshObjectives(change).length > 0;
  if (change.kind === 'journey') return change.before === undefined;
  // A fact and the last other page can be completed at the same time, and neither write sees that the journey is complete.
  if (change.kind === 'action') return change.after?.kind === 'completed' && change.before === undefined;
  return change.kind === 'link' || change.kind === 'account';
}

function freshObjectives({ before, after }: Extract<ItemChange, { kind: 'contact' }>): string[] {
  const known = before?.completions ?? {};
  return Object.keys(after?.completions ?? {}).filter((id) => !Object.hasOwn(known, id));
}

function factTemplates({ templates, team }: Content): FactTemplates {
  const found: FactTemplates = { open: [], byObjective: new Map() };
  for (const { id, template_pages } of templates) {
    const pages = template_pages.map(({ page }): CompletionRule => page).filter(isPublished);
    const matches = pages
      .filter((page) => page.completion_condition === 'open')
      .map((page) => opens(page, team?.features ?? []));
    if (matches.length > 0)
      found.open.push({ id, isCompletedBy: (product) => matches.some((matchesPage) => matchesPage(product)) });
    for (const { completion_condition, objective_id } of pages) {
      if (completion_condition !== 'objective' || objective_id === null) continue;
      found.byObjective.set(objective_id, [...(found.byObjective.get(objective_id) ?? []), id]);
    }
  }
  return found;
}

/** Contacts, and the templates with pages that the product of their account completes. */
type Concerned = { contactIds: readonly string[]; templateIds: readonly string[] };

/** Most accounts of an import have no earlier holders, so only a key is read for them. */
async function concernedByAccounts(
  { database, productCache }: ProgressDependencies,
  teamId: string,
  changes: readonly AccountChange[],
  open: readonly OpenTemplate[],
): Promise<Concerned[]> {
  if (changes.length === 0 || open.length === 0) return [];
  const products = await productCache.products(teamId, [...new Set(changes.map(({ productCode }) => productCode))]);
  const completing = changes.flatMap((change) => {
    const product = products.get(change.productCode);
    const templateIds = product ? open.filter((each) => each.isCompletedBy(product)).map(({ id }) => id) : [];
    return templateIds.length === 0 ? [] : [{ ...change, templateIds }];
  });
  const created = completing.filter(({ isNew }) => isNew).map(({ accountNumber }) => accountNumber);
  const linkedBefore = await withEarlierHolders(database, teamId, created);
  const found: Concerned[] = [];
  await inGroups(completing, async ({ accountNumber, isNew, holders, templateIds }) => {
    const isComplete = isNew && !linkedBefore.has(accountNumber);
    found.push({ templateIds, contactIds: isComplete ? holders : await loadHolders(database, teamId, accountNumber) });
  });
  return found;
}

async function inGroups<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  for (const group of chunksOf(values, parallel)) await Promise.all(group.map(work));
}
