import * as z from 'zod';
import { productTypes, standardizedTypes } from '../../domain/accounts/account-fields.ts';
import type { AccountRecord } from '../../domain/accounts/account-record.ts';
import { retentionDefaults } from '../../domain/teams/retention.ts';
import { isJsonObject, readJson } from '../../domain/values/json.ts';
import type { MetadataChange } from '../../domain/values/metadata.ts';
import { storedAccountFields } from '../accounts/accounts.ts';
import type { Database, Item, Upsert, Write } from '../table/database.ts';
import { type Key, payloadKey } from '../table/keys.ts';
import { partsOf, textOf } from '../table/parts.ts';
import { isMetadata, itemReader } from '../table/stored-item.ts';

/**
 * Payloads hold the records of accepted chunks, compressed, in as many items as they need. They are kept longer than
 * any expected backlog or outage lasts. Then DynamoDB deletes them, at no cost.
 */
export type PayloadExpiry = {
  /** Milliseconds since the epoch. */
  now: number;
  /** Days that the payload is kept. */
  days?: number | undefined;
};

export type PayloadRef = { team_id: string; payload_id: string; parts: number };

/**
 * The items of the payload. `payloadId` must be a fresh id: if an insert fails because the item exists, an earlier
 * attempt of the same call wrote it and its response was lost.
 */
export async function payloadWrites(
  teamId: string,
  payloadId: string,
  records: readonly AccountRecord[],
  expires: PayloadExpiry,
): Promise<Upsert[]> {
  const parts = await partsOf(records);
  return parts.map((data, part) => ({
    kind: 'insert',
    item: { ...payloadKey(teamId, payloadId, part), data, expires_at: expiry(expires) },
  }));
}

/** The stored records, or `undefined` if they have expired or cannot be read. @throws InvalidStoredItem */
export async function loadPayload(database: Database, chunk: PayloadRef): Promise<AccountRecord[] | undefined> {
  const items = await database.get(partKeys(chunk.team_id, chunk.payload_id, chunk.parts));
  const records = await recordsIn(items);
  return Array.isArray(records) ? recordsOf(records) : undefined;
}

async function recordsIn(items: readonly (Item | undefined)[]): Promise<unknown> {
  try {
    return readJson(await textOf(items.map((item) => partOf(item).data)));
  } catch {
    return undefined;
  }
}

const partOf = itemReader('part of a payload', z.object({ data: z.instanceof(Uint8Array) }));

const sentMetadata = z.custom<MetadataChange | null>(
  (value) => value === null || (isJsonObject(value) && Object.values(value).every(isMetadata)),
);

/** Checks only the form of a record: its values were validated before it was accepted. */
const recordsOf: (records: unknown) => AccountRecord[] = itemReader(
  'payload',
  z.array(
    z.object({
      account_number: z.string(),
      link: z.object({ unique_id: z.string(), role: z.string().nullish() }).optional(),
      account: z
        .object({
          fields: storedAccountFields,
          product: z.object({
            code: z.string(),
            type: z.enum(productTypes),
            standardized_type: z.enum(standardizedTypes).optional(),
            name: z.string().nullish(),
            description: z.string().nullish(),
          }),
          meta_public: sentMetadata.optional(),
          meta_private: sentMetadata.optional(),
        })
        .optional(),
      removal: z.union([z.literal('account'), z.object({ contact_id: z.string() })]).optional(),
    }),
  ),
);

/**
 * Writes for the transaction that marks a chunk failed: its payload does not expire until the chunk is redriven,
 * discarded or completed. A part that is already missing is left out.
 */
export const keepPayload = (database: Database, chunk: PayloadRef) => expiryWrites(database, chunk, undefined);

/** Writes for the transaction that redrives, discards or completes a failed chunk: its payload expires again. */
export const releasePayload = (database: Database, chunk: PayloadRef, expires: PayloadExpiry) =>
  expiryWrites(database, chunk, expiry(expires));

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

const expiry = ({ now, days = retentionDefaults.payloads }: PayloadExpiry) => Math.floor(now / 1000) + days * 24 * 3600;

const partKeys = (teamId: string, payloadId: string, parts: number): Key[] =>
  Array.from({ length: parts }, (_, part) => payloadKey(teamId, payloadId, part));
