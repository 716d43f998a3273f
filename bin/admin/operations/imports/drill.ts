import { accountRecord } from '../../../../lib/domain/accounts/account-record.ts';
import { acceptOwnChunk } from '../../../../lib/operations/imports/accept.ts';
import type { ImportService } from '../../../../lib/operations/service.ts';
import { type Database, type Item, writeOne } from '../../../../lib/store/table/database.ts';
import { digestOf } from '../../../../lib/store/table/digest.ts';
import { derivedContactId } from '../../../../lib/store/table/ids.ts';
import { linkKey } from '../../../../lib/store/table/keys.ts';

/**
 * A chunk that fails on purpose, to practise the runbook: its link is stored in a form that no version of the service
 * can read, so each attempt ends with an error. A redrive succeeds once the link is deleted. A link without data is no
 * change that is published, so the drill delays no events.
 */
const record = { account_number: 'drill-account', contact: { unique_id: 'drill-contact' } };

const drillLink = (teamId: string) =>
  linkKey(teamId, derivedContactId(teamId, record.contact.unique_id), record.account_number);

const note = 'unreadable on purpose';
const isPoisoned = (link: Item): boolean => link.note === note;

/** Poisons the link and accepts a chunk for it. @returns false if the link is poisoned already */
export async function poisonChunk(service: ImportService, teamId: string, batchId: string): Promise<boolean> {
  const { database } = service;
  const key = drillLink(teamId);
  const [link] = await database.get([key]);
  if (link && isPoisoned(link)) return false;
  // An earlier drill has ended with a link that can be read.
  if (link) await database.transact([{ kind: 'delete', key, expect: {} }]);
  if (!(await writeOne(database, { kind: 'insert', item: { ...key, note } }))) return false;
  const pair = { batch_id: batchId, chunk_index: 0 };
  const records = [accountRecord.parse(record)];
  await acceptOwnChunk(service, teamId, { pair, chunk_count: 1, digest: () => digestOf([record]), records });
  return true;
}

/** Deletes the poisoned link. @returns false if there is none */
export async function cureChunk(database: Database, teamId: string): Promise<boolean> {
  const key = drillLink(teamId);
  const [link] = await database.get([key]);
  return link !== undefined && isPoisoned(link) && database.transact([{ kind: 'delete', key, expect: { note } }]);
}
