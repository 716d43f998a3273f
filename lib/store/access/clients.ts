import { clientSchema, type StoredClient } from '../../domain/access/client.ts';
import { oldestFirst } from '../../domain/values/timestamp.ts';
import { isUuid } from '../../domain/values/uuid.ts';
import { all, type Database, readAll, readOne, writeOne } from '../table/database.ts';
import { digestOf } from '../table/digest.ts';
import {
  assertionKey,
  clientIdOfEntry,
  clientKey,
  teamClientKey,
  teamClientPrefix,
  teamPartition,
} from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

const clientOf: (item: unknown) => StoredClient = itemReader('client', clientSchema);

/** Writes the client and its entry in the team's list. False if the id is taken. */
export const insertClient = (database: Database, client: StoredClient): Promise<boolean> =>
  database.transact([
    { kind: 'insert', item: { ...clientKey(client.client_id), ...client } },
    { kind: 'insert', item: { ...teamClientKey(client.team_id, client.client_id) } },
  ]);

/** `undefined` if there is no such client. `clientId` can be any text. */
export const loadClient = async (database: Database, clientId: string): Promise<StoredClient | undefined> =>
  isUuid(clientId) ? readOne(database, clientKey(clientId), clientOf) : undefined;

/** Stores the changed client. False if another write changed it since it was read. */
export async function saveClient(database: Database, client: StoredClient): Promise<boolean> {
  // `last_used_on` is written without a new version, so the stored value can be newer than the one that was read.
  const { client_id, team_id, inserted_at, last_used_on, ...set } = client;
  const expect = { version: client.version - 1 };
  return writeOne(database, { kind: 'update', key: clientKey(client_id), set, expect });
}

/** Stores that the client was used on this day, unless it is already stored or another request stores it. */
export async function saveLastUse(database: Database, client: StoredClient, day: string): Promise<void> {
  const { client_id, last_used_on } = client;
  if (last_used_on === day) return;
  const key = clientKey(client_id);
  await database.write([{ kind: 'update', key, set: { last_used_on: day }, expect: { last_used_on } }]);
}

/** The team's clients, oldest first, including revoked ones. */
export async function listClients(database: Database, teamId: string): Promise<StoredClient[]> {
  const entries = await all(database, { pk: teamPartition(teamId), prefix: teamClientPrefix });
  const keys = entries.map((entry) => clientKey(clientIdOfEntry(entry)));
  return oldestFirst(await readAll(database, keys, clientOf));
}

/** Seconds that a used assertion is kept after its expiry, for instances whose clocks are slow. */
const keptBeyondExpiry = 60;

/**
 * Records that the client used the assertion. False if it was used before.
 * @param assertion.expiresAt Unix seconds
 * @param use a fresh id, which tells this use from others if the response to the write was lost
 */
export async function recordAssertion(
  database: Database,
  clientId: string,
  { jti, expiresAt }: { jti: string; expiresAt: number },
  use: string,
): Promise<boolean> {
  const key = assertionKey(clientId, digestOf(jti));
  const item = { ...key, used_by: use, expires_at: expiresAt + keptBeyondExpiry };
  const written = await writeOne(database, { kind: 'insert', item });
  if (written) return true;
  const [stored] = await database.get([key]);
  return stored?.used_by === use;
}
