import { type AccountRecord, accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { begin, type ListedChunk } from '../../../lib/domain/imports/chunk.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { acceptBatch, type PostedBatch } from '../../../lib/operations/imports/accept.ts';
import { applyTargets, contactIds, targetsOf } from '../../../lib/operations/imports/apply.ts';
import { failChunk, type WorkReport, workTeam } from '../../../lib/operations/imports/work.ts';
import type { ImportService } from '../../../lib/operations/service.ts';
import { loadWork, saveState } from '../../../lib/store/imports/import-work.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { digestOf } from '../../../lib/store/table/digest.ts';

/** The import operations, run by a test without HTTP and without functions. */

export type BatchToPost = {
  batch_id?: string;
  chunk_index?: number;
  chunk_count?: number;
  /** The records as they are sent. */
  records: readonly object[];
};

/** The request as the endpoint passes it on, after its body was read. */
export function posted({ batch_id, chunk_index, chunk_count, records }: BatchToPost): PostedBatch {
  const pair = batch_id !== undefined && chunk_index !== undefined ? { batch_id, chunk_index } : undefined;
  return {
    pair,
    namesChunkCount: chunk_count !== undefined,
    digest: () => digestOf(records as unknown as JsonValue),
    validate: () => ({
      type: 'account',
      batch_id,
      chunk_index,
      chunk_count,
      records: records.map((record) => accountRecord.parse(record)),
    }),
  };
}

export const postBatch = (dependencies: ImportService, teamId: string, batch: BatchToPost) =>
  acceptBatch(dependencies, { teamId }, posted(batch));

/** The team's open chunks in their order. */
export const openChunks = async (database: Database, teamId: string): Promise<ListedChunk[]> =>
  (await loadWork(database, teamId, 1000)).open;

/** Begins the team's first open chunk and marks it failed, like a worker that cannot read its records. */
export async function failNextChunk(
  dependencies: ImportService,
  teamId: string,
  reason = 'a test',
): Promise<ListedChunk> {
  const { database, now } = dependencies;
  const { state, open } = await loadWork(database, teamId, 1);
  const [chunk] = open;
  if (!chunk) throw new Error('the team has no open chunk');
  await saveState(database, teamId, state, begin(state, chunk, timestamp(now())));
  await failChunk(dependencies, chunk, reason);
  return chunk;
}

/** Applies all open chunks of the team, like a worker with enough time. */
export const workAll = (dependencies: ImportService, teamId: string): Promise<WorkReport> =>
  workTeam(dependencies, teamId, () => true);

/** Applies records like a chunk with this order number, without claim or close. */
export async function applyRecords(
  dependencies: ImportService,
  {
    teamId,
    order,
    guarded = false,
    records,
  }: {
    teamId: string;
    order: number;
    guarded?: boolean;
    records: readonly AccountRecord[];
  },
) {
  const targets = targetsOf(teamId, records, await contactIds(dependencies.database, teamId, records, 0));
  return applyTargets(dependencies, { teamId, order, guarded }, targets, records.length);
}
