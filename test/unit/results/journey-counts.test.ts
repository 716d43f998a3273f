import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JourneyAction } from '../../../lib/domain/journeys/completion.ts';
import { type Counts, difference, sumOf } from '../../../lib/domain/journeys/counts.ts';
import { actionsIn, type CountedJourney, countsOf } from '../../../lib/domain/results/journey-counts.ts';

const ends = { completion_verified_at: null, cancelled_at: null, expired_at: null };
const journey = { inserted_at: '2026-11-22T23:59:59.999999Z', source: 'api', ...ends };
const source = { 'source/': { '"api"': 1 } };
const nothing: CountedJourney = { journey, actions: [], answers: [] };
const on = (page_id: string, kind: JourneyAction['kind'], at: string, last?: string): JourneyAction => ({
  ...{ kind, page_id, at },
  ...(last === undefined ? {} : { last }),
});
const answer = (page_id: string, block_id: string, more: object) =>
  ({ id: 'r', page_id, block_id, answer: null, at: 'then', count: 1, ...more }) as CountedJourney['answers'][number];

describe('a journey counts', () => {
  test.each<[string, Partial<CountedJourney>, Counts]>([
    ['its creation, on its day in UTC', {}, { 'day/2026-11-22': { created: 1 } }],
    [
      'as opened on the day of its first view, whatever is seen later',
      {
        actions: [
          on('b', 'viewed', '2026-11-24T00:00:00.000000Z'),
          on('a', 'viewed', '2026-11-23T00:00:00.000000Z', '2026-11-25T00:00:00.000000Z'),
        ],
      },
      {
        'day/2026-11-22': { created: 1 },
        'day/2026-11-23': { opened: 1 },
        'page/a': { viewed: 1 },
        'page/b': { viewed: 1 },
      },
    ],
    [
      'as completed on the day of its completion, once',
      {
        actions: [
          on('a', 'completed', '2026-11-23T10:00:00.000000Z'),
          on('b', 'finished', '2026-11-24T10:00:00.000000Z'),
          on('a', 'finished', '2026-11-25T10:00:00.000000Z'),
        ],
      },
      { 'day/2026-11-22': { created: 1 }, 'day/2026-11-24': { completed: 1 }, 'page/a': { completed: 1 } },
    ],
    [
      'as verified on the day of the confirmation',
      { journey: { ...journey, completion_verified_at: '2026-11-22T10:00:00.000000Z' } },
      { 'day/2026-11-22': { created: 1, verified: 1 } },
    ],
    [
      'as cancelled or expired on the day of it',
      { journey: { ...journey, expired_at: '2026-11-23T10:00:00.000000Z' } },
      { 'day/2026-11-22': { created: 1 }, 'day/2026-11-23': { expired: 1 } },
    ],
    [
      'nothing as cancelled after it was reopened',
      { journey: { ...journey, cancelled_at: null } },
      { 'day/2026-11-22': { created: 1 } },
    ],
    [
      'a page as declined if the latest answer to one of its blocks declines',
      { answers: [answer('a', '1', { answer: 'accepted' }), answer('a', '2', { answer: 'declined' })] },
      { 'day/2026-11-22': { created: 1 }, 'page/a': { declined: 1 } },
    ],
    [
      'a completed page as declined, and not as completed, if the latest answer to one of its blocks declines',
      {
        actions: [on('a', 'completed', '2026-11-23T10:00:00.000000Z')],
        answers: [answer('a', '1', { answer: 'declined' })],
      },
      { 'day/2026-11-22': { created: 1 }, 'page/a': { undone: 1, declined: 1 } },
    ],
    [
      'an answer by its keys, and typed texts together',
      {
        answers: [
          answer('a', '1', {
            choices: [
              { key: 'why', option_key: null },
              { key: 'how', option_key: 'well' },
            ],
          }),
          answer('b', '1', { choices: [{ key: 'how', option_key: 'badly' }] }),
        ],
      },
      {
        'day/2026-11-22': { created: 1 },
        'answers/a/1': { '["why",null]': 1, '["how","well"]': 1 },
        'answers/b/1': { '["how","badly"]': 1 },
      },
    ],
    [
      'each chosen option, and how many more than one were chosen',
      {
        answers: [
          answer('a', '1', {
            choices: ['red', 'blue', 'gray'].map((option_key) => ({ key: 'colors', option_key })),
          }),
        ],
      },
      {
        'day/2026-11-22': { created: 1 },
        'answers/a/1': {
          ...{ '["colors","red"]': 1, '["colors","blue"]': 1, '["colors","gray"]': 1 },
          'further ["colors"]': 2,
        },
      },
    ],
  ])('%s', (_, state, expected) => {
    expect(countsOf({ ...nothing, ...state })).toEqual({ ...source, ...expected });
  });
});

test('the counts of a journey stand for its actions', () => {
  const [seen, done] = ['2026-11-23T10:00:00.000000Z', '2026-11-24T10:00:00.000000Z'];
  const actions = [
    on('a', 'viewed', seen),
    on('b', 'viewed', seen),
    on('b', 'completed', seen),
    on('b', 'finished', done),
  ];
  // A page that was completed stays completed for the journey, whatever the results count.
  const answers = [answer('b', '1', { answer: 'declined' })];
  expect(actionsIn(countsOf({ ...nothing, actions, answers }), seen)).toEqual([
    { kind: 'finished', page_id: '', at: seen },
    { kind: 'viewed', page_id: 'a', at: seen },
    { kind: 'viewed', page_id: 'b', at: seen },
    { kind: 'completed', page_id: 'b', at: seen },
  ]);
});

/** Histories of a journey: each state has one more action, or another answer, than the one before. */
const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('viewed' as const, 'completed' as const, 'finished' as const),
    page_id: fc.constantFrom('a', 'b'),
    at: fc.constantFrom('2026-11-22T10:00:00.000000Z', '2026-11-23T10:00:00.000000Z', '2026-11-24T10:00:00.000000Z'),
  }),
  // A cancelled journey can be reopened, and its source can be set again.
  fc.record({ end: fc.constantFrom('cancelled_at', 'expired_at', null), source: fc.constantFrom('api', 'viewed') }),
  fc.record({ option_key: fc.constantFrom('x', 'y', null), answer: fc.constantFrom('accepted', 'declined', null) }),
);
function statesOf(steps: readonly (JourneyAction | object)[]): CountedJourney[] {
  let state = nothing;
  return [
    state,
    ...steps.map((each) => {
      if ('kind' in each) state = { ...state, actions: [...state.actions, each] };
      else if ('end' in each) {
        const { end, source } = each as { end: string | null; source: string };
        state = { ...state, journey: { ...journey, source, ...(end === null ? {} : { [end]: journey.inserted_at }) } };
      } else state = { ...state, answers: [answer('a', '1', { ...each, choices: [{ key: 'q', ...each }] })] };
      return state;
    }),
  ];
}

describe('the counters of a template', () => {
  const histories = fc.array(fc.array(step, { maxLength: 8 }), { minLength: 1, maxLength: 4 });

  test('are the counts by hand, whichever states were counted and however often', () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.nat(2)), (all, repeats) => {
        let counters: Counts = {};
        for (const steps of all) {
          let counted: Counts = {};
          const states = statesOf(steps);
          for (const [index, state] of states.entries()) {
            // A change may be missed, or be told several times. The last one is not missed.
            const times = index === states.length - 1 ? 2 : repeats.next().value!;
            for (let time = 0; time < times; time++) {
              counters = sumOf([counters, difference(countsOf(state), counted)]);
              counted = countsOf(state);
            }
          }
        }
        expect(counters).toEqual(byHand(all.map((steps) => statesOf(steps).at(-1)!)));
      }),
    );
  });

  test('that are zero are left out', () => {
    expect(sumOf([{ 'page/a': { viewed: 1, declined: 1 } }, { 'page/a': { viewed: -1 } }])).toEqual({
      'page/a': { declined: 1 },
    });
    expect(difference({ 'page/a': { viewed: 1 } }, { 'page/a': { viewed: 1 } })).toEqual({});
    expect(difference({}, { 'page/a': { viewed: 1 } })).toEqual({ 'page/a': { viewed: -1 } });
  });
});

/** Counts one after the other, without differences. */
function byHand(states: readonly CountedJourney[]): Counts {
  const counters: Record<string, Record<string, number>> = {};
  const add = (group: string, name: string) => {
    counters[group] ??= {};
    counters[group][name] = (counters[group][name] ?? 0) + 1;
  };
  for (const { journey: own, actions, answers } of states) {
    add('day/2026-11-22', 'created');
    add('source/', `"${own.source}"`);
    if (own.cancelled_at !== null) add('day/2026-11-22', 'cancelled');
    if (own.expired_at !== null) add('day/2026-11-22', 'expired');
    for (const [kind, name] of [['viewed', 'opened'] as const, ['finished', 'completed'] as const]) {
      const first = actions.filter((each) => each.kind === kind).reduce((min, { at }) => (at < min ? at : min), '9');
      if (first !== '9') add(`day/${first.slice(0, 10)}`, name);
    }
    const isDeclined = answers.some((each) => each.answer === 'declined');
    for (const page of ['a', 'b']) {
      for (const kind of ['viewed', 'completed']) {
        const name = kind === 'completed' && page === 'a' && isDeclined ? 'undone' : kind;
        if (actions.some((each) => each.kind === kind && each.page_id === page)) add(`page/${page}`, name);
      }
    }
    for (const { answer: decision, choices } of answers) {
      if (decision === 'declined') add('page/a', 'declined');
      add('answers/a/1', JSON.stringify(['q', choices![0]!.option_key]));
    }
  }
  return counters;
}
