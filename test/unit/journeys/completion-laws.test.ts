import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  actionKinds,
  analyticsOf,
  type CompletionContext,
  type CompletionRule,
  unrecorded,
} from '../../../lib/domain/journeys/completion.ts';
import { teamFeatures } from '../../../lib/domain/teams/team.ts';
import { account, at, savings } from './completion.ts';

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
