import * as z from 'zod';
import type { ScanUse } from '../../domain/access/scan-budget.ts';
import { bound, type Database, readOne, versioned, writeOne } from '../table/database.ts';
import { scanUseKey } from '../table/keys.ts';
import { itemReader, storedVersion } from '../table/stored-item.ts';

/** `version` is the condition of the next write; 0 if the client has not used any read units yet. */
export type StoredScanUse = { use: ScanUse; version: number };

const scanUse = itemReader(
  'use of scans',
  z.object({ minute: z.int(), units: z.number(), cost: z.number().optional(), version: storedVersion }),
);

export async function loadScanUse(database: Database, teamId: string, clientId: string): Promise<StoredScanUse> {
  const stored = await readOne(database, scanUseKey(teamId, clientId), scanUse);
  const { version, ...use } = stored ?? { minute: 0, units: 0, version: 0 };
  return { use, version };
}

/** @returns false if another write changed the use since it was read. */
export async function saveScanUse(
  database: Database,
  teamId: string,
  clientId: string,
  use: ScanUse,
  { version }: StoredScanUse,
): Promise<boolean> {
  return writeOne(database, versioned(scanUseKey(teamId, clientId), version, use));
}

/** A database that counts the read units of its queries. */
export function metered(database: Database): { database: Database; units(): number } {
  let units = 0;
  const query: Database['query'] = async (input) => {
    const page = await database.query(input);
    units += page.readUnits ?? 0;
    return page;
  };
  return { database: { ...bound(database), query }, units: () => units };
}
