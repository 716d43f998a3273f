import { randomUUID } from 'node:crypto';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { loadByUniqueId } from '../../../lib/store/contacts/contacts.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { ModelTable } from '../../support/models/model-table.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

export const database: Database = new ModelTable();

/** The team of the running test. */
export let team: string;
export function newTeam(): void {
  team = randomUUID();
}

export const rename = (from: string, to: string, using: Database = database) =>
  changeUniqueId({ ...serviceOn(using), newId: randomUUID }, team, { from, to });

export const upsert = (unique_id: string, fields: object = {}, using: Database = database) =>
  upsertContact(serviceOn(using), team, record({ unique_id, ...fields }));

export const make = async (unique_id: string) => (await upsert(unique_id)).contact.id;
const whoIs = async (uniqueId: string) => (await loadByUniqueId(database, team, [uniqueId])).get(uniqueId)?.stored;
export const idOf = async (uniqueId: string) => (await whoIs(uniqueId))?.contact.id;

export const link = (unique_id: string, account_number: string, role?: string) => ({
  account_number,
  contact: { unique_id, ...(role === undefined ? {} : { role }) },
});

/** Accepts the records as a new chunk. */
export const accept = (...records: object[]) => postBatch(serviceOn(database), team, { records });

/** Applies the open chunks. @returns the number of records that this worker closed */
export const work = async (using: Database = database) => (await workAll(serviceOn(using), team)).records;

export async function apply(...records: object[]) {
  await accept(...records);
  await work();
}

export const linksOf = async (contactId: string) =>
  Object.fromEntries(
    (await loadLinks(database, team, contactId)).links.map(({ account_number, role }) => [account_number, role]),
  );

type Method = 'get' | 'query' | 'write' | 'transact';

/** A database that once runs something else first, at the `n`th call of this method. */
export function interrupted(method: Method, n: number, by: () => Promise<unknown>): Database {
  let calls = 0;
  const call = (name: Method) => async (input: never) => {
    if (name === method && ++calls === n) await by();
    return database[name](input) as never;
  };
  return { get: call('get'), query: call('query'), write: call('write'), transact: call('transact') };
}

export class Died extends Error {}
export const dies = async () => {
  throw new Died();
};
