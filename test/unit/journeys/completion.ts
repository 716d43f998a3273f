import type {
  actionKinds,
  CompletionContext,
  CompletionRule,
  HeldProduct,
} from '../../../lib/domain/journeys/completion.ts';

export const plain: CompletionRule = {
  id: 'page',
  completion_condition: null,
  objective_id: null,
  completion_product_id: null,
  completion_product_type: null,
  completion_product_ids: [],
  completion_standardized_types: [],
  is_archived: null,
  is_live: null,
  content_block_status: null,
};
export const page = (fields: Partial<CompletionRule>): CompletionRule => ({ ...plain, ...fields });
export const at = '2026-03-01T09:00:00.000000Z';
export const nothing: CompletionContext = { actions: [], completions: {}, held: [], features: [], startedAt: at };
export const did = (kind: (typeof actionKinds)[number], page_id = 'page', time = at) => ({ kind, page_id, at: time });
export const account = (product: HeldProduct, closed_date: string | null = null, since = at) => ({
  ...{ product, closed_date, since },
});
export const product = { id: 'savings-1', type: 'savings', standardized_type: 'ira_savings' };
export const savings = account(product);
