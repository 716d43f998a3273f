import type { ChunkResult, RecordCounts, Rejection } from './chunk.ts';

/**
 * What one chunk does to one stored item (an account, or a contact's link to one). An item carries the order number of
 * the chunk that wrote or confirmed it last, and what came of that chunk's records on it, so that an attempt that
 * comes late, twice or overlapping finds out by itself what still is to be done.
 */
export type RecordOutcome = 'applied' | 'unchanged' | 'superseded' | 'rejected';

/** One letter for each record of the chunk that concerns the item, in the chunk's order. */
const letters = { a: 'applied', u: 'unchanged', r: 'rejected' } as const;
const letterOf = { applied: 'a', unchanged: 'u', rejected: 'r' } as const;

export type Stamp = { order: number; outcomes: string };
export type StampedItem<Data> = Stamp & { data: Data };

export type MergeDecision<Data> = {
  outcomes: RecordOutcome[];
  /** What is to be written over what was read; absent when nothing is. `data` is absent when only the stamp changes. */
  write?: Stamp & { data?: Data };
};

/** The item after a record, or that the record could not be stored. */
export type MergeStep<Data> = (data: Data | undefined) => { data: Data } | { rejected: true };

/** How the records of a chunk are judged. */
export type MergeContext = {
  order: number;
  /** Stamp the item although nothing changes. */
  guarded: boolean;
};

/** Folds the chunk's records on one item, in their order. */
export function mergeRecords<Data>(
  stored: StampedItem<Data> | undefined,
  steps: readonly MergeStep<Data>[],
  isSame: (a: Data, b: Data) => boolean,
  { order, guarded }: MergeContext,
): MergeDecision<Data> {
  if (stored && stored.order > order) return { outcomes: steps.map(() => 'superseded') };
  if (stored?.order === order) return { outcomes: readStamp(stored.outcomes) };
  let data = stored?.data;
  const outcomes = steps.map((step) => {
    const result = step(data);
    if ('rejected' in result) return 'rejected';
    const outcome = data !== undefined && isSame(result.data, data) ? 'unchanged' : 'applied';
    data = result.data;
    return outcome;
  });
  const stamp = { order, outcomes: outcomes.map((outcome) => letterOf[outcome]).join('') };
  const isUnchanged = stored !== undefined && data !== undefined && isSame(data, stored.data);
  if (data !== undefined && !isUnchanged) return { outcomes, write: { ...stamp, data } };
  return guarded && stored ? { outcomes, write: stamp } : { outcomes };
}

const readStamp = (outcomes: string): RecordOutcome[] =>
  Array.from(outcomes, (letter) => letters[letter as keyof typeof letters]);

/** What came of a record, from what came of its parts: a part that is missing or behind outweighs one that is done. */
export function recordOutcome(parts: readonly RecordOutcome[]): RecordOutcome {
  for (const outcome of ['rejected', 'superseded', 'applied'] as const) if (parts.includes(outcome)) return outcome;
  return 'unchanged';
}

export function resultOf(outcomes: readonly RecordOutcome[], rejectionMessage: string): ChunkResult {
  const counts: RecordCounts = { applied: 0, unchanged: 0, superseded: 0, rejected: 0 };
  const rejections: Rejection[] = [];
  for (const [record, outcome] of outcomes.entries()) {
    counts[outcome]++;
    if (outcome === 'rejected') rejections.push({ record, message: rejectionMessage });
  }
  return { counts, rejections };
}
