import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  actionKinds,
  analyticsOf,
  asksForAccounts,
  type CompletionContext,
  type CompletionRule,
  completesOnPage,
  type HeldProduct,
  type JourneyAction,
  unrecorded,
} from '../../../lib/domain/journeys/completion.ts';
import { accountFor, type LinkedAccount } from '../../../lib/domain/journeys/linked-account.ts';
import { teamFeatures } from '../../../lib/domain/teams/team.ts';

const plain: CompletionRule = {
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
const page = (fields: Partial<CompletionRule>): CompletionRule => ({ ...plain, ...fields });
const at = '2026-03-01T09:00:00.000000Z';
const nothing: CompletionContext = { actions: [], completions: {}, held: [], features: [], startedAt: at };
const did = (kind: (typeof actionKinds)[number], page_id = 'page', time = at) => ({ kind, page_id, at: time });
const account = (product: HeldProduct, closed_date: string | null = null, since = at) => ({
  ...{ product, closed_date, since },
});
const product = { id: 'savings-1', type: 'savings', standardized_type: 'ira_savings' };
const savings = account(product);

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
    is_archived: fc.constantFrom(true, null),
    is_live: fc.constantFrom(false, null),
    content_block_status: fc.constantFrom('draft', 'published', null),
  });
  const pages = fc.uniqueArray(rule, { selector: ({ id }) => id });
  const circumstances = fc.record<CompletionContext>({
    actions: fc.array(
      fc.record({
        kind: fc.constantFrom(...actionKinds),
        page_id: fc.constantFrom(...ids),
        at: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
      }),
    ),
    completions: fc.constantFrom({}, { o: at }, { o: at, p: at }),
    held: fc.subarray([savings, account({ id: 'x', type: 'loan', standardized_type: 'unknown' })]),
    startedAt: fc.constant(at),
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

  test('what was shown and recorded is taken back by nothing, and recorded once', () => {
    fc.assert(
      fc.property(pages, circumstances, pages, circumstances, (some, before, others, later) => {
        const shown = analyticsOf(some, before);
        const actions = [...before.actions, ...unrecorded(some, before, at)];
        const again = { ...before, actions };
        expect(analyticsOf(some, again)).toEqual(shown);
        expect(unrecorded(some, again, at)).toEqual([]);
        const after = analyticsOf(others, { ...later, actions: [...actions, ...later.actions] });
        expect(after.pages_completed).toEqual(expect.arrayContaining(shown.pages_completed));
        expect(after.is_completed || !shown.is_completed).toBe(true);
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
          startedAt: at,
        };
        const [before, after] = [analyticsOf(some, less), analyticsOf(some, union)];
        expect(after.pages_completed).toEqual(expect.arrayContaining(before.pages_completed));
        expect(after.pages_viewed).toEqual(expect.arrayContaining(before.pages_viewed));
        expect(after.is_completed || !before.is_completed).toBe(true);
      }),
    );
  });
});

describe('what has to be recorded', () => {
  const hour = (hours: number) => `2026-03-01T${String(hours).padStart(2, '0')}:00:00.000000Z`;
  const now = hour(12);
  const rule = page({ completion_condition: 'objective', objective_id: 'o' });
  const completions = { o: at };

  test('is what is complete and not recorded yet, and the end of the journey', () => {
    const fresh = (...actions: JourneyAction[]) => unrecorded([rule], { ...nothing, completions, actions }, at);
    expect(fresh()).toEqual([did('completed'), did('finished')]);
    expect(fresh(did('completed'))).toEqual([did('finished')]);
    expect(fresh(did('completed'), did('finished'))).toEqual([]);
    expect(unrecorded([rule], nothing, at)).toEqual([]);
    expect(unrecorded([page({ ...rule, is_archived: true })], { ...nothing, completions }, at)).toEqual([]);
  });

  const opened = page({ completion_condition: 'open', completion_product_id: product.id });
  const other = { ...product, id: 'other' };
  const longAgo = '2019-05-01T00:00:00.000000Z';
  const viewed = did('viewed', 'page', hour(4));
  const held = (...hours: number[]) => ({ held: hours.map((each) => account(product, null, hour(each))) });
  // Contract, section 6: its time is the fact's own, never that of the first look.
  test.each<[string, CompletionRule, Partial<CompletionContext>, string]>([
    ['an objective', rule, { completions: { o: hour(3) } }, hour(3)],
    ['an objective of another day', rule, { completions: { o: longAgo } }, longAgo],
    ['a view', page({ completion_condition: 'view' }), { actions: [{ ...viewed, last: hour(9) }] }, hour(4)],
    ['an account', opened, held(5), hour(5)],
    ['the first of several accounts', opened, held(7, 6, 8), hour(6)],
    [
      'the first account that matches',
      opened,
      { held: [account(other, null, hour(1)), account(product, hour(0), hour(2)), account(product, null, hour(8))] },
      hour(8),
    ],
  ])('has the time of the fact: %s', (_, each, context, time) => {
    const fresh = unrecorded([each], { ...nothing, ...context }, now);
    const recorded = { page_id: 'page', at: time, recorded_at: now };
    expect(fresh).toEqual([
      { kind: 'completed', ...recorded },
      { kind: 'finished', ...recorded },
    ]);
  });

  test('says when it is recorded only if that is another time', () => {
    const fresh = unrecorded([rule], { ...nothing, completions: { o: now } }, now);
    expect(fresh.map(({ recorded_at }) => recorded_at)).toEqual([undefined, undefined]);
  });

  test.each<[string, string[], string]>([
    ['of the page that was completed last', [hour(2), hour(9), hour(3)], 'b'],
    ['of the last of these pages in page order', [hour(9), hour(9), hour(3)], 'b'],
    ['of the last page, if all were completed at once', [hour(9), hour(9), hour(9)], 'c'],
  ])('has, as the end of the journey, the place and time %s', (_, times, page_id) => {
    const pages = ['a', 'b', 'c'].map((id) => page({ ...rule, id, objective_id: id }));
    const [first, second, third] = times as [string, string, string];
    const context = { ...nothing, completions: { b: second, c: third }, actions: [did('completed', 'a', first)] };
    const end = unrecorded(pages, context, now).at(-1);
    expect(end).toEqual({ kind: 'finished', page_id, at: hour(9), recorded_at: now });
  });
});

const now = '2026-03-01T09:00:00.000000Z';

describe('the account that a page speaks of', () => {
  const account = (
    account_number: string,
    type: string,
    opened_date: string | null,
    closed_date: string | null = null,
  ): LinkedAccount => ({
    account_number,
    role: null,
    closed_date,
    since: '2020-01-01T00:00:00.000000Z',
    product: { id: type, type, standardized_type: 'unknown', code: type, name: null, description: null },
    account: { fields: { opened_date, closed_date }, product_code: type, meta_public: null, meta_private: null },
  });

  const older = account('1', 'savings', '2020-01-01');
  const newer = account('2', 'savings', '2021-01-01T00:00:00+01:00');
  const loan = account('3', 'loan', '2025-01-01');
  const closed = account('4', 'savings', '2025-06-01', '2026-02-01');
  const undated = account('5', 'savings', null);
  const closing = account('6', 'savings', '2020-01-01', '2027-01-01');
  const another = account('7', 'loan', '2025-01-01');
  test.each<[string, string | null, LinkedAccount[], LinkedAccount | undefined]>([
    ['is the one of the product that completes the page', 'savings', [loan, older], older],
    ['is of several such the one that was opened last', 'savings', [newer, older, loan], newer],
    ['is the one opened last where there is none of that product', 'lease', [older, loan, newer], loan],
    ['is the one opened last where the page names no product', null, [older, loan, newer], loan],
    ['is of two that were opened at once the one with the last number', null, [another, loan], another],
    ['is none that is closed', 'savings', [closed, loan], loan],
    ['is one that is yet to be closed', 'savings', [closing], closing],
    ['is one without a date only where there is no other', null, [undated, older], older],
    ['is the only one, whatever its date', null, [undated], undated],
    ['is none where all are closed', null, [closed], undefined],
    ['is none where there is none', 'savings', [], undefined],
  ])('%s', (_, completion_product_type, held, expected) => {
    const rule = page({ completion_condition: 'open', completion_product_type });
    expect(accountFor(rule, held, [], now)).toEqual(expected);
    expect(accountFor(rule, held.toReversed(), [], now)).toEqual(expected);
  });
});
