import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  actionKinds,
  analyticsOf,
  areComplete,
  type Circumstances,
  type CompletionRule,
  completesOnPage,
} from '../../lib/domain/completion.ts';
import { teamFeatures } from '../../lib/domain/team.ts';

const plain: CompletionRule = {
  id: 'page',
  completion_condition: null,
  objective_id: null,
  completion_product_id: null,
  completion_product_type: null,
  completion_product_ids: [],
  completion_standardized_types: [],
};
const page = (fields: Partial<CompletionRule>): CompletionRule => ({ ...plain, ...fields });
const nothing: Circumstances = { actions: [], completions: {}, held: [], features: [] };
const at = '2026-03-01T09:00:00.000000Z';
const did = (kind: (typeof actionKinds)[number], page_id = 'page', time = at) => ({ kind, page_id, at: time });
const savings = { id: 'savings-1', type: 'savings', standardized_type: 'ira_savings' };
const both = [...teamFeatures];

describe('a page completes', () => {
  const open = (fields: Partial<CompletionRule>) => page({ completion_condition: 'open', ...fields });
  const objective = page({ completion_condition: 'objective', objective_id: 'o' });
  test.each<[string, boolean, CompletionRule, Partial<Circumstances>]>([
    ['never without a condition', false, plain, { actions: [did('viewed'), did('completed')] }],
    ['by view when viewed', true, page({ completion_condition: 'view' }), { actions: [did('viewed')] }],
    ['by view when completed', true, page({ completion_condition: 'view' }), { actions: [did('completed')] }],
    ['not by view of another', false, page({ completion_condition: 'view' }), { actions: [did('viewed', 'other')] }],
    ['by confirm when recorded', true, page({ completion_condition: 'confirm' }), { actions: [did('completed')] }],
    ['not by confirm when viewed', false, page({ completion_condition: 'confirm' }), { actions: [did('viewed')] }],
    ['by action when recorded', true, page({ completion_condition: 'action' }), { actions: [did('completed')] }],
    ['not by action when viewed', false, page({ completion_condition: 'action' }), { actions: [did('viewed')] }],
    ['by its objective', true, objective, { completions: { o: at } }],
    ['not by another objective', false, objective, { completions: { other: at } }],
    ['not by an objective it lacks', false, page({ completion_condition: 'objective' }), { completions: { o: at } }],
    ['not by an objective that was only recorded here', false, objective, { actions: [did('completed')] }],
    ['by product', true, open({ completion_product_id: savings.id }), { held: [savings] }],
    ['not by another product', false, open({ completion_product_id: 'x' }), { held: [savings] }],
    ['by product type', true, open({ completion_product_type: 'savings' }), { held: [savings] }],
    ['not by another type', false, open({ completion_product_type: 'loan' }), { held: [savings] }],
    [
      'by product and type, both set',
      true,
      open({ completion_product_id: savings.id, completion_product_type: 'savings' }),
      { held: [savings] },
    ],
    [
      'not where product agrees and type does not',
      false,
      open({ completion_product_id: savings.id, completion_product_type: 'loan' }),
      { held: [savings, { id: 'loan-1', type: 'loan', standardized_type: 'unknown' }] },
    ],
    ['not by opening where nothing is named', false, open({}), { held: [savings] }],
    ['not by opening without an account', false, open({ completion_product_type: 'savings' }), { held: [] }],
    [
      'by a set of products, for a team with both features',
      true,
      open({ completion_product_ids: ['a', savings.id], completion_product_type: 'loan' }),
      { held: [savings], features: both },
    ],
    [
      'by a set of standardized types, for a team with both features',
      true,
      open({ completion_standardized_types: ['cd', 'ira_savings'] }),
      { held: [savings], features: both },
    ],
    [
      'not by product or type where the set applies',
      false,
      open({ completion_product_ids: ['a'], completion_product_type: 'savings' }),
      { held: [savings], features: both },
    ],
    [
      'by product and type where the set is empty, for a team with both features',
      true,
      open({ completion_product_type: 'savings' }),
      { held: [savings], features: both },
    ],
    ...teamFeatures.flatMap((feature): [string, boolean, CompletionRule, Partial<Circumstances>][] => [
      [
        `not by a set for a team with ${feature} alone`,
        false,
        open({ completion_product_ids: [savings.id], completion_product_type: 'loan' }),
        { held: [savings], features: [feature] },
      ],
      [
        `by product and type alone for a team with ${feature} alone`,
        true,
        open({ completion_product_ids: ['a'], completion_product_type: 'savings' }),
        { held: [savings], features: [feature] },
      ],
    ]),
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
  });

  test('is nothing for a template without pages', () => {
    expect(analyticsOf([], nothing)).toMatchObject({ is_completed: false, is_completely_viewed: false });
  });

  test('names viewed pages in page order, and the time of the latest view', () => {
    const actions = [
      did('viewed', 'c', '2026-03-02'),
      did('viewed', 'a', '2026-03-03'),
      did('completed', 'b', '2026-03-04'),
    ];
    expect(analyticsOf(pages, { ...nothing, actions })).toEqual({
      is_completed: true,
      is_completely_viewed: false,
      last_viewed: '2026-03-03',
      pages_completed: ['a'],
      pages_viewed: ['a', 'c'],
    });
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

  test('counts only pages that have a condition', () => {
    expect(areComplete(pages, { ...nothing, actions: [did('viewed', 'a')] })).toBe(true);
    expect(areComplete([plain], { ...nothing, actions: [did('viewed'), did('completed')] })).toBe(false);
  });

  test('is recorded on the page for view, confirm and action alone', () => {
    const conditions = ['view', 'confirm', 'action', 'objective', 'open', null] as const;
    const here = conditions.filter((completion_condition) => completesOnPage(page({ completion_condition })));
    expect(here).toEqual(['view', 'confirm', 'action']);
  });
});

describe('laws', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const rule = fc.record<CompletionRule>({
    id: fc.constantFrom(...ids),
    completion_condition: fc.constantFrom('action', 'confirm', 'objective', 'open', 'view', null),
    objective_id: fc.constantFrom('o', 'p', null),
    completion_product_id: fc.constantFrom('x', 'y', null),
    completion_product_type: fc.constantFrom('savings', 'loan', null),
    completion_product_ids: fc.subarray(['x', 'y']),
    completion_standardized_types: fc.constant([]),
  });
  const pages = fc.uniqueArray(rule, { selector: ({ id }) => id });
  const circumstances = fc.record<Circumstances>({
    actions: fc.array(
      fc.record({
        kind: fc.constantFrom(...actionKinds),
        page_id: fc.constantFrom(...ids),
        at: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
      }),
    ),
    completions: fc.constantFrom({}, { o: at }, { o: at, p: at }),
    held: fc.subarray([savings, { id: 'x', type: 'loan', standardized_type: 'unknown' }]),
    features: fc.subarray([...teamFeatures]),
  });

  test('the order in which things arrived does not matter', () => {
    fc.assert(
      fc.property(pages, circumstances, fc.infiniteStream(fc.nat()), (some, all, keys) => {
        const shuffled = <T>(values: readonly T[]) =>
          values
            .map((value) => ({ value, key: keys.next().value as number }))
            .sort((left, right) => left.key - right.key)
            .map(({ value }) => value);
        const other = { ...all, actions: shuffled(all.actions), held: shuffled(all.held) };
        expect(analyticsOf(some, other)).toEqual(analyticsOf(some, all));
      }),
    );
  });

  test('more never takes a completion back', () => {
    fc.assert(
      fc.property(pages, circumstances, circumstances, (some, less, more) => {
        const union = {
          actions: [...less.actions, ...more.actions],
          completions: { ...less.completions, ...more.completions },
          held: [...less.held, ...more.held],
          features: less.features,
        };
        const [before, after] = [analyticsOf(some, less), analyticsOf(some, union)];
        expect(after.pages_completed).toEqual(expect.arrayContaining(before.pages_completed));
        expect(after.pages_viewed).toEqual(expect.arrayContaining(before.pages_viewed));
        expect(after.is_completed || !before.is_completed).toBe(true);
      }),
    );
  });
});
