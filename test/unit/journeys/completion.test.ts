import { describe, expect, test } from 'vitest';
import {
  analyticsOf,
  asksForAccounts,
  type CompletionContext,
  type CompletionRule,
  completesOnPage,
} from '../../../lib/domain/journeys/completion.ts';
import { teamFeatures } from '../../../lib/domain/teams/team.ts';
import { account, at, did, nothing, page, plain, product, savings } from './completion.ts';

describe('a page completes', () => {
  const [view, confirm, action] = (['view', 'confirm', 'action'] as const).map((completion_condition) =>
    page({ completion_condition }),
  ) as [CompletionRule, CompletionRule, CompletionRule];
  const objective = page({ completion_condition: 'objective', objective_id: 'o' });
  const open = (fields: Partial<CompletionRule>) => page({ completion_condition: 'open', ...fields });
  const naming = (completion_product_id: string | null, completion_product_type: string | null = null) =>
    open({ completion_product_id, completion_product_type });
  const withSet = (completion_product_ids: string[], completion_product_type: string) =>
    open({ completion_product_ids, completion_product_type });
  const types = open({ completion_standardized_types: ['cd', 'ira_savings'] });
  const held = [savings, account({ id: 'loan-1', type: 'loan', standardized_type: 'unknown' })];
  const ofBoth = { held: [savings], features: [...teamFeatures] };
  test.each<[string, boolean, CompletionRule, Partial<CompletionContext>]>([
    ['never without a condition', false, plain, { actions: [did('viewed')] }],
    ['by view when viewed', true, view, { actions: [did('viewed')] }],
    ['by view when only the completion is recorded', true, view, { actions: [did('completed')] }],
    ['not by view of another', false, view, { actions: [did('viewed', 'other')] }],
    ['by confirm when recorded', true, confirm, { actions: [did('completed')] }],
    ['not by confirm when viewed', false, confirm, { actions: [did('viewed')] }],
    ['by action when recorded', true, action, { actions: [did('completed')] }],
    ['not by action when viewed', false, action, { actions: [did('viewed')] }],
    ['by its objective', true, objective, { completions: { o: at } }],
    ['not by another objective', false, objective, { completions: { other: at } }],
    ['not by an objective it lacks', false, page({ completion_condition: 'objective' }), { completions: { o: at } }],
    ['by product', true, naming(product.id), { held: [savings] }],
    ['not by another product', false, naming('x'), { held: [savings] }],
    ['by product type', true, naming(null, 'savings'), { held: [savings] }],
    ['not by another type', false, naming(null, 'loan'), { held: [savings] }],
    ['by product and type, both set', true, naming(product.id, 'savings'), { held: [savings] }],
    ['not where product agrees and type does not', false, naming(product.id, 'loan'), { held }],
    ['not by opening where nothing is named', false, naming(null), { held: [savings] }],
    ['not by opening without an account', false, naming(null, 'savings'), { held: [] }],
    ['by a set of products, for a team with both features', true, withSet(['a', product.id], 'loan'), ofBoth],
    ['by a set of standardized types, for a team with both features', true, types, ofBoth],
    ['not by product or type where the set applies', false, withSet(['a'], 'savings'), ofBoth],
    ['by product and type where the set is empty, for a team with both features', true, withSet([], 'savings'), ofBoth],
    ...teamFeatures.flatMap((feature): [string, boolean, CompletionRule, Partial<CompletionContext>][] => {
      const context = { held: [savings], features: [feature] };
      return [
        [`not by a set for a team with ${feature} alone`, false, withSet([product.id], 'loan'), context],
        [`by product and type alone for a team with ${feature} alone`, true, withSet(['a'], 'savings'), context],
      ];
    }),
  ])('%s', (_, expected, rule, circumstances) => {
    const { pages_completed, is_completed } = analyticsOf([rule], { ...nothing, ...circumstances });
    expect(pages_completed).toEqual(expected ? [rule.id] : []);
    expect(is_completed).toBe(expected);
  });
});

describe('progress', () => {
  const pages = [page({ id: 'a', completion_condition: 'view' }), page({ id: 'b' }), page({ id: 'c' })];

  test('is nothing at first', () => {
    expect(analyticsOf(pages, nothing)).toEqual({
      is_completed: false,
      is_completely_viewed: false,
      last_viewed: null,
      pages_completed: [],
      pages_viewed: [],
    });
    expect(analyticsOf([], nothing)).toMatchObject({ is_completed: false, is_completely_viewed: false });
  });

  test('names viewed pages in page order, and the time of the latest view', () => {
    const actions = [
      did('viewed', 'c', '2026-03-02'),
      did('viewed', 'a', '2026-03-03'),
      did('finished', 'b', '2026-03-04'),
    ];
    expect(analyticsOf(pages, { ...nothing, actions })).toEqual({
      is_completed: true,
      is_completely_viewed: false,
      last_viewed: '2026-03-03',
      pages_completed: ['a'],
      pages_viewed: ['a', 'c'],
    });
  });

  test('is in page order, with pages that are gone at the end', () => {
    const ordered = [page({ id: 'z', completion_condition: 'view' }), page({ id: 'b', completion_condition: 'view' })];
    const actions = [...['y', 'b', 'x', 'z'].map((id) => did('viewed', id)), did('completed', 'x')];
    expect(analyticsOf(ordered, { ...nothing, actions })).toMatchObject({
      pages_completed: ['z', 'b', 'x'],
      pages_viewed: ['z', 'b', 'x', 'y'],
    });
  });

  test('is completed when every page with a condition is', () => {
    const [a, b] = ['a', 'b'].map((id) => page({ id, completion_condition: 'view' })) as [
      CompletionRule,
      CompletionRule,
    ];
    const having = (...ids: string[]) =>
      analyticsOf([a, b, plain], { ...nothing, actions: ids.map((id) => did('viewed', id)) }).is_completed;
    expect([having('a'), having('b'), having('a', 'b')]).toEqual([false, false, true]);
    expect(analyticsOf([plain], { ...nothing, actions: [did('viewed')] }).is_completed).toBe(false);
  });
  test('is completely viewed when every page is', () => {
    const actions = pages.map(({ id }) => did('viewed', id));
    expect(analyticsOf(pages, { ...nothing, actions }).is_completely_viewed).toBe(true);
  });

  test('stays completed when the template grows after journey_completed was recorded', () => {
    const actions = [did('viewed', 'a'), did('finished', 'a')];
    const grown = [...pages, page({ id: 'd', completion_condition: 'confirm' })];
    expect(analyticsOf(grown, { ...nothing, actions })).toMatchObject({ is_completed: true, pages_completed: ['a'] });
  });

  test('takes the latest of all views, also of a page that was seen before', () => {
    const actions = [{ ...did('viewed', 'a', '2026-03-01'), last: '2026-03-05' }, did('viewed', 'c', '2026-03-03')];
    expect(analyticsOf(pages, { ...nothing, actions }).last_viewed).toBe('2026-03-05');
  });

  test('is recorded on the page for view, confirm and action alone', () => {
    const conditions = ['view', 'confirm', 'action', 'objective', 'open', null] as const;
    const here = conditions.filter((completion_condition) => completesOnPage(page({ completion_condition })));
    expect(here).toEqual(['view', 'confirm', 'action']);
  });
});

describe('an account', () => {
  const rule = page({ completion_condition: 'open', completion_product_type: 'savings' });
  test.each([
    ['that is open', null, true],
    ['that was closed before the journey started', '2026-02-28T23:00:00Z', false],
    ['that was closed on the day that it started', '2026-03-01', false],
    ['that was closed at the moment that it started', at, false],
    ['that was closed after it', '2026-03-01T11:00:00+01:00', true],
    ['that is to be closed', '2027-01-01', true],
  ])('%s', (_, closed_date, counts) => {
    const { pages_completed } = analyticsOf([rule], { ...nothing, held: [account(product, closed_date)] });
    expect(pages_completed).toEqual(counts ? [rule.id] : []);
  });

  test('is asked for only as long as one can still complete a page', () => {
    expect(asksForAccounts([rule, page({ id: 'b' })], [])).toBe(true);
    expect(asksForAccounts([rule], [did('completed')])).toBe(false);
    expect(asksForAccounts([page({ ...rule, is_archived: true })], [])).toBe(false);
    expect(asksForAccounts([page({ completion_condition: 'view' })], [])).toBe(false);
  });
});

describe('a page that is not there for people', () => {
  const viewed = page({ id: 'a', completion_condition: 'view' });
  test.each([
    ['archived', { is_archived: true }],
    ['not live', { is_live: false }],
    ['a draft', { content_block_status: 'draft' as const }],
  ])('for it is %s, has no part in completion', (_, state) => {
    const other = page({ id: 'b', completion_condition: 'objective', objective_id: 'o', ...state });
    const own = { ...nothing, actions: [did('viewed', 'a')], completions: { o: at } };
    expect(analyticsOf([viewed, other], own)).toMatchObject({
      is_completed: true,
      is_completely_viewed: true,
      pages_completed: ['a'],
    });
    expect(analyticsOf([other], own)).toMatchObject({ is_completed: false, is_completely_viewed: false });
    const before = { ...own, actions: [...own.actions, did('completed', 'b')] };
    expect(analyticsOf([viewed, other], before).pages_completed).toEqual(['a', 'b']);
  });
});
