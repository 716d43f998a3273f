import { type VerifiedAssertion, verifiedAssertion } from '../../auth/client-assertion.ts';
import { isSecretOf } from '../../auth/secrets.ts';
import { liveSecretHashes, type StoredClient } from '../../domain/access/client.ts';
import { urlAt } from '../../domain/values/url.ts';
import { loadClient, recordAssertion } from '../../store/access/clients.ts';
import type { Service, Settings } from '../service.ts';

/** An assertion, and the `client_id` of the request, if it has one. */
export type Assertion = { assertion: string; clientId: string | undefined };

/** The assertion, if it is valid for this service. Whether it was used before is not checked. */
export const verifiedFor = (
  { now, baseUrl }: Service & Pick<Settings, 'baseUrl'>,
  assertion: string,
  findClient: (clientId: string) => Promise<StoredClient | undefined>,
): Promise<VerifiedAssertion<StoredClient> | undefined> =>
  verifiedAssertion({ audiences: [baseUrl, urlAt(baseUrl, '/oauth2/token')], now }, assertion, findClient);

/**
 * The client that the assertion names, and whether it signed the assertion. An assertion is accepted once, even if it is
 * sent several times in parallel.
 */
export async function assertionAuthentication(
  service: Service & Pick<Settings, 'baseUrl'>,
  { assertion, clientId }: Assertion,
): Promise<Authentication> {
  const { database, newId } = service;
  const named: { client?: StoredClient | undefined } = {};
  const verified = await verifiedFor(service, assertion, async (id) => {
    named.client = await loadClient(database, id);
    return named.client;
  });
  const client = named.client;
  if (!verified || (clientId !== undefined && clientId !== verified.client.client_id))
    return { client, isProven: false };
  return { client, isProven: await recordAssertion(database, verified.client.client_id, verified, newId()) };
}

export type Credentials = { clientId: string; clientSecret: string };

/** The client that the credentials name, and whether they prove it. A proven client can be revoked or expired. */
export type Authentication = { client: StoredClient | undefined; isProven: boolean };

/** An unknown client takes the same time as a wrong secret. */
export async function authentication(
  { database, now }: Service,
  { clientId, clientSecret }: Credentials,
): Promise<Authentication> {
  const client = await loadClient(database, clientId);
  return { client, isProven: isSecretOf(client ? liveSecretHashes(client, now()) : [], clientSecret) };
}
