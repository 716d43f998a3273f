import { accountRecord } from '../../../../lib/domain/account-record.ts';
import { acceptBatch } from '../../../../lib/operations/imports/accept.ts';
import type { ImportDependencies } from '../../../../lib/operations/service.ts';
import type { Database } from '../../../../lib/store/database.ts';
import { digestOf } from '../../../../lib/store/digest.ts';
import { accountKey } from '../../../../lib/store/keys.ts';

/**
 * A chunk that fails on purpose, to practise the runbook: its account is stored in a form that no version of the service
 * can read, so each attempt ends with an error. A redrive succeeds once the account is deleted.
 */
const drillAccount = 'drill-account';

const record = {
  account_number: drillAccount,
  product: { code: 'DRILL', type: 'checking', name: 'A drill' },
};

/** Poisons the account and accepts a chunk for it. @returns false if the account exists already */
export async function poisonChunk(dependencies: ImportDependencies, teamId: string, batchId: string): Promise<boolean> {
  const item = { ...accountKey(teamId, drillAccount), note: 'unreadable on purpose' };
  const [isPoisoned] = await dependencies.database.write([{ kind: 'insert', item }]);
  if (!isPoisoned) return false;
  const pair = { batch_id: batchId, chunk_index: 0 };
  await acceptBatch(dependencies, teamId, {
    pair,
    namesChunkCount: true,
    digest: () => digestOf([record]),
    validate: () => ({ type: 'account', ...pair, chunk_count: 1, records: [accountRecord.parse(record)] }),
  });
  return true;
}

/** Deletes the account of the drill, in whatever form it is. @returns false if there is none */
export async function cureChunk(database: Database, teamId: string): Promise<boolean> {
  const key = accountKey(teamId, drillAccount);
  const [item] = await database.get([key]);
  return item !== undefined && database.transact([{ kind: 'delete', key, expect: {} }]);
}
