import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Model } from './linearize.ts';
import type { Failed } from './run.ts';

/** Journeys, their progress and the answers on their pages: contract, sections 6 and 10. */
export const people = ['p', 'q'];
/** The first page completes when it is viewed, the second by consent, the third by an objective. */
export const pages = ['view', 'consent', 'objective'] as const;
type Page = (typeof pages)[number];

export type JourneyCall =
  /** `isRepeat`: a second time, which never creates the journey. */
  | { kind: 'start'; who: string; source?: string | null; isRepeat?: true }
  | { kind: 'enrol'; who: string }
  | { kind: 'confirm'; who: string; isConfirmed: boolean }
  | { kind: 'view'; who: string; page: Page }
  | { kind: 'complete'; who: string; page: Page; answer?: 'accepted' | 'declined'; name?: string }
  /** An action on a journey of `p` whose template was archived. */
  | { kind: 'late'; answer: boolean }
  | { kind: 'read'; who: string }
  | { kind: 'answers'; who: string };
type Progress = { source: string; viewed: string[]; completed: string[]; isCompleted: boolean; isConfirmed: boolean };
export type JourneyResult = {
  created?: boolean;
  source?: string;
  isConfirmed?: boolean;
  progress?: Progress | null;
  names?: string[];
};

const who = fc.constantFrom('p', ...people);
const page = fc.constantFrom(...pages);
const named = <K extends string, T extends object>(kind: K, fields: { [F in keyof T]: fc.Arbitrary<T[F]> }) =>
  fc.record<{ kind: K } & T>({ kind: fc.constant(kind), ...fields } as never);
export const journeyCalls: fc.Arbitrary<JourneyCall> = fc.oneof(
  { weight: 4, arbitrary: named('start', { who, source: fc.constantFrom(undefined, null, 'branch', 'web') }) },
  { weight: 2, arbitrary: named('enrol', { who }) },
  { weight: 3, arbitrary: named('confirm', { who, isConfirmed: fc.constantFrom(true, true, false) }) },
  { weight: 3, arbitrary: named('view', { who, page }) },
  {
    weight: 7,
    arbitrary: named('complete', {
      ...{ who, page: fc.constantFrom<Page>('consent', 'consent', 'consent', 'view', 'objective') },
      ...{ answer: fc.constantFrom(undefined, 'accepted', 'declined'), name: fc.constantFrom('N1', 'N2', 'N3') },
    }),
  },
  { weight: 1, arbitrary: named('late', { answer: fc.boolean() }) },
  { weight: 2, arbitrary: named('read', { who }) },
  { weight: 1, arbitrary: named('answers', { who }) },
) as fc.Arbitrary<JourneyCall>;

/** `names`: the decision and the typed name of each answer, in order. */
type Journey = { source: string; viewed: Page[]; completed: Page[]; isConfirmed: boolean; names: string[] };
type State = { journeys: { [who: string]: Journey }; enrolled: string[] };

const fresh: Omit<Journey, 'source'> = { viewed: [], completed: [], isConfirmed: false, names: [] };

/** At first, `p` has a journey. */
export const journeyModel: Model<State, JourneyCall, JourneyResult | Failed> = {
  initial: { journeys: { p: { source: 'api', ...fresh } }, enrolled: [] },
  next(state, call, result) {
    const becomes = (expected: JourneyResult | Failed, after = state) =>
      !result || isDeepStrictEqual(result, expected) ? after : undefined;
    if (call.kind === 'late') return becomes({ error: 'gone' });
    const journey = state.journeys[call.who];
    const changed = (changes: Partial<Journey>) => ({
      ...state,
      journeys: { ...state.journeys, [call.who]: { ...journey!, ...changes } },
    });
    if (call.kind === 'enrol') {
      return becomes({}, { ...state, enrolled: [...new Set([...state.enrolled, call.who])].sort() });
    }
    if (call.kind === 'start') {
      if (!journey && call.isRepeat) return undefined;
      const source = call.source === undefined ? (journey?.source ?? 'api') : (call.source ?? 'api');
      return becomes({ created: !journey, source }, changed({ ...(journey ?? fresh), source }));
    }
    if (!journey) return becomes(call.kind === 'read' ? { progress: null } : { error: 'not_found' });
    switch (call.kind) {
      case 'confirm': {
        const isConfirmed = journey.isConfirmed || call.isConfirmed;
        return becomes({ source: journey.source, isConfirmed }, changed({ isConfirmed }));
      }
      case 'view': {
        const completed = call.page === 'view' ? withPage(journey.completed, 'view') : journey.completed;
        return becomes({}, changed({ viewed: withPage(journey.viewed, call.page), completed }));
      }
      case 'complete': {
        const isWrong = call.page === 'objective' || (call.page === 'view' && call.answer !== undefined);
        if (isWrong) return becomes({ error: 'validation_failed' });
        const completed = call.answer === 'declined' ? journey.completed : withPage(journey.completed, call.page);
        const names = call.answer ? [...journey.names, `${call.answer} ${call.name}`] : journey.names;
        return becomes({}, changed({ completed, names }));
      }
      case 'read':
        return becomes({ progress: progressOf(journey, state.enrolled.includes(call.who)) });
      case 'answers':
        return becomes({ names: journey.names });
    }
  },
};

const withPage = (list: readonly Page[], added: Page): Page[] =>
  pages.filter((each) => each === added || list.includes(each));

/** The progress as it is shown. */
function progressOf({ source, viewed, completed, isConfirmed }: Journey, isEnrolled: boolean): Progress {
  const all = isEnrolled ? withPage(completed, 'objective') : completed;
  return { source, viewed, completed: all, isCompleted: all.length === pages.length, isConfirmed };
}
