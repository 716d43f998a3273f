import { describe, expect, test } from 'vitest';
import {
  type CompletionContext,
  type CompletionRule,
  type JourneyAction,
  unrecorded,
} from '../../../lib/domain/journeys/completion.ts';
import { account, at, did, nothing, page, product } from './completion.ts';

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
