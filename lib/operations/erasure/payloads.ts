import type { AccountRecord } from '../../domain/accounts/account-record.ts';
import type { Chunk } from '../../domain/imports/chunk.ts';
import { payloadDays } from '../../domain/teams/retention.ts';
import type { PersonName } from '../../store/erasure/erasures.ts';
import { batchesAtWork } from '../../store/erasure/payload-rewrites.ts';
import { listBatchIds, loadBatch } from '../../store/imports/claims.ts';
import { loadPayload } from '../../store/imports/payloads.ts';
import type { Database } from '../../store/table/database.ts';
import type { Service } from '../service.ts';
import { namesAt } from './names.ts';

/** Chunks whose records are read in parallel, and batches in a page. */
const chunksAtOnce = 8;
const batchesAtOnce = 10;
/** DynamoDB deletes expired items within days. The longest setting counts, because it may have been longer before. */
const payloadsKept = (payloadDays.max + 10) * 24 * 3600 * 1000;

/** A chunk whose stored records name the person, at these indexes. */
export type ChunkHit = { chunk: Chunk; indexes: number[] };

export type ScanProgress = { batches: number; chunks: number };

/** A page of batches; the next page starts at `after`. */
type BatchPage = { ids: string[]; after?: string };

/** The team's batches: first those of open and failed chunks, then all, newest first, starting at `after`. */
export async function* batchPages(database: Database, teamId: string, after?: string): AsyncGenerator<BatchPage> {
  yield { ids: await batchesAtWork(database, teamId) };
  let from = after;
  do {
    const { ids, next } = await listBatchIds(database, teamId, batchesAtOnce, from, () => true);
    yield next === undefined ? { ids } : { ids, after: next };
    from = next;
  } while (from !== undefined);
}

/** The chunks of these batches, accepted up to that order number, whose stored records name the person. */
export async function findInChunks(
  { database, now }: Pick<Service, 'database' | 'now'>,
  teamId: string,
  ids: readonly string[],
  person: NamedPerson & { order: number },
  progress: ScanProgress,
): Promise<ChunkHit[]> {
  const hits: ChunkHit[] = [];
  await eachPayload({ database, now }, teamId, ids, progress, (chunk, records) => {
    const indexes = chunk.order <= person.order ? indexesOf(records, chunk, person) : [];
    if (indexes.length > 0) hits.push({ chunk, indexes });
  });
  return hits.sort((a, b) => a.chunk.order - b.chunk.order);
}

/** Calls `visit` with the stored records of each chunk of these batches. */
export async function eachPayload(
  { database, now }: Pick<Service, 'database' | 'now'>,
  teamId: string,
  ids: readonly string[],
  progress: ScanProgress,
  visit: (chunk: Chunk, records: readonly AccountRecord[]) => void,
): Promise<void> {
  for (const batchId of ids) {
    const { chunks } = await loadBatch(database, teamId, batchId);
    const queue = chunks.filter((chunk) => mayHavePayload(chunk, now()))[Symbol.iterator]();
    const lane = async () => {
      for (const chunk of queue) {
        visit(chunk, (await loadPayload(database, chunk)) ?? []);
        progress.chunks += 1;
      }
    };
    await Promise.all(Array.from({ length: chunksAtOnce }, lane));
    progress.batches += 1;
  }
}

function mayHavePayload({ status, accepted_at, closed_at }: Chunk, now: number): boolean {
  return status === 'open' || status === 'failed' || Date.parse(closed_at ?? accepted_at) > now - payloadsKept;
}

export type NamedPerson = { contact_id: string; names: readonly PersonName[] };

/** Indexes of the records that name the person. Records that remove a link have the id of the contact. */
export function indexesOf(
  records: readonly AccountRecord[],
  { accepted_at }: Pick<Chunk, 'accepted_at'>,
  { contact_id, names }: NamedPerson,
): number[] {
  const named = namesAt(names, accepted_at);
  return records.flatMap(({ link, removal }, index) => {
    const isUnlinked = typeof removal === 'object' && removal.contact_id === contact_id;
    return isUnlinked || (link && named.has(link.unique_id)) ? [index] : [];
  });
}

/**
 * The records without the person: each keeps its index and its account. A mapping, or the removal of a link, becomes an
 * empty record, which the worker counts as `unchanged`, so that indexes and counts stay valid.
 */
export function withoutPerson(records: readonly AccountRecord[], indexes: readonly number[]): AccountRecord[] {
  const named = new Set(indexes);
  return records.map((record, index) => {
    if (!named.has(index)) return record;
    const { link: _, removal: __, ...rest } = record;
    return rest;
  });
}
