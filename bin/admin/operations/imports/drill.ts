import { accountRecord } from '../../../../lib/domain/account-record.ts';
import { acceptOwnChunk } from '../../../../lib/operations/imports/accept.ts';
import type { ImportDependencies } from '../../../../lib/operations/service.ts';
import type { Database } from '../../../../lib/store/database.ts';
import { digestOf } from '../../../../lib/store/digest.ts';
import { derivedContactId } from '../../../../lib/store/ids.ts';
import { linkKey } from '../../../../lib/store/keys.ts';

/**
 * A chunk that fails on purpose, to practise the runbook: its link is stored in a form that no version of the service
 * can read, so each attempt ends with an error. A redrive succeeds once the link is deleted. A link without data is no
 * change that is published, so the drill delays no events.
 */
const record = { account_number: 'drill-account', contact: { unique_id: 'drill-contact' } };

const drillLink = (teamId: string) =>
  linkKey(teamId, derivedContactId(teamId, record.contact.unique_id), record.account_number);

/** Poisons the link and accepts a chunk for it. @returns false if the link exists already */
export async function poisonChunk(dependencies: ImportDependencies, teamId: string, batchId: string): Promise<boolean> {
  const item = { ...drillLink(teamId), note: 'unreadable on purpose' };
  const [isPoisoned] = await dependencies.database.write([{ kind: 'insert', item }]);
  if (!isPoisoned) return false;
  const pair = { batch_id: batchId, chunk_index: 0 };
  const records = [accountRecord.parse(record)];
  await acceptOwnChunk(dependencies, teamId, { pair, chunk_count: 1, digest: () => digestOf([record]), records });
  return true;
}

/** Deletes the link of the drill, in whatever form it is. @returns false if there is none */
export async function cureChunk(database: Database, teamId: string): Promise<boolean> {
  const key = drillLink(teamId);
  const [item] = await database.get([key]);
  return item !== undefined && database.transact([{ kind: 'delete', key, expect: {} }]);
}
