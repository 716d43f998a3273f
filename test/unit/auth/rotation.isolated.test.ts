import { describe, expect, test } from 'vitest';
import { createSigner, newKeyPair, publishedJwk } from '../../../lib/auth/tokens.ts';
import { createVerifier } from '../../../lib/auth/verifier.ts';
import { newClient } from '../../../lib/domain/access/client.ts';
import { isNeeded, type PrivateKey } from '../../../lib/domain/access/signing-key.ts';
import { RotationUnderWay, rotateSigningKey } from '../../../lib/operations/access/rotate-signing-key.ts';
import { loadPublicKeys } from '../../../lib/store/access/signing-keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const issuer = 'https://api.example.com';
const clientId = '8a6e0804-2bd0-4672-b79d-d97027f9071a';
const teamId = 'c56a4180-65aa-42ec-a945-5fd21dec0538';
const lifetime = 3600;
const minute = 60_000;

/** The table, the secret with its two versions, and a clock that the test moves. */
function installation() {
  const database = new ModelDatabase();
  const clock = { now: Date.parse('2026-03-01T12:00:00Z') };
  const now = () => clock.now;
  const kept: { rotationId: string; key: PrivateKey }[] = [];
  const keep = async (key: PrivateKey, rotationId: string) => {
    if (kept.some((each) => each.rotationId === rotationId)) return false;
    kept.unshift({ rotationId, key });
    return true;
  };
  const client = newClient(clientId, teamId, 'hash', clock.now);
  return {
    database,
    clock,
    kept,
    rotate: (rotationId: string, keepKey = keep) =>
      rotateSigningKey({ database, now, newKeyPair, keep: keepKey, tokenLifetimeSeconds: lifetime }, rotationId),
    newSigner: () => createSigner({ now, readKeys: async () => kept.slice(0, 2).map(({ key }) => key) }),
    newVerifier: () =>
      createVerifier({ issuer, now, loadKeys: () => loadPublicKeys(database), loadClient: async () => client }),
    claims: () => {
      const iat = Math.floor(clock.now / 1000);
      const subject = { sub: clientId, client_id: clientId, team_id: teamId };
      return { iss: issuer, aud: issuer, ...subject, iat, exp: iat + lifetime, jti: `${clock.now}` };
    },
    published: async () => (await loadPublicKeys(database)).filter((key) => isNeeded(key, clock.now)),
  };
}

const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid;

describe('a rotation of the signing keys', () => {
  test('fails no request, at any instance of any function, old or new', async () => {
    const { clock, rotate, newSigner, newVerifier, claims, published, kept } = installation();
    await rotate('first');
    const [signer, verifiers] = [newSigner(), [newVerifier(), newVerifier()]];
    const begin = clock.now;
    const outstanding: { token: string; exp: number }[] = [];
    const refused: string[] = [];
    const check = async (token: string, verifier: ReturnType<typeof newVerifier>, who: string) =>
      verifier(`Bearer ${token}`).catch((error: Error) => refused.push(`${who}: ${error.message}`));

    for (let elapsed = 0; elapsed <= 180; elapsed++) {
      clock.now = begin + elapsed * minute;
      // Requests with invented key ids use up the limit, so that no instance may fetch keys on demand now.
      const invented = (await signer(claims())).replace(/^[^.]+/, inventedHeader(elapsed));
      for (const verifier of verifiers) await expect(verifier(`Bearer ${invented}`)).rejects.toThrow();
      if (elapsed === 20) await rotate('second');
      if (elapsed === 120) await rotate('third');
      clock.now += 1000;
      const fresh = await Promise.all([signer(claims()), newSigner()(claims())]);
      outstanding.push(...fresh.map((token) => ({ token, exp: clock.now + lifetime * 1000 })));
      // The newest and the oldest valid token, at running instances and at one that starts now.
      while (outstanding[0]!.exp <= clock.now) outstanding.shift();
      for (const { token } of [outstanding[0]!, ...outstanding.slice(-2)]) {
        for (const [n, verifier] of verifiers.entries())
          await check(token, verifier, `minute ${elapsed}, verifier ${n}`);
        await check(token, newVerifier(), `minute ${elapsed}, new verifier`);
      }
    }
    expect(refused).toEqual([]);
    expect(kidOf(await signer(claims()))).toBe(kept[0]!.key.kid);
    expect(kept.map(({ rotationId }) => rotationId)).toEqual(['third', 'second', 'first']);
    expect((await published()).map(({ kid }) => kid)).not.toContain(kept[2]!.key.kid);
  });

  test('publishes the public key before the private one is anywhere', async () => {
    const { rotate, published } = installation();
    const whenKept: string[][] = [];
    await rotate('first', async () => {
      whenKept.push((await published()).map(({ rotation_id }) => rotation_id));
      return true;
    });
    expect(whenKept).toEqual([['first']]);
  });

  test('lets the very first key be used at once, and later ones after ten minutes', async () => {
    const { clock, rotate, newSigner, claims, kept } = installation();
    await rotate('first');
    expect(kidOf(await newSigner()(claims()))).toBe(kept[0]!.key.kid);
    clock.now += minute;
    await rotate('second');
    expect(kept[0]!.key.usable_from).toBe(clock.now + 10 * minute);
    expect(kidOf(await newSigner()(claims()))).toBe(kept[1]!.key.kid);
    clock.now += 10 * minute;
    expect(kidOf(await newSigner()(claims()))).toBe(kept[0]!.key.kid);
  });

  test('is refused while another is under way, which would retire the key in use', async () => {
    const { clock, rotate, kept } = installation();
    await rotate('first');
    await rotate('second');
    await expect(rotate('third')).rejects.toThrow(RotationUnderWay);
    await expect(rotate('third')).rejects.toMatchObject({
      name: 'RotationUnderWay',
      message: expect.stringContaining('not in use yet'),
    });
    clock.now += 10 * minute;
    await rotate('third');
    expect(kept).toHaveLength(3);
  });

  test('does not keep an older key longer than the last rotation said', async () => {
    const { clock, rotate, published } = installation();
    await rotate('first');
    clock.now += 10 * minute;
    await rotate('second');
    const untilOf = async (id: string) => (await published()).find((key) => key.rotation_id === id)?.needed_until;
    const until = await untilOf('first');
    clock.now += 10 * minute;
    await rotate('third');
    expect(until).toBeGreaterThan(0);
    expect(await untilOf('first')).toBe(until);
  });

  test('that takes an hour to store the private key keeps the old one as long as it can be used', async () => {
    const { clock, rotate, newSigner, newVerifier, claims, kept } = installation();
    await rotate('first');
    const signer = newSigner();
    await rotate('second', async (key, rotationId) => {
      clock.now += 60 * minute;
      await signer(claims());
      kept.unshift({ rotationId, key });
      return true;
    });
    clock.now += 4 * minute;
    const token = await signer(claims());
    expect(kidOf(token)).toBe(kept[1]!.key.kid);
    clock.now += 59 * minute;
    await newVerifier()(`Bearer ${token}`);
  });

  test('may be repeated: a step that has run already leaves one key that counts', async () => {
    const { rotate, published, kept } = installation();
    await rotate('first');
    await rotate('first');
    expect((await published()).map(({ kid }) => kid)).toEqual(kept.map(({ key }) => key.kid));
  });

  test('that died after publishing is completed by its repetition', async () => {
    const { rotate, clock, newSigner, newVerifier, claims, kept } = installation();
    await rotate('first');
    const death = async () => Promise.reject(new Error('died'));
    await expect(rotate('second', death)).rejects.toThrow('died');
    await rotate('second');
    clock.now += 10 * minute;
    const token = await newSigner()(claims());
    expect(kidOf(token)).toBe(kept[0]!.key.kid);
    await newVerifier()(`Bearer ${token}`);
  });

  test('leaves no trace of a private key in what is published', async () => {
    const { database, rotate, published } = installation();
    await rotate('first');
    const [key] = await published();
    expect(Object.keys(publishedJwk(key!.kid, key!.jwk)).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(JSON.stringify([...database.items.values()])).not.toContain('"d":');
  });
});

describe('the signer', () => {
  test('has no token to give while there is no key, and has one as soon as there is', async () => {
    const { rotate, newSigner, claims } = installation();
    const signer = newSigner();
    await expect(signer(claims())).rejects.toMatchObject({
      code: 'unavailable',
      message: 'no signing key exists yet',
    });
    await rotate('first');
    expect(await signer(claims())).toMatch(/^ey/);
  });
});

const inventedHeader = (n: number) =>
  Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: `invented-${n}` })).toString('base64url');
