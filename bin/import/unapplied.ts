import { ApiError, type Batch, type OnboardingClient } from '../../client/index.ts';
import type { FileChunk } from '../../lib/files/file.ts';
import type { RowError } from '../../lib/files/rows.ts';
import type { Ledger } from './ledger.ts';

/** Records that were accepted but not applied, by chunk index and position in the chunk. */
type Unapplied = Map<number, Map<number, RowError[]> | 'failed'>;

/** The status of a batch names the first 100 rejected records. If there are more, the status of each chunk is read. */
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

/** A chunk is unknown to the service if the importer rejected all its rows. */
function absent(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** Adds the rows of a chunk that were accepted but not applied to the rejected rows. */
export function rejectUnapplied({ index, rows, next }: FileChunk, found: Unapplied, ledger: Ledger): void {
  const unapplied = found.get(index);
  if (!unapplied) return;
  const refused = new Set(ledger.refusedIn(index));
  const sent = rows.filter(({ errors }, at) => errors.length === 0 && !refused.has(at));
  for (const [at, row] of sent.entries()) {
    ledger.reject(next.layout, row, unapplied === 'failed' ? [failedChunk] : (unapplied.get(at) ?? []));
  }
}

const failedChunk: RowError = {
  column: '',
  reason: 'the service accepted this row but could not apply its chunk; run the same command again to retry the chunk',
};
