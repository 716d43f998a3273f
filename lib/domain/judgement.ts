import type { ChunkResult, RecordCounts, Rejection } from './chunk.ts';

/**
 * What one chunk does to one stored item (an account, or a contact's link to one). An item carries the order number of
 * the chunk that wrote or confirmed it last, and what came of that chunk's records on it, so that an attempt that
 * comes late, twice or overlapping finds out by itself what still is to be done.
 */
export type Outcome = 'applied' | 'unchanged' | 'superseded' | 'rejected';

/** One letter for each record of the chunk that concerns the item, in the chunk's order. */
const letters = { a: 'applied', u: 'unchanged', r: 'rejected' } as const;
const letterOf = { applied: 'a', unchanged: 'u', rejected: 'r' } as const;

export type Stamp = { order: number; outcomes: string };
export type Stamped = Stamp & { data: string };

export type Judgement = {
  outcomes: Outcome[];
  /** What is to be written over what was read; absent when nothing is. `data` is absent when only the stamp changes. */
  write?: Stamp & { data?: string };
};

/** The item's text after a record, or that the record could not be stored. */
export type Step = (data: string | undefined) => { data: string } | { rejected: true };

/**
 * Folds the chunk's records on one item, in their order.
 * @param guarded stamp the item although nothing changes.
 */
export function judge(stored: Stamped | undefined, steps: readonly Step[], order: number, guarded: boolean): Judgement {
  if (stored && stored.order > order) return { outcomes: steps.map(() => 'superseded') };
  if (stored?.order === order) return { outcomes: readStamp(stored.outcomes) };
  let data = stored?.data;
  const outcomes = steps.map((step) => {
    const result = step(data);
    if ('rejected' in result) return 'rejected';
    const outcome = result.data === data ? 'unchanged' : 'applied';
    data = result.data;
    return outcome;
  });
  const stamp = { order, outcomes: outcomes.map((outcome) => letterOf[outcome]).join('') };
  if (data !== undefined && data !== stored?.data) return { outcomes, write: { ...stamp, data } };
  return guarded && stored ? { outcomes, write: stamp } : { outcomes };
}

const readStamp = (outcomes: string): Outcome[] =>
  Array.from(outcomes, (letter) => letters[letter as keyof typeof letters]);

/** What came of a record, from what came of its parts: a part that is missing or behind outweighs one that is done. */
export function combine(parts: readonly Outcome[]): Outcome {
  for (const outcome of ['rejected', 'superseded', 'applied'] as const) if (parts.includes(outcome)) return outcome;
  return 'unchanged';
}

export function resultOf(outcomes: readonly Outcome[], rejectionMessage: string): ChunkResult {
  const counts: RecordCounts = { applied: 0, unchanged: 0, superseded: 0, rejected: 0 };
  const rejections: Rejection[] = [];
  for (const [record, outcome] of outcomes.entries()) {
    counts[outcome]++;
    if (outcome === 'rejected') rejections.push({ record, message: rejectionMessage });
  }
  return { counts, rejections };
}
