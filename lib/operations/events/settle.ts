import { type CompletionRule, isPublished } from '../../domain/completion.ts';
import { chunksOf } from '../../store/database.ts';
import { loadHolders } from '../../store/holders.ts';
import type { ItemChange } from '../../store/item-changes.ts';
import { loadContactAggregate, loadJourneys } from '../../store/journeys.ts';
import type { ProgressDependencies } from '../journeys/dependencies.ts';
import { accountsOf, progressOf, recordShown } from '../journeys/progress.ts';

/** The templates with published pages that stored facts complete, by the kind of fact. */
type FactTemplates = { open: string[]; byObjective: Map<string, string[]> };

/** Contacts or accounts that are read at the same time. */
const parallel = 25;

/**
 * Records the completions of pages whose facts are in these changes: objectives, links, accounts and new journeys. A
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
  const found = factTemplates(content.templates);
  const pairs = new Map<string, { contactId: string; templateId: string }>();
  const add = (contactId: string, templateIds: readonly string[]) => {
    for (const templateId of templateIds) pairs.set(`${contactId}#${templateId}`, { contactId, templateId });
  };
  await inGroups(relevant, async (change) => {
    if (change.kind === 'contact') {
      for (const objective of freshObjectives(change)) add(change.contactId, found.byObjective.get(objective) ?? []);
    } else if (change.kind === 'journey') add(change.contactId, [change.templateId]);
    else if (change.kind === 'link') add(change.contactId, found.open);
    else if (found.open.length > 0) {
      const { accountNumber } = change;
      for (const contactId of await loadHolders(dependencies.database, teamId, accountNumber))
        add(contactId, found.open);
    }
  });
  const concerned = new Set([...found.open, ...[...found.byObjective.values()].flat()]);
  const keys = [...pairs.values()].filter(({ templateId }) => concerned.has(templateId));
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

type Fact = Extract<ItemChange, { kind: 'contact' | 'journey' | 'link' | 'account' }>;

function isFact(change: ItemChange): change is Fact {
  if (change.kind === 'contact') return freshObjectives(change).length > 0;
  if (change.kind === 'journey') return change.before === undefined;
  return change.kind === 'link' || change.kind === 'account';
}

function freshObjectives({ before, after }: Extract<ItemChange, { kind: 'contact' }>): string[] {
  const known = before?.completions ?? {};
  return Object.keys(after?.completions ?? {}).filter((id) => !Object.hasOwn(known, id));
}

function factTemplates(
  templates: readonly { id: string; template_pages: readonly { page: CompletionRule }[] }[],
): FactTemplates {
  const found: FactTemplates = { open: [], byObjective: new Map() };
  for (const { id, template_pages } of templates) {
    const pages = template_pages.map(({ page }) => page).filter(isPublished);
    if (pages.some((page) => page.completion_condition === 'open')) found.open.push(id);
    for (const { completion_condition, objective_id } of pages) {
      if (completion_condition !== 'objective' || objective_id === null) continue;
      found.byObjective.set(objective_id, [...(found.byObjective.get(objective_id) ?? []), id]);
    }
  }
  return found;
}

async function inGroups<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  for (const group of chunksOf(values, parallel)) await Promise.all(group.map(work));
}
