import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AccountRecord, accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { keepPayload, loadPayload, payloadWrites, releasePayload } from '../../../lib/store/imports/payloads.ts';
import type { Key } from '../../../lib/store/table/keys.ts';
import { payloadKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const team_id = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const payload_id = 'payload';
const now = Date.parse('2026-01-01T00:00:00Z');
const day = 24 * 3600;

let database: ModelDatabase;
beforeEach(() => {
  database = new ModelDatabase();
});

const save = async (records: readonly AccountRecord[]) => {
  const writes = await payloadWrites(team_id, payload_id, records, { now });
  await database.write(writes);
  return { team_id, payload_id, parts: writes.length };
};
const keys = (parts: number): Key[] => Array.from({ length: parts }, (_, n) => payloadKey(team_id, payload_id, n));
const expiries = async (parts: number) => (await database.get(keys(parts))).map((item) => item?.expires_at);

/** A record that compression does not make smaller. */
const noise = (bytes: number): AccountRecord => ({ account_number: randomBytes(bytes).toString('base64') });

describe('the records of a chunk', () => {
  test('come back as they were stored, to the digit', async () => {
    const text =
      '{"account_number":"1","product":{"code":"P","type":"loan"},"balance":0.10,' +
      '"meta_public":{"n":12345678901234567890,"__proto__":{"a":1},"é\\u0000":"😀"}}';
    const record = accountRecord.parse(parseJson(text));
    const loaded = await loadPayload(database, await save([record]));
    expect(JSON.stringify(loaded)).toBe(JSON.stringify([record]));
    expect(JSON.stringify(loaded)).toContain('12345678901234567890');
  });

  test('are compressed', async () => {
    const parts = await save(
      Array.from({ length: 500 }, (_, n) => ({ account_number: `${n}`, link: { unique_id: 'Everyday' } })),
    );
    expect(parts.parts).toBe(1);
    const [item] = await database.get(keys(1));
    expect((item!.data as Uint8Array).byteLength).toBeLessThan(4096);
  });

  test('take as many items as they need, each within the limit of an item', async () => {
    const records = [noise(600_000), noise(600_000)];
    const payload = await save(records);
    expect(payload.parts).toBeGreaterThan(2);
    const items = await database.get(keys(payload.parts));
    for (const item of items) expect((item!.data as Uint8Array).byteLength).toBeLessThan(400_000);
    expect(await loadPayload(database, payload)).toEqual(records);
  });
});

describe('records that cannot be read', () => {
  test('because a part is gone, are nothing', async () => {
    const payload = await save([noise(600_000)]);
    expect(payload.parts).toBe(2);
    for (const key of keys(2)) {
      const part = database.read(key)!;
      await database.transact([{ kind: 'delete', key, expect: {} }]);
      expect(await loadPayload(database, payload)).toBeUndefined();
      await database.write([{ kind: 'insert', item: part }]);
    }
    expect(await loadPayload(database, payload)).toBeDefined();
  });

  test.each([
    ['are no gzip', Buffer.from('plain')],
    ['are cut short', undefined],
    ['hold no data', null],
  ])('because they %s, are nothing', async (_, data) => {
    const payload = await save([{ account_number: '1' }]);
    const [item] = await database.get(keys(1));
    const short = (item!.data as Uint8Array).subarray(0, -9);
    const set = { data: data === undefined ? short : data };
    await database.write([{ kind: 'update', key: keys(1)[0]!, set, expect: {} }]);
    expect(await loadPayload(database, payload)).toBeUndefined();
  });
});

test('records go by themselves after thirty days, unless they are kept', async () => {
  const payload = await save([noise(600_000)]);
  const inThirtyDays = now / 1000 + 30 * day;
  expect(await expiries(2)).toEqual([inThirtyDays, inThirtyDays]);
  await database.transact(await keepPayload(database, payload));
  expect(await expiries(2)).toEqual([undefined, undefined]);
  expect(await loadPayload(database, payload)).toBeDefined();
  await database.transact(await releasePayload(database, payload, { now: now + day * 1000 }));
  expect(await expiries(2)).toEqual([inThirtyDays + day, inThirtyDays + day]);
});

test('the days that payloads are kept are a setting', async () => {
  const writes = await payloadWrites(team_id, payload_id, [{ account_number: '1' }], { now, days: 7 });
  await database.write(writes);
  expect(await expiries(1)).toEqual([now / 1000 + 7 * day]);
  const payload = { team_id, payload_id, parts: 1 };
  await database.transact(await releasePayload(database, payload, { now: now + day * 1000, days: 7 }));
  expect(await expiries(1)).toEqual([now / 1000 + 8 * day]);
});

test('records that are gone are not made again by a decision on them', async () => {
  const gone = { team_id, payload_id, parts: 2 };
  expect(await keepPayload(database, gone)).toEqual([]);
  expect(await releasePayload(database, gone, { now })).toEqual([]);
});

test.each([
  ['text', ['a', 'a']],
  ['list', [['a'], ['a']]],
  [
    'object in an object',
    [
      { a: 1, b: { c: 'x' } },
      { a: 1, b: ['x'] },
    ],
  ],
])('metadata that is a %s cannot be read', async (_, [meta_public, meta_private]) => {
  const product = { code: 'P', type: 'checking' };
  const account = { fields: {}, product, meta_public, meta_private };
  const payload = await save([{ account_number: '1', account } as never]);
  const fields = '0.account.meta_public, 0.account.meta_private';
  await expect(loadPayload(database, payload)).rejects.toThrow(`a stored payload is invalid: ${fields}`);
});

test('metadata that is removed or set in part can be read', async () => {
  const account = {
    fields: {},
    product: { code: 'P', type: 'checking' },
    meta_public: null,
    meta_private: { a: { a: 1 }, b: { 'b.c': null, 'b.d': 'x' } },
  };
  const records = [{ account_number: '1', account }] as never;
  expect(await loadPayload(database, await save(records))).toEqual(records);
});

test('a stored record of another form is an error that names its field and no value', async () => {
  const payload = await save([
    { account_number: '1' },
    { account_number: '2', link: { role: 'a stored value' } },
  ] as never);
  const error = await loadPayload(database, payload).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'internal_error', message: 'a stored payload is invalid: 1.link.unique_id' });
  expect(String((error as Error).stack)).not.toContain('a stored value');
});
