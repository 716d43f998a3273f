import * as z from 'zod';
import type { AccountRecord } from '../../domain/accounts/account-record.ts';
import type { Chunk, ImportState } from '../../domain/imports/chunk.ts';
import { entryOf } from '../imports/chunk-items.ts';
import { stateWrite } from '../imports/import-work.ts';
import { all, type Database, type Write } from '../table/database.ts';
import {
  chunkListKey,
  chunkListPrefix,
  claimKey,
  importPartition,
  payloadKey,
  payloadPartition,
} from '../table/keys.ts';
import { partsOf } from '../table/parts.ts';
import { itemReader } from '../table/stored-item.ts';

/** Stores the records of an accepted chunk again without an erased person. */

const expiring = itemReader('part of a payload', z.object({ expires_at: z.int().optional() }));

/**
 * One transaction: it inserts the new parts under a new id, sets this id in the claim and its list entry, and deletes the
 * old parts. A worker that reads at the same time finds all old records, or none, and then lists again. An open or failed
 * chunk changes the version of the import state too, so that no attempt begins with records that were read before. The
 * parts of a chunk are smaller than 4 MB, the limit of a transaction, because its request was.
 */
export async function payloadRewrite(
  database: Database,
  { chunk, state }: { chunk: Chunk; state: ImportState },
  payloadId: string,
  records: readonly AccountRecord[],
): Promise<Write[]> {
  const { team_id, batch_id, claim, status, order } = chunk;
  const old = await all(database, { pk: payloadPartition(team_id, chunk.payload_id) });
  const expiry = old[0] && expiring(old[0]);
  const parts = (await partsOf(records)).map((data, part): Write => {
    return { kind: 'insert', item: { ...payloadKey(team_id, payloadId, part), data, ...expiry } };
  });
  const set = { payload_id: payloadId, parts: parts.length };
  const expect = { payload_id: chunk.payload_id };
  const list = status === 'failed' ? 'FAILED' : status === 'open' ? 'OPEN' : undefined;
  return [
    ...parts,
    { kind: 'update', key: claimKey(team_id, batch_id, claim), set, expect: { ...expect, order, status } },
    ...(list
      ? [
          { kind: 'update' as const, key: chunkListKey(team_id, list, order), set, expect },
          stateWrite(team_id, state, state),
        ]
      : []),
    ...old.map(({ pk, sk }): Write => ({ kind: 'delete', key: { pk, sk }, expect: {} })),
  ];
}

/** The batches of the team's open and failed chunks, each once. This read is consistent; the list of batches can be behind. */
export async function batchesAtWork(database: Database, teamId: string): Promise<string[]> {
  const pk = importPartition(teamId);
  const prefixes = (['FAILED', 'OPEN'] as const).map(chunkListPrefix);
  const lists = await Promise.all(prefixes.map((prefix) => all(database, { pk, prefix })));
  return [...new Set(lists.flat().map((item) => entryOf(item).batch_id))];
}
