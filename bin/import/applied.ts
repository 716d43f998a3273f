import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Batch, type OnboardingClient } from '../../client/index.ts';
import { CannotRun } from './target.ts';

const watchEvery = 2_000;
/** Longer than the sweeper takes to wake a team, and than a chunk takes to fail. */
const longestStandstill = 10 * 60_000;

/** Reads the status of a batch while its chunks are sent. A failed read is repeated at the next interval. */
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
 * Waits until no chunk of the batch is open. Returns `undefined` if no chunk was ever accepted.
 * @throws CannotRun if no chunk changed for ten minutes, or if chunks are missing that this file does not have.
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
    if (standstill.signal.aborted) throw new CannotRun(noProgress);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** True if all accepted chunks are closed and announced chunks are missing: this file cannot complete the batch. */
const isIncomplete = ({ chunks: { accepted, completed, failed, cancelled = 0, missing = [] } }: Batch): boolean =>
  missing.length > 0 && completed + failed + cancelled === accepted;

function incomplete({ batch_id, chunks: { expected = 0, missing = [] } }: Batch): string {
  const shown = missing.slice(0, 10).join(', ');
  const more = missing.length > 10 ? ', …' : '';
  return [
    `Batch ${batch_id} was announced with ${expected} chunks, but these were never accepted: ${shown}${more}.`,
    'This file does not contain them, so another file was sent under this batch id. All accepted chunks are applied.',
    'To import this file separately, set another batch id with --batch-id.',
  ].join('\n');
}

const noProgress =
  'All rows were sent and accepted, but the service has applied none of them for ten minutes. Accepted rows are not lost. ' +
  'Run the same command again to continue waiting.';
