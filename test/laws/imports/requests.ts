import { type AccountRecord, accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { maxRecordsPerChunk } from '../../../lib/domain/imports/batch.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { validationFailed } from '../../../lib/domain/values/problem.ts';
import type { PostedBatch } from '../../../lib/operations/imports/accept.ts';
import { digestOf } from '../../../lib/store/table/digest.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import type { Random } from '../random.ts';

/** A request of a client. */
export type Post = {
  name: string;
  teamId: string;
  batch_id: string | undefined;
  /** Absent if the service splits the request. */
  chunk_index: number | undefined;
  chunk_count: number | undefined;
  /** The records of each chunk. */
  parts: AccountRecord[][];
  digest: string;
  isInvalid: boolean;
};

/** The request as the endpoint passes it to the operation, after its body was read. */
export function postedOf({ batch_id, chunk_index, chunk_count, parts, digest, isInvalid }: Post): PostedBatch {
  const pair = batch_id !== undefined && chunk_index !== undefined ? { batch_id, chunk_index } : undefined;
  return {
    pair,
    namesChunkCount: chunk_count !== undefined,
    digest: () => digest,
    validate: () => {
      if (isInvalid) throw validationFailed([{ path: '/records/0', message: 'is not a record' }]);
      const records = chunk_index === undefined ? shortParts(parts) : parts[0]!;
      return { type: 'account', batch_id, chunk_index, chunk_count, records };
    },
  };
}

/** Records that the service splits into these parts. The parts are short, but count as full. */
const shortParts = (parts: AccountRecord[][]): AccountRecord[] =>
  ({
    length: parts.length * maxRecordsPerChunk,
    slice: (from: number) => parts[from / maxRecordsPerChunk],
  }) as unknown as AccountRecord[];

export const uniqueIds = ['c-0', 'c-1'];

/**
 * Records of few accounts and contacts, so that they conflict. Some add metadata until the merged record is too large;
 * some are an administrator's and remove an account or a link.
 */
function rawRecords(random: Random, teamId: string): object[] {
  return Array.from({ length: 1 + random.below(3) }, () => {
    const account_number = `acc-${random.below(2)}`;
    if (random.chance(0.05)) return { account_number, removal: 'account' };
    if (random.chance(0.1)) {
      return { account_number, removal: { contact_id: derivedContactId(teamId, random.pick(uniqueIds)) } };
    }
    const contact = {
      unique_id: random.pick(uniqueIds),
      ...(random.chance(0.5) ? { role: random.pick(['a', 'b']) } : {}),
    };
    if (random.chance(0.2)) return { account_number, contact };
    return {
      account_number,
      ...(random.chance(0.7) ? { contact } : {}),
      product: { code: random.pick(['P', 'Q']), type: 'checking' },
      ...(random.chance(0.6) ? { nickname: random.pick(['x', 'y', null]) } : {}),
      ...(random.chance(0.4) ? { status_code: random.pick(['1', '2']) } : {}),
      ...(random.chance(0.12) ? { meta_public: { [random.pick(['k', 'l'])]: 'z'.repeat(9000) } } : {}),
    };
  });
}

/** Caches parsed records: there are few different ones, and parsing takes longer than everything else. */
const parsed = new Map<string, AccountRecord>();
function parse(raw: object): AccountRecord {
  const text = JSON.stringify(raw);
  const record = parsed.get(text) ?? ('removal' in raw ? (raw as AccountRecord) : accountRecord.parse(raw));
  parsed.set(text, record);
  return record;
}

function recordsOf(random: Random, teamId: string, parts: number): Pick<Post, 'parts' | 'digest'> {
  const raw = Array.from({ length: parts }, () => rawRecords(random, teamId));
  return { parts: raw.map((part) => part.map(parse)), digest: digestOf(raw.flat() as unknown as JsonValue) };
}

/** The number of chunks in the batch `counted`. */
const chunkCount = 20;

/** Requests of all teams, in the order in which clients start to send them. */
export function requestsOf(random: Random, teamIds: readonly string[], count: number): Post[] {
  const nextIndex = new Map<string, number>();
  return Array.from({ length: count }, (_, n): Post => {
    const teamId = random.pick(teamIds);
    const isInvalid = random.chance(0.08);
    if (random.chance(0.25)) {
      const batch_id = random.chance(0.5) ? 'nightly' : undefined;
      const content = recordsOf(random, teamId, 1 + random.below(3));
      return {
        name: `upload${n}`,
        teamId,
        batch_id,
        chunk_index: undefined,
        chunk_count: undefined,
        isInvalid,
        ...content,
      };
    }
    const batch_id = random.pick(['nightly', 'counted']);
    const chunk_index = nextIndex.get(teamId + batch_id) ?? 0;
    nextIndex.set(teamId + batch_id, chunk_index + 1);
    const names = batch_id === 'counted' && random.chance(0.7);
    const chunk_count = names ? chunkCount + (random.chance(0.1) ? 1 : 0) : undefined;
    return {
      name: `${batch_id}/${chunk_index}`,
      teamId,
      batch_id,
      chunk_index,
      chunk_count,
      isInvalid,
      ...recordsOf(random, teamId, 1),
    };
  });
}

/** The same pair again, from a client that got no response or that mixes up its files. */
export function repeatOf(post: Post, random: Random): Post {
  const variant = random.pick(['same', 'same', 'other', 'invalid'] as const);
  if (variant === 'same') return { ...post, isInvalid: false };
  const content = variant === 'other' ? recordsOf(random, post.teamId, 1) : post;
  return { ...post, ...content, isInvalid: variant === 'invalid', name: `${post.name} (${variant})` };
}
