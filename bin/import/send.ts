import {
  ApiError,
  type BatchAcceptance,
  ConflictError,
  type OnboardingClient,
  onceThereIsRoom,
} from '../../client/index.ts';
import type { JsonObject } from '../../lib/domain/values/json.ts';
import { byTime } from '../../lib/domain/values/timestamp.ts';
import type { FileChunk } from '../../lib/files/file.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
import { leaverNotices } from '../../lib/files/leavers.ts';
import { type Row, type RowError, recordErrorOf } from '../../lib/files/rows.ts';
import type { ChunkOutcome } from './ledger.ts';
import { CannotRun } from './source.ts';

type Counts = Omit<ChunkOutcome, 'refused'>;

/** @param chunkCount the number of chunks of the batch, if it is known */
export type Sender = (chunk: FileChunk, chunkCount?: number) => Promise<ChunkOutcome>;

export type SendOptions = {
  client: OnboardingClient;
  batchId: string;
  /** ISO 8601, by the clock of the service. */
  startedAt: string;
  /** Once aborted, no further chunk is sent, and waiting for open chunks ends. */
  asked: AbortSignal;
  /** Called when the service rejects a chunk because too many are open. */
  onFull: () => void;
};

const nothing: Counts = { sent: 0, applied: 0, unchanged: 0, repeated: 0, redriven: 0, followed: 0 };

/** Sends the valid rows of the chunk. If the service rejects rows, sends the others again. */
export const senderOf =
  (kind: FileKind, options: SendOptions): Sender =>
  async (chunk, chunkCount) => {
    const refused = new Map<number, RowError[]>();
    const post = (rows: readonly Row[]) => {
      const records = rows.map(({ record }) => record);
      return kind === 'accounts'
        ? postAccounts(options, records, chunk, chunkCount)
        : postContacts(options, rows, chunk);
    };
    const send = async (places: readonly number[]): Promise<Counts> => {
      if (places.length === 0) return nothing;
      try {
        return await post(places.map((at) => chunk.rows[at]!));
      } catch (error) {
        // The response would be too large, because it contains every field of each contact.
        const isTooMuch = error instanceof ApiError && error.status === 413 && places.length > 1;
        if (kind === 'contacts' && isTooMuch) {
          const middle = Math.ceil(places.length / 2);
          return sum(await send(places.slice(0, middle)), await send(places.slice(middle)));
        }
        for (const { at, error: rowError } of refusedRows(error)) {
          const place = places[at]!;
          refused.set(place, [...(refused.get(place) ?? []), rowError]);
        }
        return send(places.filter((at) => !refused.has(at)));
      }
    };
    return { ...(await send([...chunk.rows.keys()].filter((at) => chunk.rows[at]!.errors.length === 0))), refused };
  };

const sum = (first: Counts, second: Counts): Counts =>
  Object.fromEntries(
    Object.entries(first).map(([name, count]) => [name, count + second[name as keyof Counts]]),
  ) as Counts;

async function postAccounts(
  options: SendOptions,
  records: JsonObject[],
  chunk: FileChunk,
  chunk_count: number | undefined,
): Promise<Counts> {
  const { batchId, client } = options;
  const counted = chunk_count === undefined ? {} : { chunk_count };
  const input = { type: 'accounts', batch_id: batchId, chunk_index: chunk.index, ...counted, records } as never;
  const accepted = await accept(options, () => client.batches.create(input));
  if (accepted.same_records === false) throw new CannotRun(otherRows(batchId, chunk));
  const { duplicate, redriven, later_records } = accepted;
  const countIf = (is: boolean | undefined) => (is ? records.length : 0);
  return {
    ...{ ...nothing, sent: records.length, repeated: countIf(duplicate) },
    ...{ redriven: countIf(redriven), followed: countIf(later_records) },
  };
}

/** Retries while too many chunks are open. Ctrl-C ends the waiting. */
async function accept(
  { batchId, asked, onFull }: SendOptions,
  create: () => Promise<BatchAcceptance>,
): Promise<BatchAcceptance> {
  try {
    return await onceThereIsRoom(create, { signals: [asked], onWait: onFull });
  } catch (error) {
    if (error instanceof ConflictError) throw new CannotRun(otherCount(batchId), { cause: error });
    if (asked.aborted && error === asked.reason)
      throw new CannotRun('Stopped. Run the same command again to continue.');
    throw error;
  }
}

const useAnotherId = 'To import the file as it is now, set another batch id with --batch-id.';

function otherRows(batchId: string, { rows, next }: FileChunk): string {
  return [
    `Lines ${rows[0]!.line} to ${next.line - 1} were sent before under the batch id ${batchId}, with other content.`,
    'The file, its mapping or the rules for its rows have changed since then.',
    'The service kept the earlier rows and applied none of these lines. The import stops here.',
    useAnotherId,
  ].join('\n');
}

function otherCount(batchId: string): string {
  return [
    `The number of chunks in the file differs from the number announced before under the batch id ${batchId}.`,
    'The file has changed since then. Its last rows were not accepted.',
    useAnotherId,
  ].join('\n');
}

/** An unchanged contact keeps its `updated_at`, so that it can be counted. */
async function postContacts(
  { client, startedAt }: SendOptions,
  records: readonly Row[],
  { notices }: FileChunk,
): Promise<Counts> {
  const written = await client.contacts.upsertMany(records.map(({ record }) => record) as never);
  for (const notice of leaverNotices(records, written)) notices.push(notice);
  const unchanged = written.existing_contacts.filter(({ updated_at }) => byTime(updated_at, startedAt) < 0).length;
  return { ...nothing, sent: records.length, applied: records.length - unchanged, unchanged };
}

/** The records that an error names, with the reasons. @throws the error itself if it names no records */
function refusedRows(error: unknown): { at: number; error: RowError }[] {
  const details = error instanceof ApiError && error.status === 422 ? error.details : [];
  const named = details.map(recordErrorOf).filter((each) => each !== undefined);
  if (named.length === 0) throw error;
  return named;
}
