import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Batch, type OnboardingClient } from '../../client/index.ts';
import type { RowError } from '../../lib/files/row-error.ts';
import { CannotRun } from './cannot-run.ts';

const watchEvery = 2_000;
/** Longer than it takes the service to notice what was forgotten, and to give up on what cannot be done. */
const longestStandstill = 10 * 60_000;

/** Follows a batch while its chunks are sent. A question that is not answered is asked again later. */
export async function watch(
  client: OnboardingClient,
  batchId: string,
  onBatch: (batch: Batch) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(watchEvery, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await client.batches.get(batchId, { signal }).then(onBatch, () => {});
  }
}

/**
 * The batch once nothing of it is open; `undefined` where nothing was ever accepted.
 * @throws CannotRun when no chunk has moved for ten minutes, or when chunks are missing that this file does not have.
 */
export async function applied(
  client: OnboardingClient,
  batchId: string,
  onBatch: (batch: Batch) => void,
  signal: AbortSignal,
): Promise<Batch | undefined> {
  const standstill = new AbortController();
  let last = '';
  let timer = setTimeout(() => standstill.abort(), longestStandstill);
  const onProgress = (batch: Batch) => {
    onBatch(batch);
    if (isIncomplete(batch)) throw new CannotRun(incomplete(batch));
    if (JSON.stringify(batch.chunks) === last) return;
    last = JSON.stringify(batch.chunks);
    clearTimeout(timer);
    timer = setTimeout(() => standstill.abort(), longestStandstill);
  };
  try {
    return await client.batches.finished(batchId, { onProgress, signal: AbortSignal.any([signal, standstill.signal]) });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    if (standstill.signal.aborted) throw new CannotRun(stoodStill);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** All that was accepted has ended, and the batch was announced with more: nothing of this file can complete it. */
const isIncomplete = ({ chunks: { accepted, completed, failed, cancelled = 0, missing = [] } }: Batch): boolean =>
  missing.length > 0 && completed + failed + cancelled === accepted;

function incomplete({ batch_id, chunks: { expected = 0, missing = [] } }: Batch): string {
  const shown = missing.slice(0, 10).join(', ');
  const more = missing.length > 10 ? ', …' : '';
  return [
    `Batch ${batch_id} was announced with ${expected} chunks, and some were never accepted: ${shown}${more}.`,
    'This file does not have them, so another file was sent under this batch id. What was accepted is applied.',
    'To import this file by itself, give it a name of its own with --batch-id.',
  ].join('\n');
}

const stoodStill =
  'Everything was sent and accepted, but for ten minutes the service has applied nothing of it. It will: the same command waits on.';

/** Records that the service took and could not store, by chunk and place in it. */
export type Unapplied = Map<number, Map<number, RowError[]> | 'failed'>;

/** The status of a whole batch names the first hundred; where there are more, each chunk is asked for its own. */
export async function unapplied(
  client: OnboardingClient,
  batch: Batch,
  chunks: number,
  signal: AbortSignal,
): Promise<Unapplied> {
  const found: Unapplied = new Map();
  if (batch.chunks.failed === 0 && batch.records.rejected <= batch.errors.length) {
    note(found, batch);
    return found;
  }
  for (let chunkIndex = 0; chunkIndex < chunks; chunkIndex++) {
    const chunk = await client.batches.get(batch.batch_id, { chunkIndex, signal }).catch(absent);
    if (!chunk) continue;
    if (chunk.status === 'failed') found.set(chunkIndex, 'failed');
    else note(found, chunk);
  }
  return found;
}

function note(found: Unapplied, { errors }: Batch): void {
  for (const { chunk, record, message } of errors) {
    const records = found.get(chunk) ?? new Map<number, RowError[]>();
    if (records === 'failed') continue;
    found.set(chunk, records.set(record, [{ column: '', reason: message }]));
  }
}

/** A chunk whose rows were all rejected here was never sent. */
function absent(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
