import { describe, expect, test } from 'vitest';
import { newKeyPair } from '../../../lib/auth/tokens.ts';
import { revoked } from '../../../lib/domain/access/client.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { pair, published, start, tokenOf, world } from '../../support/http/verifier.ts';

describe('the state of the client', () => {
  test('is read once in twenty seconds, however many tokens come', async () => {
    const { state, outcome } = world();
    const tokens = await Promise.all([tokenOf({ jti: '1' }), tokenOf({ jti: '2' })]);
    for (const elapsed of [0, 5_000, 19_999]) {
      state.now = start + elapsed;
      await Promise.all(tokens.map((token) => outcome(`Bearer ${token}`)));
    }
    expect(state.clientReads).toBe(1);
    state.now = start + 20_000;
    await outcome(`Bearer ${tokens[0]}`);
    expect(state.clientReads).toBe(2);
  });

  test('shuts a revoked client out within thirty seconds, tokens that were let in before included', async () => {
    const { state, outcome } = world();
    const token = await tokenOf();
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.client = revoked(state.client!, 'administrator', state.now);
    state.now += 30_000;
    expect(await outcome(`Bearer ${token}`)).toBe('invalid_token');
  });

  test('that cannot be read lets nobody in, and is asked for again', async () => {
    const { state, outcome } = world();
    const token = await tokenOf();
    state.clientsAway = true;
    expect(await outcome(`Bearer ${token}`)).toBe('unavailable');
    state.clientsAway = false;
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.clientsAway = true;
    state.now += 20_000;
    expect(await outcome(`Bearer ${token}`)).toBe('unavailable');
  });
});

describe('the public keys', () => {
  test('that cannot be read are no fault of the token: the error goes on, with its cause', async () => {
    const { state, verify } = world();
    state.keys = [{ ...published(pair), jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: '' } as never }];
    const error = (await verify(`Bearer ${await tokenOf()}`).catch((thrown: unknown) => thrown)) as Error;
    expect(error).not.toBeInstanceOf(Problem);
    const message = 'the published keys cannot be read';
    expect(error).toMatchObject({ name: 'KeysUnreadable', message, cause: expect.any(Error) });
  });

  test('are read again at a key id that is new', async () => {
    const { state, outcome } = world();
    await outcome(`Bearer ${await tokenOf()}`);
    const next = await newKeyPair();
    state.keys = [...state.keys, published(next)];
    state.now += 10_000;
    expect(await outcome(`Bearer ${await tokenOf({}, next)}`)).toBe('let in');
    expect(await outcome(`Bearer ${await tokenOf({ jti: '2' }, next)}`)).toBe('let in');
    expect(state.keyReads).toBe(2);
  });

  test('are not read again for every key id that somebody invents', async () => {
    const { state, outcome } = world();
    await outcome(`Bearer ${await tokenOf()}`);
    const forged = await newKeyPair();
    for (let elapsed = 0; elapsed <= 20_000; elapsed += 500) {
      state.now = start + elapsed;
      await outcome(`Bearer ${await tokenOf({}, { ...forged, kid: `invented-${elapsed}` })}`);
    }
    expect(state.keyReads).toBe(3);
  });

  test('are read again after five minutes, and a key that is gone then signs nothing more', async () => {
    const { state, outcome } = world();
    const token = await tokenOf();
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.keys = [];
    state.now += 299_999;
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.now += 1;
    expect(await outcome(`Bearer ${token}`)).toBe('invalid_token');
  });

  test('count until they are needed no longer', async () => {
    const { state, outcome } = world();
    state.keys = [published(pair, start + 60_000)];
    const token = await tokenOf();
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.now = start + 60_000;
    expect(await outcome(`Bearer ${token}`)).toBe('invalid_token');
  });

  test('that cannot be read let nobody in, and are asked for again', async () => {
    const { state, outcome } = world();
    const token = await tokenOf();
    state.keysAway = true;
    expect(await outcome(`Bearer ${token}`)).toBe('unavailable');
    state.keysAway = false;
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
  });
});
