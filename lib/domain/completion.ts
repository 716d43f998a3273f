import type { Completions } from './objective.ts';
import type { TeamFeature } from './team.ts';

/** What a person did on a page of a journey; `finished` on the page whose completion completed the journey. */
export const actionKinds = ['viewed', 'completed', 'finished'] as const;
export type ActionKind = (typeof actionKinds)[number];
export type JourneyAction = { kind: ActionKind; page_id: string /** ISO 8601, of the first time. */; at: string };

/** What the journey page reports of a page. */
export const pageActionTypes = ['page_viewed', 'page_completed'] as const;
export type PageAction = { type: (typeof pageActionTypes)[number]; page_id: string };

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
};

/** The product of an account that is linked to the contact. */
export type HeldProduct = { id: string; type: string; standardized_type: string };

export type Circumstances = {
  actions: readonly JourneyAction[];
  /** Of the contact. */
  completions: Completions;
  held: readonly HeldProduct[];
  features: readonly TeamFeature[];
};

/** Progress of a journey as the interface shows it (specification, "analytics_cache"). Page ids in page order. */
export type Analytics = {
  is_completed: boolean;
  is_completely_viewed: boolean;
  last_viewed: string | null;
  pages_completed: string[];
  pages_viewed: string[];
};

/**
 * Derived at reading from what is stored, so that whatever came first, the journey, an account, a link, the contact or
 * a change of the template, the answer is the same (contract, section 6).
 * @param pages in page order
 */
export function analyticsOf(pages: readonly CompletionRule[], circumstances: Circumstances): Analytics {
  const { actions } = circumstances;
  const viewed = distinct(pages.filter(({ id }) => has(actions, 'viewed', id)));
  const completed = distinct(pages.filter((page) => isComplete(page, circumstances)));
  return {
    is_completed: actions.some(({ kind }) => kind === 'finished') || areComplete(pages, circumstances),
    is_completely_viewed: pages.length > 0 && pages.every(({ id }) => viewed.includes(id)),
    last_viewed: latest(actions.filter(({ kind }) => kind === 'viewed')),
    pages_completed: completed,
    pages_viewed: viewed,
  };
}

/** Whether every page with a condition is complete. A template without such pages has nothing to complete. */
export function areComplete(pages: readonly CompletionRule[], circumstances: Circumstances): boolean {
  const conditional = pages.filter((page) => page.completion_condition !== null);
  return conditional.length > 0 && conditional.every((page) => isComplete(page, circumstances));
}

function isComplete(page: CompletionRule, { actions, completions, held, features }: Circumstances): boolean {
  switch (page.completion_condition) {
    case 'view':
      return has(actions, 'viewed', page.id) || has(actions, 'completed', page.id);
    case 'confirm':
    case 'action':
      return has(actions, 'completed', page.id);
    case 'objective':
      return page.objective_id !== null && Object.hasOwn(completions, page.objective_id);
    case 'open':
      return held.some(opens(page, features));
    case null:
      return false;
  }
}

/** Conditions that the journey page itself can meet; the others follow from what is stored elsewhere. */
export const completesOnPage = ({ completion_condition: condition }: CompletionRule): boolean =>
  condition === 'view' || condition === 'confirm' || condition === 'action';

/** Whether a journey's progress depends on the accounts of its contact. */
export const asksForAccounts = (pages: readonly CompletionRule[]): boolean =>
  pages.some(({ completion_condition }) => completion_condition === 'open');

/**
 * Which products open the page. Its product set applies only for teams with both reporting features; else all that is
 * set of product and type must agree, and a page that names neither is opened by nothing.
 */
function opens(page: CompletionRule, features: readonly TeamFeature[]): (product: HeldProduct) => boolean {
  const { completion_product_ids: ids, completion_standardized_types: types } = page;
  if (countsSets(features) && ids.length + types.length > 0) {
    return (product) => ids.includes(product.id) || types.includes(product.standardized_type);
  }
  const { completion_product_id: id, completion_product_type: type } = page;
  if (id === null && type === null) return () => false;
  return (product) => (id === null || product.id === id) && (type === null || product.type === type);
}

const countsSets = (features: readonly TeamFeature[]): boolean =>
  features.includes('product_objective_reporting') && features.includes('product_objective_reporting_phase_2');

const has = (actions: readonly JourneyAction[], kind: ActionKind, pageId: string): boolean =>
  actions.some((action) => action.kind === kind && action.page_id === pageId);

const distinct = (pages: readonly CompletionRule[]): string[] => [...new Set(pages.map(({ id }) => id))];

const latest = (actions: readonly JourneyAction[]): string | null =>
  actions.reduce<string | null>((last, { at }) => (last === null || at > last ? at : last), null);
