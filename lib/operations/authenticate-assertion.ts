import { verifiedAssertion } from '../auth/client-assertion.ts';
import type { StoredClient } from '../domain/client.ts';
import { urlAt } from '../domain/url.ts';
import { recordAssertion } from '../store/assertions.ts';
import { loadClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';

/** An assertion, and the client that the request names beside it, if it does. */
export type Assertion = { assertion: string; clientId: string | undefined };

export type AssertionDependencies = {
  database: Database;
  now(): number;
  newId(): string;
  /** What an assertion names as its audience: this, or the token endpoint below it. */
  issuer: string;
};

/** The client that signed the assertion, revoked or not. It counts once, also where it comes several times at once. */
export async function assertedClient(
  { database, now, newId, issuer }: AssertionDependencies,
  { assertion, clientId }: Assertion,
): Promise<StoredClient | undefined> {
  const audiences = [issuer, urlAt(issuer, '/oauth2/token')];
  const verified = await verifiedAssertion({ audiences, now }, assertion, (id) => loadClient(database, id));
  if (!verified || (clientId !== undefined && clientId !== verified.client.client_id)) return undefined;
  const isFirst = await recordAssertion(database, verified.client.client_id, verified, newId());
  return isFirst ? verified.client : undefined;
}
