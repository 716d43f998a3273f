import {
  type Analytics,
  analyticsOf,
  asksForAccounts,
  type CompletionRule,
  type JourneyAction,
  unrecorded,
} from '../../domain/completion.ts';
import type { Template } from '../../domain/content/template.ts';
import { changedAt, type Journey } from '../../domain/journey.ts';
import type { LinkedAccount } from '../../domain/linked-account.ts';
import type { BlockAnswer } from '../../domain/response.ts';
import { timestamp } from '../../domain/timestamp.ts';
import type { Content, ContentCache } from '../../store/content.ts';
import type { Database } from '../../store/database.ts';
import { type ContactAggregate, insertionOf, type JourneyWithActions, timesOf } from '../../store/journeys.ts';
import { findInContent } from '../find-in-content.ts';
import type { ProgressDependencies } from './dependencies.ts';

/** A journey beside the template that it is from, and how far it has come. */
export type JourneyProgress = {
  journey: Journey;
  actions: readonly JourneyAction[];
  answers: readonly BlockAnswer[];
  template: Template;
  analytics: Analytics;
  /** What has to be recorded before the analytics are shown. */
  unrecorded: readonly JourneyAction[];
};

export const pagesOf = ({ template_pages }: Template): CompletionRule[] => template_pages.map(({ page }) => page);

/** Content that has the templates of all journeys. @param cached the content, where it was read already */
export async function contentFor(
  cache: ContentCache,
  teamId: string,
  file: ContactAggregate,
  cached?: Content,
): Promise<Content> {
  const hasAll = (content: Content) => pairsOf(file, content).length === file.journeys.length;
  const found = await findInContent(cache, teamId, (content) => (hasAll(content) ? content : undefined), cached);
  return found ?? cache.current(teamId);
}

/** The accounts that are linked to a contact; read once, when they are asked for. */
export type AccountsOf = () => Promise<readonly LinkedAccount[]>;

/** The file's journeys, in its order, and how far each has come. */
export async function progressOf(
  file: ContactAggregate,
  content: Content,
  accounts: AccountsOf,
  now: number,
): Promise<JourneyProgress[]> {
  const pairs = pairsOf(file, content);
  const isAsked = pairs.some(({ template, actions }) => asksForAccounts(pagesOf(template), actions));
  const { completions } = file.contact;
  const held = isAsked ? await accounts() : [];
  const features = content.team?.features ?? [];
  return pairs.map(({ template, journey, actions, answers }) => {
    const circumstances = { actions, completions, held, features, startedAt: journey.inserted_at };
    const analytics = analyticsOf(pagesOf(template), circumstances);
    const fresh = unrecorded(analytics, actions, timestamp(now));
    const shown = changedAt(journey, timesOf({ actions: [...actions, ...fresh], answers }));
    return { journey: shown, actions, answers, template, analytics, unrecorded: fresh };
  });
}

/** Records what these journeys are about to be shown as having completed; writes nothing where that is no news. */
export async function recordShown(
  database: Database,
  teamId: string,
  progress: readonly JourneyProgress[],
): Promise<void> {
  const writes = progress.flatMap(({ journey, unrecorded: fresh }) => {
    const key = { contactId: journey.contact_id, templateId: journey.template_id };
    return fresh.map((action) => insertionOf(teamId, key, action));
  });
  if (writes.length > 0) await database.write(writes);
}

/** The file's journeys, in its order, with their templates. */
export function pairsOf(
  { journeys }: ContactAggregate,
  { templates }: Content,
): (JourneyWithActions & { template: Template })[] {
  const found = new Map(templates.map((template) => [template.id, template]));
  return journeys.flatMap((journey) => {
    const template = found.get(journey.journey.template_id);
    return template ? [{ ...journey, template }] : [];
  });
}

export function accountsOf(
  { productCache }: Pick<ProgressDependencies, 'productCache'>,
  teamId: string,
  links: ContactAggregate['links'],
): AccountsOf {
  let accounts: Promise<readonly LinkedAccount[]> | undefined;
  return () => {
    accounts ??= linkedAccounts(productCache, teamId, links);
    return accounts;
  };
}

/** A link to an account that does not exist yet gives none. */
async function linkedAccounts(
  productCache: ProgressDependencies['productCache'],
  teamId: string,
  links: ContactAggregate['links'],
): Promise<LinkedAccount[]> {
  const described = await productCache.accounts(
    teamId,
    links.map((link) => link.account_number),
  );
  return links.flatMap((link, position) => {
    const found = described[position];
    if (!found) return [];
    const closed_date = (found.account.fields.closed_date as string | null | undefined) ?? null;
    return [{ ...link, ...found, closed_date }];
  });
}
