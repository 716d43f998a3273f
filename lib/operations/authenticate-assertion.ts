import type { StoredClient } from '../domain/client.ts';
import { recordAssertion } from '../store/assertions.ts';
import { loadClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';

/** An assertion, and the client that the request names beside it, if it does. */
export type Assertion = { assertion: string; clientId: string | undefined };

export type AuthenticateAssertion = {
  database: Database;
  newId(): string;
  /** The client that signed the assertion; `undefined` whatever is wrong with it. */
  verifyAssertion(
    assertion: string,
    findClient: (clientId: string) => Promise<StoredClient | undefined>,
  ): Promise<{ client: StoredClient; jti: string; expiresAt: number } | undefined>;
};

/** The client that signed the assertion, revoked or not. It counts once, also where it comes several times at once. */
export async function assertedClient(
  { database, newId, verifyAssertion }: AuthenticateAssertion,
  { assertion, clientId }: Assertion,
): Promise<StoredClient | undefined> {
  const verified = await verifyAssertion(assertion, (id) => loadClient(database, id));
  if (!verified || (clientId !== undefined && clientId !== verified.client.client_id)) return undefined;
  const isFirst = await recordAssertion(database, verified.client.client_id, verified, newId());
  return isFirst ? verified.client : undefined;
}
