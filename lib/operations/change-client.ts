import type { StoredClient } from '../domain/client.ts';
import { loadClient, saveClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';
import { lostRace, type RetryDependencies, untilWritten } from './retry.ts';

export type ChangeClientDependencies = RetryDependencies & {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
};

/**
 * Reads the client, calls `change` and stores its result. A lost race is retried. If `change` returns the same object,
 * nothing is written. `undefined` if there is no such client.
 */
export const changeClient = (
  { database, pause }: Pick<ChangeClientDependencies, 'database' | 'pause'>,
  clientId: string,
  change: (client: StoredClient) => StoredClient,
): Promise<StoredClient | undefined> =>
  untilWritten({ pause }, 'too many conflicts on the client', async () => {
    const client = await loadClient(database, clientId);
    if (!client) return undefined;
    const changed = change(client);
    return changed === client || (await saveClient(database, changed)) ? changed : lostRace;
  });
