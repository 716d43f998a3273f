import { internalFailure } from '../values/problem.ts';
import type { ChunkResult, RecordCounts, Rejection } from './chunk.ts';

/**
 * How a chunk is merged into one stored item (an account, or a link). An item has a stamp: the order number of the
 * chunk that wrote or confirmed it last, and the outcomes of that chunk's records for the item. From the stamp, an
 * attempt that is late, repeated or concurrent can see what still must be done. A record has `failed` if the code failed
 * on it, and is then rejected.
 */
export type RecordOutcome = 'applied' | 'unchanged' | 'superseded' | 'rejected' | 'failed';

/** One letter for each record of the chunk that concerns the item, in the order of the chunk. */
const letters = { a: 'applied', u: 'unchanged', r: 'rejected', f: 'failed' } as const;
const letterOf = { applied: 'a', unchanged: 'u', rejected: 'r', failed: 'f' } as const;

export type Stamp = { order: number; outcomes: string };
/** `data` is absent from an item that was removed. Its stamp stays, so that no older chunk brings it back. */
export type StampedItem<Data> = Stamp & { data?: Data | undefined };

export type MergeDecision<Data> = {
  outcomes: RecordOutcome[];
  /** The new item; absent if nothing must be written. `data` is absent if only the stamp changes, `null` if it is removed. */
  write?: Stamp & { data?: Data | null };
};

/** Applies a record to the data of an item. Returns the new data, `undefined` to remove it, or that the record is rejected. */
export type MergeStep<Data> = (data: Data | undefined) => { data: Data | undefined } | { rejected: true };

/** How the records of a chunk are merged. */
export type MergeContext = {
  order: number;
  /** Stamp the item even if nothing changes. */
  guarded: boolean;
  /** Called with the error if the code fails on a record. */
  onFailure?: ((error: unknown) => void) | undefined;
};

/** Merges the records of the chunk into one item, in order. */
export function mergeRecords<Data>(
  stored: StampedItem<Data> | undefined,
  steps: readonly MergeStep<Data>[],
  isSame: (a: Data, b: Data) => boolean,
  { order, guarded, onFailure }: MergeContext,
): MergeDecision<Data> {
  // A later chunk has written or confirmed the item.
  if (stored && stored.order > order) return { outcomes: steps.map(() => 'superseded') };
  // Another attempt at this chunk has judged the item already, and its outcomes count.
  if (stored?.order === order) return { outcomes: readStamp(stored.outcomes) };
  const before = stored?.data;
  const isEqual = (a: Data | undefined, b: Data | undefined) =>
    a === undefined || b === undefined ? a === b : isSame(a, b);
  let data = before;
  const outcomes = steps.map((step) => {
    try {
      const result = step(data);
      if ('rejected' in result) return 'rejected';
      const outcome = isEqual(result.data, data) ? 'unchanged' : 'applied';
      data = result.data;
      return outcome;
    } catch (error) {
      onFailure?.(error);
      return 'failed';
    }
  });
  const stamp = { order, outcomes: outcomes.map((outcome) => letterOf[outcome]).join('') };
  if (!isEqual(data, before)) return { outcomes, write: { ...stamp, data: data ?? null } };
  // An item that does not exist is stamped too if it was to be removed: an older chunk can still create it.
  const isKnown = stored !== undefined || outcomes.some((outcome) => outcome === 'applied' || outcome === 'unchanged');
  return guarded && isKnown ? { outcomes, write: stamp } : { outcomes };
}

const readStamp = (outcomes: string): RecordOutcome[] =>
  Array.from(outcomes, (letter) => letters[letter as keyof typeof letters]);

/** The outcome of a record from the outcomes of its parts: the first of these that a part has, or else unchanged. */
export function recordOutcome(parts: readonly RecordOutcome[]): RecordOutcome {
  for (const outcome of ['failed', 'rejected', 'superseded', 'applied'] as const)
    if (parts.includes(outcome)) return outcome;
  return 'unchanged';
}

export function resultOf(outcomes: readonly RecordOutcome[], rejectionMessage: string): ChunkResult {
  const counts: RecordCounts = { applied: 0, unchanged: 0, superseded: 0, rejected: 0 };
  const rejections: Rejection[] = [];
  for (const [record, outcome] of outcomes.entries()) {
    counts[outcome === 'failed' ? 'rejected' : outcome]++;
    if (outcome === 'rejected') rejections.push({ record, message: rejectionMessage });
    if (outcome === 'failed') rejections.push({ record, message: internalFailure });
  }
  return { counts, rejections };
}
