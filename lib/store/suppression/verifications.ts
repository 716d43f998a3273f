import * as z from 'zod';
import { type Database, readOne, type Upsert, versioned } from '../table/database.ts';
import { addressVerificationsKey } from '../table/keys.ts';
import { itemReader, storedVersion } from '../table/stored-item.ts';

/** When links were sent that verify an address, for the limit of an address. */
export type SentToAddress = { sentAt: readonly string[]; version: number };

const sentItem = itemReader(
  'verifications of an address',
  z.object({ sent_at: z.array(z.string()), version: storedVersion }),
);

export async function loadSentToAddress(database: Database, teamId: string, hash: string): Promise<SentToAddress> {
  const stored = await readOne(database, addressVerificationsKey(teamId, hash), sentItem);
  return { sentAt: stored?.sent_at ?? [], version: stored?.version ?? 0 };
}

/** @param until when all of these times are forgotten, in milliseconds */
export const sentToAddressWrite = (
  teamId: string,
  hash: string,
  { sentAt, version }: SentToAddress,
  until: number,
): Upsert =>
  versioned(addressVerificationsKey(teamId, hash), version, { sent_at: sentAt, expires_at: Math.ceil(until / 1000) });
