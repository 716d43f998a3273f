import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Batch, type OnboardingClient } from '../../client/index.ts';
import type { FileChunk } from '../../lib/files/file.ts';
import type { Ledger } from './ledger.ts';
import { CannotRun } from './source.ts';

const watchEvery = 2_000;
/** Longer than the sweeper takes to wake a team, and than a chunk takes to fail. */
const longestStandstill = 10 * 60_000;

/** Of a batch or chunk that the service does not know. */
export function absent(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

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
export function applied(
  client: OnboardingClient,
  batchId: string,
  onBatch: (batch: Batch) => void,
  signal: AbortSignal,
): Promise<Batch | undefined> {
  let last = '';
  let changedAt = performance.now();
  const onProgress = (batch: Batch) => {
    onBatch(batch);
    if (isIncomplete(batch)) throw new CannotRun(incomplete(batch));
    const state = JSON.stringify(batch.chunks);
    if (state !== last) changedAt = performance.now();
    else if (performance.now() - changedAt > longestStandstill) throw new CannotRun(noProgress);
    last = state;
  };
  return client.batches.finished(batchId, { onProgress, signal }).catch(absent);
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

/** True if rows were accepted but not applied. */
export const hasUnapplied = ({ chunks, records }: Batch): boolean => chunks.failed > 0 || records.rejected > 0;

/**
 * Adds the rows of the file that were accepted but not applied to the rejected rows. The status of a batch names the
 * first 100 rejected records. If there are more, the status of each chunk is read.
 */
export async function rejectUnapplied(
  chunks: AsyncIterable<FileChunk>,
  batch: Batch,
  ledger: Ledger,
  { client, signal }: { client: OnboardingClient; signal: AbortSignal },
): Promise<void> {
  const isWhole = batch.chunks.failed === 0 && batch.records.rejected <= batch.errors.length;
  for await (const { index, rows, next } of chunks) {
    // A chunk is unknown to the service if the importer rejected all its rows.
    const read = () => client.batches.get(batch.batch_id, { chunkIndex: index, signal }).catch(absent);
    const status = isWhole ? batch : await read();
    if (!status) continue;
    const ofChunk = status.errors.filter(({ chunk }) => chunk === index);
    const reasons = new Map(ofChunk.map(({ record, message }) => [record, message]));
    const refused = new Set(ledger.journal.refused[index]);
    const sent = rows.filter(({ errors }, at) => errors.length === 0 && !refused.has(at));
    for (const [at, row] of sent.entries()) {
      const reason = status.status === 'failed' ? failedChunk : reasons.get(at);
      if (reason !== undefined) ledger.reject(next.layout, row, [{ column: '', reason }]);
    }
  }
}

const failedChunk =
  'the service accepted this row but could not apply its chunk; run the same command again to retry the chunk';
