import { verifiedAssertion } from '../auth/client-assertion.ts';
import type { StoredClient } from '../domain/client.ts';
import { urlAt } from '../domain/url.ts';
import { recordAssertion } from '../store/assertions.ts';
import { loadClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';
import type { Authentication } from './authenticate-client.ts';

/** An assertion, and the client that the request names beside it, if it does. */
export type Assertion = { assertion: string; clientId: string | undefined };

export type AssertionDependencies = {
  database: Database;
  now(): number;
  newId(): string;
  /** What an assertion names as its audience: this, or the token endpoint below it. */
  issuer: string;
};

/** The client that signed the assertion. It counts once, also where it comes several times at once. */
export async function assertionAuthentication(
  { database, now, newId, issuer }: AssertionDependencies,
  { assertion, clientId }: Assertion,
): Promise<Authentication> {
  const audiences = [issuer, urlAt(issuer, '/oauth2/token')];
  const named: { client?: StoredClient | undefined } = {};
  const verified = await verifiedAssertion({ audiences, now }, assertion, async (id) => {
    named.client = await loadClient(database, id);
    return named.client;
  });
  const client = named.client;
  if (!verified || (clientId !== undefined && clientId !== verified.client.client_id))
    return { client, isProven: false };
  return { client, isProven: await recordAssertion(database, verified.client.client_id, verified, newId()) };
}
