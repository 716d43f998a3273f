import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, type JWTPayload, jwtVerify } from 'jose';
import type { AssertionAlgorithm } from '../domain/access/assertion-algorithm.ts';
import { algorithmsOf, type ClientKey } from '../domain/access/client-key.ts';

/** Seconds: the longest time that an assertion may be valid, and how far the clocks of two systems may differ. */
const maxLifetime = 300;
const clockTolerance = 10;

export type AssertionCheckOptions = {
  /** Allowed values of `aud`: this authorization server or its token endpoint. */
  audiences: readonly string[];
  now(): number;
};

/** `expiresAt` is the time, in seconds since the epoch, from which the assertion is refused because it has expired. */
export type VerifiedAssertion<Client> = { client: Client; jti: string; expiresAt: number };

/**
 * Returns the client that signed the assertion (RFC 7523, section 3), or `undefined` if the assertion is invalid for
 * any reason. The caller must check that its `jti` is used only once.
 * @param findClient loads a client by id; only the keys of that client are accepted
 */
export async function verifiedAssertion<Client extends { client_id: string; keys: readonly ClientKey[] | null }>(
  { audiences, now }: AssertionCheckOptions,
  assertion: string,
  findClient: (clientId: string) => Promise<Client | undefined>,
): Promise<VerifiedAssertion<Client> | undefined> {
  const claimed = claimsOf(assertion);
  const client = claimed && (await findClient(claimed.clientId));
  if (!client) return undefined;
  for (const key of keysFor(client.keys ?? [], claimed)) {
    const payload = await payloadOf(assertion, key, claimed.alg, client.client_id, now());
    if (!payload) continue;
    const { jti, exp, aud } = payload;
    if (typeof jti !== 'string' || jti === '' || exp === undefined) return undefined;
    // If an assertion also named another server, that server could use it here and act as the client.
    const [named, ...others] = [aud].flat();
    if (named === undefined || others.length > 0 || !audiences.includes(named)) return undefined;
    if (exp > now() / 1000 + maxLifetime + clockTolerance) return undefined;
    return { client, jti, expiresAt: Math.ceil(exp) + clockTolerance };
  }
  return undefined;
}

type Claimed = { clientId: string; alg: string; kid: string | undefined };

/** The claims of an assertion before its signature is verified. */
function claimsOf(assertion: string): Claimed | undefined {
  try {
    const { sub } = decodeJwt(assertion);
    const { alg = '', kid } = decodeProtectedHeader(assertion);
    if (typeof sub !== 'string') return undefined;
    return { clientId: sub, alg, kid: typeof kid === 'string' ? kid : undefined };
  } catch {
    return undefined;
  }
}

/** The keys that may have signed the assertion. `kid` is compared only if both the key and the assertion have one. */
const keysFor = (keys: readonly ClientKey[], { alg, kid }: Claimed): ClientKey[] =>
  keys.filter(
    (key) =>
      (algorithmsOf(key) as readonly string[]).includes(alg) &&
      (kid === undefined || key.kid === undefined || key.kid === kid),
  );

async function payloadOf(
  assertion: string,
  jwk: ClientKey,
  alg: string,
  clientId: string,
  now: number,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(assertion, await importJWK(jwk as JWK, alg), {
      algorithms: [alg as AssertionAlgorithm],
      issuer: clientId,
      subject: clientId,
      currentDate: new Date(now),
      clockTolerance,
    });
    return payload;
  } catch {
    return undefined;
  }
}
