import { ApiError, type OnboardingClient } from '../../client/index.ts';
import type { JsonObject } from '../../lib/domain/json.ts';
import type { FileChunk } from '../../lib/files/file.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
import { fieldOf, type RowFault } from '../../lib/files/rows.ts';
import type { ChunkOutcome } from './ledger.ts';

type Counts = Omit<ChunkOutcome, 'refused'>;
type Post = (records: JsonObject[]) => Promise<Counts>;

export type Sender = (chunk: FileChunk) => Promise<ChunkOutcome>;

const nothing: Counts = { sent: 0, created: 0, changed: 0, unchanged: 0, repeated: 0 };

/** Sends the chunk's rows that have no fault; rows that the service refuses are left out then, and the rest is sent. */
export function senderOf(kind: FileKind, client: OnboardingClient, batchId: string, startedAt: string): Sender {
  const post = kind === 'accounts' ? accountsPost(client, batchId) : () => contactsPost(client, startedAt);
  return async (chunk) => {
    const refused = new Map<number, RowFault[]>();
    const send = post(chunk.index);
    for (;;) {
      const places = chunk.rows.flatMap(({ faults }, at) => (faults.length === 0 && !refused.has(at) ? [at] : []));
      if (places.length === 0) return { ...nothing, refused };
      try {
        return { ...(await send(places.map((at) => chunk.rows[at]!.record))), refused };
      } catch (error) {
        for (const { at, fault } of refusedRows(error)) {
          const place = places[at]!;
          refused.set(place, [...(refused.get(place) ?? []), fault]);
        }
      }
    }
  };
}

const accountsPost =
  (client: OnboardingClient, batchId: string) =>
  (index: number): Post =>
  async (records) => {
    const input = { type: 'accounts', batch_id: batchId, chunk_index: index, records } as never;
    const { duplicate } = await client.batches.create(input);
    return { ...nothing, sent: records.length, repeated: duplicate ? records.length : 0 };
  };

/** A contact that was not written keeps the time of its last change. */
const contactsPost =
  (client: OnboardingClient, startedAt: string): Post =>
  async (records) => {
    try {
      const { new_contacts, existing_contacts } = await client.contacts.upsertMany(records as never);
      const unchanged = existing_contacts.filter(({ updated_at }) => updated_at < startedAt).length;
      const created = new_contacts.length;
      return { ...nothing, sent: records.length, created, changed: records.length - created - unchanged, unchanged };
    } catch (error) {
      // The answer would be too long: it holds everything that is known of each contact.
      const isTooMuch = error instanceof ApiError && error.status === 413 && records.length > 1;
      if (!isTooMuch) throw error;
      return sendHalves(contactsPost(client, startedAt), records);
    }
  };

async function sendHalves(post: Post, records: JsonObject[]): Promise<Counts> {
  const middle = Math.ceil(records.length / 2);
  const first = await post(records.slice(0, middle));
  const second = await post(records.slice(middle)).catch((error: unknown) => {
    throw shifted(error, middle);
  });
  return Object.fromEntries(
    Object.entries(first).map(([name, count]) => [name, count + second[name as keyof Counts]]),
  ) as Counts;
}

const rowPath = /^\/(?:records|contacts)\/(\d+)(\/.*)?$/;

/** The same refusal of records that stand so many further back. */
function shifted(error: unknown, by: number): unknown {
  if (!(error instanceof ApiError)) return error;
  const details = error.details.map(({ path, message }) => ({
    path: path.replace(rowPath, (_, at: string, rest = '') => `/records/${Number(at) + by}${rest}`),
    message,
  }));
  const { status, code, requestId, retryAfter } = error;
  return new ApiError(error.message, { status, code, details, requestId, retryAfter });
}

/** Which records a refusal names, and why. @throws the error, where it is about something else. */
function refusedRows(error: unknown): { at: number; fault: RowFault }[] {
  const details = error instanceof ApiError && error.status === 422 ? error.details : [];
  const named = details.flatMap(({ path, message }) => {
    const [, at, rest = ''] = rowPath.exec(path) ?? [];
    return at === undefined ? [] : [{ at: Number(at), fault: { column: fieldOf(rest), reason: message } }];
  });
  if (named.length === 0) throw error;
  return named;
}
