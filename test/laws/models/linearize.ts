import { isDeepStrictEqual } from 'node:util';

/**
 * A model of a part of the service as one caller after another would see it.
 * @template State plain data
 */
export type Model<State, Call, Result> = {
  initial: State;
  /**
   * The state after the call; `undefined` if the call cannot have this result in this state.
   * @param result `undefined` if no response came: then the state after a call that took effect
   */
  next(state: State, call: Call, result: Result | undefined): State | undefined;
};

/** A call between two moments, with its result. Without a response it took effect between them, or never. */
export type Entry<Call, Result> = { caller: string; call: Call; start: number; end: number; result?: Result };

/**
 * Searches for an order of the calls that explains all results: each call takes effect at one moment between its start
 * and its end (Herlihy and Wing, "Linearizability").
 * @returns nothing if there is one; otherwise the longest order that explains a part of the results
 */
export function unexplained<State, Call, Result>(
  { initial, next }: Model<State, Call, Result>,
  history: readonly Entry<Call, Result>[],
): Entry<Call, Result>[] | undefined {
  const seen = new Set<string>();
  let longest: Entry<Call, Result>[] = [];
  const search = (state: State, order: Entry<Call, Result>[], left: ReadonlySet<Entry<Call, Result>>): boolean => {
    const latest = Math.max(...order.map(({ start }) => start));
    // A call without a response that ended before `latest` can no longer take effect, so it is left out.
    const open = [...left].filter(({ end }) => end >= latest);
    const required = open.filter(({ result }) => result !== undefined);
    if (required.length === 0) return true;
    const name = JSON.stringify([open.map((entry) => history.indexOf(entry)), state]);
    if (seen.has(name)) return false;
    seen.add(name);
    if (order.length > longest.length) longest = order;
    const firstEnd = Math.min(...required.map(({ end }) => end));
    return open.some((entry) => {
      if (entry.start > firstEnd) return false;
      const after = next(state, entry.call, entry.result);
      // A call without a response that changes nothing is not needed in the order.
      if (after === undefined || (entry.result === undefined && isDeepStrictEqual(after, state))) return false;
      return search(after, [...order, entry], new Set(open.filter((other) => other !== entry)));
    });
  };
  return search(initial, [], new Set(history)) ? undefined : longest;
}
