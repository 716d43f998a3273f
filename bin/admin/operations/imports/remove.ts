import type { AccountRecord } from '../../../../lib/domain/accounts/account-record.ts';
import { maxRecordsPerChunk } from '../../../../lib/domain/imports/batch.ts';
import type { BatchStatus } from '../../../../lib/domain/imports/batch-responses.ts';
import { Problem } from '../../../../lib/domain/values/problem.ts';
import { lastOrder } from '../../../../lib/operations/erasure/names.ts';
import { acceptOwnChunk } from '../../../../lib/operations/imports/accept.ts';
import { readBatch } from '../../../../lib/operations/imports/status.ts';
import type { ImportService } from '../../../../lib/operations/service.ts';
import { loadImportState } from '../../../../lib/store/imports/import-work.ts';
import type { Database } from '../../../../lib/store/table/database.ts';
import { digestOf } from '../../../../lib/store/table/digest.ts';
import { watchCommand } from '../../text.ts';

/** A record that removes an account, or the link of a contact to it. */
export type Removal = { account_number: string; removal: NonNullable<AccountRecord['removal']> };

/** Milliseconds between two looks at the batch, and until the command stops waiting for it. */
const looksEvery = 200;
const longestWait = 60_000;

/**
 * Removes accounts and links. The removals are chunks of their own batch, so they have a place in the team's order: they
 * come after everything that was accepted before them, also if that is applied or redriven later, and everything that is
 * accepted after them can create the same accounts and links again.
 * @returns the status of the batch, `processing` if it is not applied within a minute: then it is applied later.
 */
export async function removeInOrder(
  service: ImportService,
  teamId: string,
  batchId: string,
  removals: AsyncIterable<Removal> | Iterable<Removal>,
): Promise<BatchStatus> {
  let chunk: Removal[] = [];
  let chunks = 0;
  const accept = async () => {
    await acceptRemovals(service, teamId, { batch_id: batchId, chunk_index: chunks }, chunk);
    chunks += 1;
    chunk = [];
  };
  for await (const removal of removals) {
    chunk.push(removal);
    if (chunk.length === maxRecordsPerChunk) await accept();
  }
  if (chunk.length > 0) await accept();
  return ended(service, teamId, batchId);
}

async function acceptRemovals(
  service: ImportService,
  teamId: string,
  pair: { batch_id: string; chunk_index: number },
  records: readonly Removal[],
): Promise<void> {
  await acceptOwnChunk(service, teamId, { pair, digest: () => digestOf([...records]), records: [...records] });
}

/** @throws Problem `conflict` if a chunk failed */
async function ended({ database, now, wait }: ImportService, teamId: string, batchId: string) {
  const until = now() + longestWait;
  for (;;) {
    const status = await readBatch({ database }, teamId, batchId);
    if (status.status === 'failed') {
      const message = `the removal failed: see failed list for batch ${batchId}, and redrive it when the cause is removed`;
      throw new Problem('conflict', [{ path: '', message }]);
    }
    if (status.status === 'completed' || now() > until) return status;
    await wait(looksEvery);
  }
}

/** The number of chunks that were accepted and are not closed, and of those that failed. */
export async function chunksAtWork(database: Database, teamId: string): Promise<{ open: number; failed: number }> {
  const { left, failed } = await loadImportState(database, teamId);
  return { open: (await lastOrder(database, teamId)) - left, failed };
}

/** True if a chunk that was accepted before can still create accounts and links. */
export async function isAtWork(database: Database, teamId: string): Promise<boolean> {
  const { open, failed } = await chunksAtWork(database, teamId);
  return open + failed > 0;
}

/** What has become of the removal. `done` describes it if it is applied. */
export const removalText = ({ status, batch_id }: BatchStatus, teamId: string, done: string): string =>
  status === 'completed'
    ? done
    : `The removal is accepted and not applied yet: chunks before it are. To watch: ${watchCommand(batch_id, teamId)}`;
