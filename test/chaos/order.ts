/** A write that took effect at one moment between `start` and `end`. `end` is infinite if there was no response. */
export type Placed = { id: string; start: number; end: number };

/**
 * Searches for an order of all writes. A write that began after the response of another comes after it, and so does the
 * second of each pair in `before`.
 * @returns a cycle of writes, each of which must come before the next, or nothing if an order exists
 */
export function circleIn(writes: readonly Placed[], before: Iterable<readonly [string, string]>): string[] | undefined {
  const successors = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    const known = successors.get(from);
    if (known) known.add(to);
    else successors.set(from, new Set([to]));
  };
  // Nodes for moments between the writes, so that "ended before it began" needs no edge for each pair of writes.
  const ends = [...new Set(writes.map(({ end }) => end).filter(Number.isFinite))].sort((a, b) => a - b);
  const moment = (place: number) => `@${place}`;
  for (const place of ends.keys()) if (place > 0) add(moment(place - 1), moment(place));
  for (const { id, start, end } of writes) {
    if (Number.isFinite(end)) add(id, moment(lastBelow(ends, end) + 1));
    const last = lastBelow(ends, start);
    if (last >= 0) add(moment(last), id);
  }
  for (const [first, second] of before) add(first, second);
  return circleOf(successors)?.filter((id) => !id.startsWith('@'));
}

/** The index of the last number below `limit`, or -1. */
function lastBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function circleOf(successors: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const left = leftAfterSorting(successors);
  const [begin] = left;
  if (begin === undefined) return undefined;
  const predecessors = new Map<string, string>();
  for (const from of left) {
    for (const to of successors.get(from) ?? []) if (left.has(to)) predecessors.set(to, from);
  }
  // Every remaining node has a remaining predecessor, so this walk ends in a cycle.
  const path: string[] = [];
  const places = new Map<string, number>();
  let at = begin;
  while (!places.has(at)) {
    places.set(at, path.push(at) - 1);
    at = predecessors.get(at)!;
  }
  return path.slice(places.get(at)).reverse();
}

/** Removes nodes without predecessors repeatedly. The remaining nodes are on a cycle or after one. */
function leftAfterSorting(successors: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const predecessors = new Map<string, number>();
  for (const [from, tos] of successors) {
    if (!predecessors.has(from)) predecessors.set(from, 0);
    for (const to of tos) predecessors.set(to, (predecessors.get(to) ?? 0) + 1);
  }
  const free = [...predecessors].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    predecessors.delete(id);
    for (const to of successors.get(id) ?? []) {
      const count = predecessors.get(to)! - 1;
      predecessors.set(to, count);
      if (count === 0) free.push(to);
    }
  }
  return new Set(predecessors.keys());
}
