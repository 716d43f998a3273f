import { type VerifiedAssertion, verifiedAssertion } from '../auth/client-assertion.ts';
import type { StoredClient } from '../domain/client.ts';
import { urlAt } from '../domain/url.ts';
import { recordAssertion } from '../store/assertions.ts';
import { loadClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';
import type { Authentication } from './authenticate-client.ts';

/** An assertion, and the `client_id` of the request, if it has one. */
export type Assertion = { assertion: string; clientId: string | undefined };

export type AssertionDependencies = {
  database: Database;
  now(): number;
  newId(): string;
  /** URL of the service. The audience of an assertion must be this URL or the token endpoint's. */
  issuer: string;
};

/** The assertion, if it is valid for this service. Whether it was used before is not checked. */
export const verifiedFor = (
  { now, issuer }: Pick<AssertionDependencies, 'now' | 'issuer'>,
  assertion: string,
  findClient: (clientId: string) => Promise<StoredClient | undefined>,
): Promise<VerifiedAssertion<StoredClient> | undefined> =>
  verifiedAssertion({ audiences: [issuer, urlAt(issuer, '/oauth2/token')], now }, assertion, findClient);

/**
 * The client that the assertion names, and whether it signed the assertion. An assertion is accepted once, even if it is
 * sent several times in parallel.
 */
export async function assertionAuthentication(
  dependencies: AssertionDependencies,
  { assertion, clientId }: Assertion,
): Promise<Authentication> {
  const { database, newId } = dependencies;
  const named: { client?: StoredClient | undefined } = {};
  const verified = await verifiedFor(dependencies, assertion, async (id) => {
    named.client = await loadClient(database, id);
    return named.client;
  });
  const client = named.client;
  if (!verified || (clientId !== undefined && clientId !== verified.client.client_id))
    return { client, isProven: false };
  return { client, isProven: await recordAssertion(database, verified.client.client_id, verified, newId()) };
}
