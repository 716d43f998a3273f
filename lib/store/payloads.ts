import { readJson } from '../domain/json.ts';
import type { Database, Upsert, Write } from './database.ts';
import { type Key, payloadKey } from './keys.ts';
import { partsOf, textOf } from './parts.ts';

/**
 * The records of accepted chunks, compressed, in as many items as they need. They outlive any backlog or outage; then
 * DynamoDB removes what nobody needs any more, at no cost.
 */
const daysKept = 30;

export type PayloadRef = { team_id: string; payload_id: string; parts: number };

/**
 * The payload's items, under a fresh id. An insert that finds its item there has been written before, by a request
 * whose response was lost.
 */
export async function payloadWrites(
  teamId: string,
  payloadId: string,
  records: unknown,
  now: number,
): Promise<Upsert[]> {
  const parts = await partsOf(records);
  return parts.map((data, part) => ({
    kind: 'insert',
    item: { ...payloadKey(teamId, payloadId, part), data, expires_at: expiry(now) },
  }));
}

/** The stored records, or `undefined` when they are gone or cannot be read. */
export async function loadPayload(database: Database, chunk: PayloadRef): Promise<unknown> {
  const items = await database.get(partKeys(chunk.team_id, chunk.payload_id, chunk.parts));
  try {
    return readJson(await textOf(items.map((item) => item?.data as Uint8Array)));
  } catch {
    return undefined;
  }
}

/**
 * For the transaction that fails a chunk: its payload stays until somebody decides on it. A part that is missing
 * already cannot be kept.
 */
export const keepPayload = (database: Database, chunk: PayloadRef) => expiryWrites(database, chunk, undefined);

/** For the transaction in which somebody has decided: the payload expires like any other. */
export const releasePayload = (database: Database, chunk: PayloadRef, now: number) =>
  expiryWrites(database, chunk, expiry(now));

async function expiryWrites(
  database: Database,
  { team_id, payload_id, parts }: PayloadRef,
  expires_at: number | undefined,
): Promise<Write[]> {
  const found = await database.get(partKeys(team_id, payload_id, parts));
  return found.flatMap((item) =>
    item ? [{ kind: 'update', key: { pk: item.pk, sk: item.sk }, set: { expires_at }, expect: {} }] : [],
  );
}

const expiry = (now: number) => Math.floor(now / 1000) + daysKept * 24 * 3600;

const partKeys = (teamId: string, payloadId: string, parts: number): Key[] =>
  Array.from({ length: parts }, (_, part) => payloadKey(teamId, payloadId, part));
