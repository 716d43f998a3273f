import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Model } from './linearize.ts';
import type { Failed } from './run.ts';

/** Imports of campaign content: all or nothing, and a reader sees one revision. Contract, section 9. */
export type Item = { id: string; name: string };
export type Document = { templates: Item[]; objectives: Item[] };
export type ContentCall =
  /** `isBroken`: with an error in its last object. `replaces`: content that is not in it is removed. */
  | { kind: 'import'; document: Document; replaces: boolean; isBroken: boolean }
  | { kind: 'read' }
  /** By an instance that caches content for five seconds. */
  | { kind: 'show'; instance: number }
  | { kind: 'wait' };
type Counts = { created: number; updated: number; unchanged: number };
type Result = { counts: { templates: Counts; objectives: Counts } } | { content: Document };
/** `from` is the time at which the call began, and `to` when it ended. */
export type ContentResult = { from: number; to: number } & Partial<Result>;
export const waitMilliseconds = 6000;
const cachedMilliseconds = 5000;

const ids = ['1', '2', '3'];
const item = fc
  .tuple(fc.constantFrom(...ids), fc.constantFrom('A', 'B', 'C'))
  .map(([id, name]): Item => ({ id, name }));
const items = fc.uniqueArray(item, { selector: ({ id }) => id });
export const contentCalls: fc.Arbitrary<ContentCall> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      document: fc.record({ templates: items, objectives: items }),
      replaces: fc.boolean(),
      isBroken: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('show' as const), instance: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
);

/** `earlier` has what was replaced, with the time. It is `undefined` if the response to the import was lost. */
type State = { content: Document; earlier: { content: Document; until: number | undefined }[] };
const lists = ['templates', 'objectives'] as const;

export const contentModel: Model<State, ContentCall, ContentResult | Failed> = {
  initial: { content: { templates: [], objectives: [] }, earlier: [] },
  next(state, call, result) {
    if (call.kind === 'wait') return state;
    if (call.kind === 'import') {
      if (call.isBroken)
        return !result || isDeepStrictEqual(result, { error: 'validation_failed' }) ? state : undefined;
      const content = applied(state.content, call);
      const counts = Object.fromEntries(
        lists.map((list) => [list, countsOf(call.replaces ? [] : state.content[list], call.document[list])]),
      );
      if (result && !('counts' in result && isDeepStrictEqual(result.counts, counts))) return undefined;
      if (isDeepStrictEqual(content, state.content)) return state;
      const until = result && 'to' in result ? result.to : undefined;
      return { content, earlier: [...state.earlier, { content: state.content, until }] };
    }
    if (!result) return state;
    if (!('content' in result)) return undefined;
    const { content: shown, from } = result;
    if (isDeepStrictEqual(shown, state.content)) return state;
    const isFresh = ({ content, until = Number.POSITIVE_INFINITY }: State['earlier'][number]) =>
      from < until + cachedMilliseconds && isDeepStrictEqual(content, shown);
    return call.kind === 'show' && state.earlier.some(isFresh) ? state : undefined;
  },
};

function applied(before: Document, { document, replaces }: ContentCall & { kind: 'import' }): Document {
  const merged = (list: (typeof lists)[number]) => {
    const byId = new Map([...(replaces ? [] : before[list]), ...document[list]].map((item) => [item.id, item]));
    return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  };
  return { templates: merged('templates'), objectives: merged('objectives') };
}

function countsOf(before: readonly Item[], given: readonly Item[]): Counts {
  const outcomes = given.map(({ id, name }) => {
    const old = before.find((item) => item.id === id);
    return old ? (old.name === name ? 'unchanged' : 'updated') : 'created';
  });
  const count = (outcome: keyof Counts) => outcomes.filter((each) => each === outcome).length;
  return { created: count('created'), updated: count('updated'), unchanged: count('unchanged') };
}
