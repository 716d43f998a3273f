import { closedDateOf } from '../../domain/accounts/account.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import {
  type Analytics,
  analyticsOf,
  asksForAccounts,
  type CompletionRule,
  type JourneyAction,
  unrecorded,
} from '../../domain/journeys/completion.ts';
import type { GivenAnswer } from '../../domain/journeys/given-answer.ts';
import { changedAt, endedAt, type Journey } from '../../domain/journeys/journey.ts';
import { accountFor, type LinkedAccount, linksNamedFirst } from '../../domain/journeys/linked-account.ts';
import type { Team } from '../../domain/teams/team.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { ProductCache } from '../../store/accounts/products.ts';
import type { Content, ContentCache } from '../../store/campaigns/content.ts';
import type { GivenAnswers } from '../../store/journeys/journey-items.ts';
import {
  type ContactAggregate,
  type JourneyWithActions,
  recordAllActions,
  timesOf,
} from '../../store/journeys/journeys.ts';
import type { Database } from '../../store/table/database.ts';
import { derivedAccountId } from '../../store/table/ids.ts';
import { findInContent } from '../campaigns/find-template.ts';
import type { JourneyService } from '../service.ts';

/** A journey with its template and its progress. */
export type JourneyProgress = {
  journey: Journey;
  actions: readonly JourneyAction[];
  answers: readonly GivenAnswer[];
  given: GivenAnswers;
  template: Template;
  analytics: Analytics;
  /** Actions that must be recorded before the analytics are shown. */
  unrecorded: readonly JourneyAction[];
  /** The same with these actions recorded. @param now milliseconds since the epoch */
  with(actions: readonly JourneyAction[], now: number): JourneyProgress;
};

const pagesOf = ({ template_pages }: Template): CompletionRule[] => template_pages.map(({ page }) => page);

/** Content with the templates of all journeys. @param cached the content that was read already */
export async function contentFor(
  cache: ContentCache,
  teamId: string,
  aggregate: ContactAggregate,
  cached: Content,
): Promise<Content> {
  const hasAll = (content: Content) => pairsOf(aggregate, content).length === aggregate.journeys.length;
  const found = await findInContent(cache, teamId, (content) => (hasAll(content) ? content : undefined), cached);
  return found ?? cache.current(teamId);
}

/** Returns the accounts that are linked to a contact. They are read at the first call only. */
export type AccountsOf = () => Promise<readonly LinkedAccount[]>;

/** True if the accounts of the contact can still complete a page of these journeys. */
export const needsAccounts = (aggregate: Pick<ContactAggregate, 'journeys'>, content: Content): boolean =>
  pairsOf(aggregate, content).some(({ template, actions }) => asksForAccounts(pagesOf(template), actions));

/** The journeys of the contact aggregate, in its order, with their progress. */
export async function progressOf(
  aggregate: Pick<ContactAggregate, 'journeys'> & { contact: Pick<Contact, 'completions'> },
  content: Content,
  accounts: AccountsOf,
  now: number,
): Promise<JourneyProgress[]> {
  const pairs = pairsOf(aggregate, content);
  const { completions } = aggregate.contact;
  const held = needsAccounts(aggregate, content) ? await accounts() : [];
  const features = content.team?.features ?? [];
  return pairs.map(({ template, journey, actions, answers, given }) => {
    const progressWith = (recorded: readonly JourneyAction[], at: number): JourneyProgress => {
      const pages = pagesOf(template);
      const circumstances = {
        actions: recorded,
        completions,
        held,
        features,
        startedAt: journey.inserted_at,
        endedAt: endedAt(journey),
      };
      const analytics = analyticsOf(pages, circumstances);
      const fresh = unrecorded(pages, circumstances, timestamp(at));
      const shown = changedAt(journey, timesOf({ actions: [...recorded, ...fresh], answers }));
      const own = { journey: shown, actions: recorded, answers, given, template, analytics };
      return { ...own, unrecorded: fresh, with: progressWith };
    };
    return progressWith(actions, now);
  });
}

/**
 * Records the completions that these journeys are about to be shown with. Writes nothing if all are recorded, or to a
 * journey that was erased since it was read.
 * @returns the ids of those that were completed here, but have been cancelled or have expired since they were read
 */
export async function recordShown(
  database: Database,
  teamId: string,
  progress: readonly JourneyProgress[],
): Promise<string[]> {
  const journeys = progress.map(({ journey, unrecorded: actions }) => ({ journey, actions }));
  return recordAllActions(database, teamId, journeys);
}

/** The journeys of the contact aggregate, in its order, with their templates. */
export function pairsOf(
  { journeys }: Pick<ContactAggregate, 'journeys'>,
  { templates }: Content,
): (JourneyWithActions & { template: Template })[] {
  const found = new Map(templates.map((template) => [template.id, template]));
  return journeys.flatMap((journey) => {
    const template = found.get(journey.journey.template_id);
    return template ? [{ ...journey, template }] : [];
  });
}

/** Reads accounts with their products. */
export type AccountReader = { productCache: Pick<ProductCache, 'accounts'> };

export function accountsOf(
  { productCache }: AccountReader,
  teamId: string,
  links: ContactAggregate['links'] | (() => Promise<ContactAggregate['links']>),
): AccountsOf {
  let accounts: Promise<readonly LinkedAccount[]> | undefined;
  const read = async () => linkedAccounts(productCache, teamId, typeof links === 'function' ? await links() : links);
  return () => {
    accounts ??= read();
    return accounts;
  };
}

/**
 * The account that the placeholders `account.…` mean: the one that the journey is about, if it is still linked, else the
 * one of the contact that {@link accountFor} chooses.
 */
export async function placeholderAccount(
  service: AccountReader & Pick<JourneyService, 'now'>,
  { team_id, features }: Team,
  { journey, page, links, accounts }: AccountChoice,
): Promise<LinkedAccount | undefined> {
  const { account_id } = journey;
  if (account_id === null) return accountFor(page, await accounts(), features, timestamp(service.now()));
  const own = links.filter(({ account_number }) => derivedAccountId(team_id, account_number) === account_id);
  const [account] = await accountsOf(service, team_id, own)();
  return account;
}
type AccountChoice = { journey: Pick<Journey, 'account_id'>; page: CompletionRule; accounts: AccountsOf } & Pick<
  ContactAggregate,
  'links'
>;

/** Accounts that a public route reads, and products that it reads to choose them. */
const mostShown = 60;

/** The accounts for a public route: of a contact with many, first those that the pages of its journeys name. */
export const shownAccountsOf = (
  service: Pick<JourneyService, 'productCache'>,
  teamId: string,
  aggregate: ContactAggregate,
  content: Content,
): AccountsOf => accountsOf(service, teamId, () => firstLinks(service, teamId, aggregate, content));

async function firstLinks(
  { productCache }: Pick<JourneyService, 'productCache'>,
  teamId: string,
  aggregate: ContactAggregate,
  content: Content,
): Promise<ContactAggregate['links']> {
  const { links } = aggregate;
  if (links.length <= mostShown) return links;
  const codes = new Set(links.flatMap(({ product_code }) => product_code ?? []));
  const products = await productCache.products(teamId, [...codes].slice(0, mostShown));
  const pages = pairsOf(aggregate, content).flatMap(({ template }) => pagesOf(template));
  const features = content.team?.features ?? [];
  return linksNamedFirst(links, { most: mostShown, pages, features, productOf: (code) => products.get(code) });
}

/** Links to accounts that do not exist yet are left out. */
async function linkedAccounts(
  productCache: AccountReader['productCache'],
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
    const closed_date = closedDateOf(found.account);
    const since = found.since > link.inserted_at ? found.since : link.inserted_at;
    return [{ ...link, ...found, closed_date, since }];
  });
}
