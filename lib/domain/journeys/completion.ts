import * as z from 'zod';
import { type Completions, instant } from '../contacts/objective.ts';
import { hasCompletionSets, type TeamFeature } from '../teams/team.ts';
import { uuid } from '../values/uuid.ts';

/** Recorded actions on a page of a journey. `finished` is on the page whose completion completed the journey. */
export const actionKinds = ['viewed', 'completed', 'finished'] as const;
export type ActionKind = (typeof actionKinds)[number];
export type JourneyAction = {
  kind: ActionKind;
  page_id: string;
  /** Time of the first occurrence, ISO 8601. For a completion, the time of the fact that completed the page. */
  at: string;
  /** Time of the latest occurrence, if the action was repeated. */
  last?: string | undefined;
  /** Time at which it was recorded, if that is another time. */
  recorded_at?: string | undefined;
};

/** The actions that the journey page sends. */
export const pageActionTypes = ['page_viewed', 'page_completed'] as const;
export type PageActionType = (typeof pageActionTypes)[number];

/** The fields of a template page that decide when it is complete (specification, "Template page"). */
export type CompletionRule = {
  readonly id: string;
  readonly completion_condition: 'action' | 'confirm' | 'objective' | 'open' | 'view' | null;
  readonly objective_id: string | null;
  readonly completion_product_id: string | null;
  readonly completion_product_type: string | null;
  /** At most one of these two lists is not empty. */
  readonly completion_product_ids: readonly string[];
  readonly completion_standardized_types: readonly string[];
} & PublicationState;

/** The fields that decide if a page is published. `null` does not prevent it. */
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
  /** ISO 8601 date or date-time. */
  readonly closed_date: string | null;
  /** Since when the link and the account, with its product and its closing date, have been stored. ISO 8601 in UTC. */
  readonly since: string;
};

export type CompletionContext = {
  actions: readonly JourneyAction[];
  /** Completed objectives of the contact. */
  completions: Completions;
  held: readonly HeldAccount[];
  features: readonly TeamFeature[];
  /** Start of the journey, ISO 8601 in UTC. Accounts that were closed before it do not count. */
  startedAt: string;
  /** Time at which the journey ended without a completion. Later facts complete nothing. */
  endedAt?: string | null;
};

/**
 * Progress of a journey in responses (specification, "analytics_cache"). Page ids are in page order. Ids of pages that
 * are no longer in the template come last.
 */
export const journeyAnalytics = z
  .object({
    is_completed: z.boolean().describe('True if every page with a condition is completed'),
    is_completely_viewed: z.boolean().describe('True if every page was viewed'),
    last_viewed: z.iso.datetime().nullable().describe('Time of the latest view of a page'),
    pages_completed: z.array(uuid()).describe('Page ids, in page order'),
    pages_viewed: z.array(uuid()).describe('Page ids, in page order'),
  })
  .meta({ id: 'JourneyAnalytics', description: 'The progress of a journey' });
export type Analytics = z.output<typeof journeyAnalytics>;

/**
 * Computes the progress when it is read. The result does not depend on the order in which the journey, accounts, links,
 * the contact or the template were written. A recorded completion is never undone (contract, section 6).
 * @param pages in page order
 */
export function analyticsOf(pages: readonly CompletionRule[], context: CompletionContext): Analytics {
  const { actions } = context;
  const published = pages.filter(isPublished);
  const viewed = recorded(actions, 'viewed');
  const completed = recorded(actions, 'completed');
  for (const page of published) if (completedAt(page, context) !== undefined) completed.add(page.id);
  return {
    is_completed: recorded(actions, 'finished').size > 0 || (!context.endedAt && areComplete(published, completed)),
    is_completely_viewed: published.length > 0 && published.every(({ id }) => viewed.has(id)),
    last_viewed: latest(actions.filter(({ kind }) => kind === 'viewed').map(({ at, last }) => last ?? at)),
    pages_completed: inPageOrder(completed, pages),
    pages_viewed: inPageOrder(viewed, pages),
  };
}

/**
 * The completions that must be recorded before these pages are shown, so that no later change undoes them. Their times
 * are those of the facts, so they are the same for everyone who records them (contract, section 6).
 * @param pages in page order @param now time of recording, ISO 8601
 */
export function unrecorded(pages: readonly CompletionRule[], context: CompletionContext, now: string): JourneyAction[] {
  const { actions } = context;
  const times = new Map(actions.filter(({ kind }) => kind === 'completed').map(({ page_id, at }) => [page_id, at]));
  const action = (kind: ActionKind, page_id: string, at: string): JourneyAction => ({
    ...{ kind, page_id, at },
    ...(at === now ? {} : { recorded_at: now }),
  });
  const published = pages.filter(isPublished);
  const fresh = published.flatMap((page) => {
    const at = times.has(page.id) ? undefined : completedAt(page, context);
    return at === undefined ? [] : [action('completed', page.id, at)];
  });
  for (const { page_id, at } of fresh) times.set(page_id, at);
  const isOpen = recorded(actions, 'finished').size === 0 && !context.endedAt;
  if (!isOpen || !areComplete(published, new Set(times.keys()))) return fresh;
  const last = latest(published.flatMap(({ id }) => times.get(id) ?? []))!;
  const page = published.findLast(({ id }) => times.get(id) === last)!;
  return [...fresh, action('finished', page.id, last)];
}

/** True if every page with a condition is complete. A journey without such pages is never complete. */
function areComplete(published: readonly CompletionRule[], completed: ReadonlySet<string>): boolean {
  const conditional = published.filter((page) => page.completion_condition !== null);
  return conditional.length > 0 && conditional.every(({ id }) => completed.has(id));
}

/** The time of the fact that completes the page; `undefined` if there is none, or the journey had ended before. */
function completedAt(page: CompletionRule, context: CompletionContext): string | undefined {
  const at = factAt(page, context);
  return at !== undefined && context.endedAt && at > context.endedAt ? undefined : at;
}

function factAt(
  page: CompletionRule,
  { actions, completions, held, features, startedAt }: CompletionContext,
): string | undefined {
  switch (page.completion_condition) {
    case 'view':
      return actions.find(({ kind, page_id }) => kind === 'viewed' && page_id === page.id)?.at;
    case 'objective': {
      const { objective_id: id } = page;
      return id !== null && Object.hasOwn(completions, id) ? completions[id] : undefined;
    }
    case 'open': {
      const isMatch = opens(page, features);
      const matching = held.filter(({ product, closed_date }) => isMatch(product) && isOpenAt(closed_date, startedAt));
      return matching.map(({ since }) => since).sort()[0];
    }
    default:
      return undefined;
  }
}

/** True if an action on the journey page completes the page. The other conditions depend on stored data. */
export const completesOnPage = ({ completion_condition: condition }: CompletionRule): boolean =>
  condition === 'view' || condition === 'confirm' || condition === 'action';

/** True if the accounts of the contact can still complete a page. */
export const asksForAccounts = (pages: readonly CompletionRule[], actions: readonly JourneyAction[]): boolean => {
  const completed = recorded(actions, 'completed');
  return pages.some((page) => page.completion_condition === 'open' && isPublished(page) && !completed.has(page.id));
};

/** True if an account with this closing date was open at that time. @param time ISO 8601 in UTC */
export const isOpenAt = (closedDate: string | null, time: string): boolean => {
  const closed = closedDate === null ? undefined : instant(closedDate);
  return closed === undefined || closed > time;
};

/**
 * Makes a function that returns true if a product completes the page. The product set of the page applies only for
 * teams with both reporting features. Otherwise both product and type must match, if they are set. If neither is set,
 * no product completes the page.
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
  return [...new Set([...known.filter((id) => ids.has(id)), ...[...ids].sort()])];
};

/** The latest of these times, all in ISO 8601 and UTC. */
const latest = (times: readonly string[]): string | null =>
  times.reduce<string | null>((last, time) => (last === null || time > last ? time : last), null);
