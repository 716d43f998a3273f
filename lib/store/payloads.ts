import { readJson } from '../domain/json.ts';
import type { Database } from './database.ts';
import { type Key, payloadKey } from './keys.ts';
import { partsOf, textOf } from './parts.ts';

/** The records of accepted chunks, compressed, in as many items as they need. */
/** Longer than any backlog or outage lasts; DynamoDB then removes what nobody needs any more, at no cost. */
const daysKept = 30;

export type PayloadRef = { team_id: string; payload_id: string; parts: number };

/** Stores the payload under a fresh id. @returns how many parts it takes. */
export async function savePayload(
  database: Database,
  teamId: string,
  payloadId: string,
  records: unknown,
  now: number,
): Promise<number> {
  const parts = await partsOf(records);
  const items = parts.map((data, part) => ({
    ...payloadKey(teamId, payloadId, part),
    data,
    expires_at: expiry(now),
  }));
  await database.write(items.map((item) => ({ kind: 'insert', item })));
  return parts.length;
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

/** The payload of a failed chunk stays until somebody decides on it. */
export const keepPayload = (database: Database, chunk: PayloadRef) => setExpiry(database, chunk, undefined);

/** Once decided, it goes like any other. */
export const releasePayload = (database: Database, chunk: PayloadRef, now: number) =>
  setExpiry(database, chunk, expiry(now));

async function setExpiry(database: Database, { team_id, payload_id, parts }: PayloadRef, expires_at?: number) {
  const keys = partKeys(team_id, payload_id, parts);
  await database.write(keys.map((key) => ({ kind: 'update', key, set: { expires_at }, expect: {} })));
}

const expiry = (now: number) => Math.floor(now / 1000) + daysKept * 24 * 3600;

const partKeys = (teamId: string, payloadId: string, parts: number): Key[] =>
  Array.from({ length: parts }, (_, part) => payloadKey(teamId, payloadId, part));
