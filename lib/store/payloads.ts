import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { readJson } from '../domain/json.ts';
import type { Database } from './database.ts';
import { type Key, payloadKey } from './keys.ts';

/** The records of accepted chunks, compressed, in as many items as they need. */
const bytesPerPart = 350 * 1024;
/** Longer than any backlog or outage lasts; DynamoDB then removes what nobody needs any more, at no cost. */
const daysKept = 30;

export type PayloadRef = { team_id: string; payload_id: string; parts: number };

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Stores the payload under a fresh id. @returns how many parts it takes. */
export async function savePayload(
  database: Database,
  teamId: string,
  payloadId: string,
  records: unknown,
  now: number,
): Promise<number> {
  const bytes = await compress(JSON.stringify(records), { level: 3 });
  const parts = Math.ceil(bytes.byteLength / bytesPerPart);
  await database.write(
    Array.from({ length: parts }, (_, part) => ({
      kind: 'insert',
      item: {
        ...payloadKey(teamId, payloadId, part),
        data: bytes.subarray(part * bytesPerPart, (part + 1) * bytesPerPart),
        expires_at: expiry(now),
      },
    })),
  );
  return parts;
}

/** The stored records, or `undefined` when they are gone or cannot be read. */
export async function loadPayload(database: Database, chunk: PayloadRef): Promise<unknown> {
  const items = await database.get(partKeys(chunk.team_id, chunk.payload_id, chunk.parts));
  try {
    const bytes = Buffer.concat(items.map((item) => item?.data as Uint8Array));
    return readJson((await expand(bytes)).toString('utf8'));
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
