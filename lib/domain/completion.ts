import * as z from 'zod';
import { type Completions, instant } from './objective.ts';
import { hasCompletionSets, type TeamFeature } from './team.ts';
import { uuid } from './uuid.ts';

/** What a person did on a page of a journey; `finished` on the page whose completion completed the journey. */
export const actionKinds = ['viewed', 'completed', 'finished'] as const;
export type ActionKind = (typeof actionKinds)[number];
export type JourneyAction = {
  kind: ActionKind;
  page_id: string;
  /** ISO 8601, of the first time. */
  at: string;
  /** Of the latest time, where it happened again. */
  last?: string | undefined;
};

/** What the journey page reports of a page. */
export const pageActionTypes = ['page_viewed', 'page_completed'] as const;
export type PageActionType = (typeof pageActionTypes)[number];

/** What decides whether a page of a template is complete (specification, "Template page"). */
export type CompletionRule = {
  readonly id: string;
  readonly completion_condition: 'action' | 'confirm' | 'objective' | 'open' | 'view' | null;
  readonly objective_id: string | null;
  readonly completion_product_id: string | null;
  readonly completion_product_type: string | null;
  /** Of these two at most one is not empty. */
  readonly completion_product_ids: readonly string[];
  readonly completion_standardized_types: readonly string[];
} & PublicationState;

/** What says whether a page is there for people. What is unset says nothing against it. */
export type PublicationState = {
  readonly is_archived: boolean | null;
  readonly is_live: boolean | null;
  readonly content_block_status: 'draft' | 'published' | null;
};

export const isPublished = ({ is_archived, is_live, content_block_status }: PublicationState): boolean =>
  !is_archived && is_live !== false && content_block_status !== 'draft';

export type HeldProduct = { readonly id: string; readonly type: string; readonly standardized_type: string };

/** An account that is linked to the contact. */
export type HeldAccount = {
  readonly product: HeldProduct;
  /** ISO 8601, a date or a date-time. */
  readonly closed_date: string | null;
};

export type CompletionContext = {
  actions: readonly JourneyAction[];
  /** Of the contact. */
  completions: Completions;
  held: readonly HeldAccount[];
  features: readonly TeamFeature[];
  /** When the journey started, ISO 8601 in UTC: an account that was closed before does not count. */
  startedAt: string;
};

/**
 * Progress of a journey as the interface shows it (specification, "analytics_cache"). Page ids in page order, those of
 * pages that have left the template last.
 */
export const journeyAnalytics = z
  .object({
    is_completed: z.boolean().meta({ description: 'Every page with a condition completed' }),
    is_completely_viewed: z.boolean().meta({ description: 'Every page was viewed' }),
    last_viewed: z.iso.datetime().nullable().meta({ description: 'When a page was last viewed' }),
    pages_completed: z.array(uuid()).meta({ description: 'Page ids, in page order' }),
    pages_viewed: z.array(uuid()).meta({ description: 'Page ids, in page order' }),
  })
  .meta({ id: 'JourneyAnalytics', description: 'How far a journey is' });
export type Analytics = z.output<typeof journeyAnalytics>;

/**
 * Derived at reading from what is stored, so that whatever came first, the journey, an account, a link, the contact or
 * a change of the template, the result is the same. What was recorded as completed stays so (contract, section 6).
 * @param pages in page order
 */
export function analyticsOf(pages: readonly CompletionRule[], circumstances: CompletionContext): Analytics {
  const { actions } = circumstances;
  const published = pages.filter(isPublished);
  const viewed = recorded(actions, 'viewed');
  const completed = recorded(actions, 'completed');
  for (const page of published) if (isComplete(page, viewed, circumstances)) completed.add(page.id);
  return {
    is_completed: recorded(actions, 'finished').size > 0 || areComplete(published, completed),
    is_completely_viewed: published.length > 0 && published.every(({ id }) => viewed.has(id)),
    last_viewed: latest(actions.filter(({ kind }) => kind === 'viewed').map(({ at, last }) => last ?? at)),
    pages_completed: inPageOrder(completed, pages),
    pages_viewed: inPageOrder(viewed, pages),
  };
}

/**
 * What has to be recorded before somebody is shown these analytics, so that nothing takes it back later.
 * @param at the time of the record, ISO 8601
 */
export function unrecorded(analytics: Analytics, actions: readonly JourneyAction[], at: string): JourneyAction[] {
  const { pages_completed, is_completed } = analytics;
  const completed = recorded(actions, 'completed');
  const fresh = pages_completed.filter((id) => !completed.has(id));
  const last = fresh.at(-1) ?? pages_completed.at(-1);
  const isFinishing = is_completed && last !== undefined && recorded(actions, 'finished').size === 0;
  return [
    ...fresh.map((page_id) => ({ kind: 'completed' as const, page_id, at })),
    ...(isFinishing ? [{ kind: 'finished' as const, page_id: last, at }] : []),
  ];
}

/** Whether every page with a condition is complete. Without such pages there is nothing to complete. */
function areComplete(published: readonly CompletionRule[], completed: ReadonlySet<string>): boolean {
  const conditional = published.filter((page) => page.completion_condition !== null);
  return conditional.length > 0 && conditional.every(({ id }) => completed.has(id));
}

function isComplete(
  page: CompletionRule,
  viewed: ReadonlySet<string>,
  { completions, held, features, startedAt }: CompletionContext,
): boolean {
  switch (page.completion_condition) {
    case 'view':
      return viewed.has(page.id);
    case 'objective':
      return page.objective_id !== null && Object.hasOwn(completions, page.objective_id);
    case 'open': {
      const isMatch = opens(page, features);
      return held.some(({ product, closed_date }) => isMatch(product) && isOpenAt(closed_date, startedAt));
    }
    default:
      return false;
  }
}

/** Conditions that the journey page itself can meet; the others follow from what is stored elsewhere. */
export const completesOnPage = ({ completion_condition: condition }: CompletionRule): boolean =>
  condition === 'view' || condition === 'confirm' || condition === 'action';

/** Whether the accounts of the contact can still complete a page. */
export const asksForAccounts = (pages: readonly CompletionRule[], actions: readonly JourneyAction[]): boolean => {
  const completed = recorded(actions, 'completed');
  return pages.some((page) => page.completion_condition === 'open' && isPublished(page) && !completed.has(page.id));
};

/** Whether an account with this date of closing was open at that time. @param time ISO 8601 in UTC */
export const isOpenAt = (closedDate: string | null, time: string): boolean => {
  const closed = closedDate === null ? undefined : instant(closedDate);
  return closed === undefined || closed > time;
};

/**
 * Which products open the page. Its product set applies only for teams with both reporting features; else all that is
 * set of product and type must agree, and a page that names neither is opened by nothing.
 */
export function opens(page: CompletionRule, features: readonly TeamFeature[]): (product: HeldProduct) => boolean {
  const { completion_product_ids: ids, completion_standardized_types: types } = page;
  if (hasCompletionSets(features) && ids.length + types.length > 0) {
    return (product) => ids.includes(product.id) || types.includes(product.standardized_type);
  }
  const { completion_product_id: id, completion_product_type: type } = page;
  if (id === null && type === null) return () => false;
  return (product) => (id === null || product.id === id) && (type === null || product.type === type);
}

const recorded = (actions: readonly JourneyAction[], kind: ActionKind): Set<string> =>
  new Set(actions.filter((action) => action.kind === kind).map(({ page_id }) => page_id));

const inPageOrder = (ids: ReadonlySet<string>, pages: readonly CompletionRule[]): string[] => {
  const known = pages.map(({ id }) => id);
  return [...new Set([...known.filter((id) => ids.has(id)), ...[...ids].filter((id) => !known.includes(id)).sort()])];
};

/** The latest of these times, which are ISO 8601 in UTC. */
const latest = (times: readonly string[]): string | null =>
  times.reduce<string | null>((last, time) => (last === null || time > last ? time : last), null);
