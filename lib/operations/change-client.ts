import type { StoredClient } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { loadClient, saveClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';

const attempts = 5;

/**
 * Reads the client, lets `change` decide, and stores what it made of it; a lost race reads and decides again.
 * A change that gives the client back as it was writes nothing. `undefined` when there is no such client.
 */
export async function changeClient(
  database: Database,
  clientId: string,
  change: (client: StoredClient) => StoredClient,
): Promise<StoredClient | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const client = await loadClient(database, clientId);
    if (!client) return undefined;
    const changed = change(client);
    if (changed === client || (await saveClient(database, changed))) return changed;
  }
  throw new Problem('unavailable', undefined, { reason: 'the client is contended' });
}
