import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ProductInput } from '../../../lib/domain/accounts/account-fields.ts';
import { accountRecord } from '../../../lib/domain/accounts/account-record.ts';
import { ProductCache, ProductRegistry, setProduct } from '../../../lib/store/accounts/products.ts';
import { derivedProductId, derivedServiceId } from '../../../lib/store/table/ids.ts';
import { productKey, teamKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { applyRecords } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';

const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const now = '2026-01-01T00:00:00.000000Z';

let database: ModelDatabase;
let order: number;
beforeEach(() => {
  database = new ModelDatabase();
  order = 0;
});

/** Applies the records as one chunk, by a worker with empty caches. */
const apply = (...records: object[]) =>
  applyRecords(serviceOn(database, { now: () => Date.parse(now) }), {
    teamId,
    order: ++order,
    records: records.map((record) => accountRecord.parse(record)),
  });

const record = (account_number: string, code: string, product: object = {}) => ({
  account_number,
  product: { code, type: 'checking', ...product },
});
const stored = async (code: string) => (await database.get([productKey(teamId, code)]))[0];

describe('a product', () => {
  test('is made from what the record says, with what it does not say unset', async () => {
    await apply(record('1', 'A', { name: 'N', description: 'D', standardized_type: 'cd' }), record('2', 'B'));
    const common = { type: 'checking', services: [], inserted_at: now, updated_at: now };
    expect(await stored('A')).toEqual({
      ...productKey(teamId, 'A'),
      ...common,
      id: derivedProductId(teamId, 'A'),
      code: 'A',
      standardized_type: 'cd',
      name: 'N',
      description: 'D',
    });
    expect(await stored('B')).toMatchObject({ standardized_type: 'unknown', name: null, description: null });
  });

  test('is made although the account of its record is refused', async () => {
    const half = (key: string) => ({ meta_public: { [key]: 'x'.repeat(9000) } });
    await apply({ ...record('1', 'A'), ...half('a') });
    expect(await apply({ ...record('1', 'B'), ...half('b') })).toEqual(['rejected']);
    expect(await stored('B')).toMatchObject({ code: 'B' });
  });

  test('belongs to its team', async () => {
    await apply(record('1', 'A'));
    const other = 'dd6c9a1e-1111-4222-8333-444455556666';
    const productCache = new ProductCache(database);
    expect(await productCache.accounts(teamId, ['1'])).toMatchObject([{ product: { code: 'A' } }]);
    expect(await productCache.accounts(other, ['1'])).toEqual([undefined]);
    expect(await productCache.products(other, ['A'])).toEqual(new Map());
  });
});

describe('the register of products', () => {
  const input = (name: string): ProductInput => ({ code: 'A', type: 'checking', name });
  const ensure = (register: ProductRegistry, name: string) => register.ensure(teamId, [input(name)], now);

  test('makes a product once, however many imports name it at the same time', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => ensure(new ProductRegistry(database), name)));
    const product = await stored('A');
    expect(names).toContain(product?.name);
    expect(database.items.size).toBe(1);
  });

  test('writes nothing where the product is there already', async () => {
    await ensure(new ProductRegistry(database), 'a');
    const writes: unknown[] = [];
    const write = database.write.bind(database);
    database.write = (each) => {
      writes.push(...each);
      return write(each);
    };
    await ensure(new ProductRegistry(database), 'b');
    expect(writes).toEqual([]);
  });

  test('knows what it has seen to exist', async () => {
    const register = new ProductRegistry(database);
    expect(register.knows(teamId, 'A')).toBe(false);
    await ensure(register, 'a');
    expect(register.knows(teamId, 'A')).toBe(true);
    expect(register.knows(teamId.replace('8', '9'), 'A')).toBe(false);
  });

  test('does not know a product whose write failed, and makes it the next time', async () => {
    const register = new ProductRegistry(database);
    const { write } = database;
    database.write = () => Promise.reject(new Error('away'));
    await expect(ensure(register, 'a')).rejects.toThrow('away');
    expect(register.knows(teamId, 'A')).toBe(false);
    database.write = write;
    await ensure(register, 'a');
    expect(await stored('A')).toMatchObject({ name: 'a' });
  });

  test('forgets the products that it has not been asked about for longest, beyond a bound', async () => {
    const register = new ProductRegistry(database);
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, n): ProductInput => ({ code: `P${from + n}`, type: 'checking' }));
    await register.ensure(teamId, many(0, 20_000), now);
    expect([register.knows(teamId, 'P0'), register.knows(teamId, 'P1')]).toEqual([true, true]);
    await register.ensure(teamId, many(20_000, 10), now);
    const known = ['P0', 'P1', 'P2', 'P11', 'P12', 'P20009'].map((code) => register.knows(teamId, code));
    expect(known).toEqual([true, true, false, false, true, true]);
  });
});

describe('a setting of a product', () => {
  const set = (settings: object, code = 'A') => setProduct(database, teamId, code, settings, later);
  const later = '2026-02-01T00:00:00.000000Z';
  beforeEach(async () => {
    await database.write([{ kind: 'insert', item: teamKey(teamId) }]);
    await apply(record('1', 'A', { name: 'N' }));
  });

  test('changes only what it names', async () => {
    const before = await stored('A');
    expect(await set({ standardized_type: 'cd' })).toMatchObject({ code: 'A', standardized_type: 'cd', services: [] });
    expect(await stored('A')).toEqual({ ...before, standardized_type: 'cd', updated_at: later });
    const services = ['x', 'y'].map((name) => ({ id: derivedServiceId(teamId, 'A', name), name }));
    expect(await set({ services: ['x', 'y'] })).toMatchObject({ standardized_type: 'cd', services });
    expect(await set({})).toMatchObject({ services });
  });

  test('changes the revision of the team each time', async () => {
    const revisions = [];
    for (let count = 0; count < 2; count++) {
      await set({});
      revisions.push(database.read(teamKey(teamId))!.products_revision);
    }
    expect(new Set([undefined, ...revisions]).size).toBe(3);
  });

  test('of a product with another form is an error that names its field', async () => {
    database.damage(productKey(teamId, 'A'), { services: 'x' });
    await expect(set({})).rejects.toThrow('a stored product is invalid: services');
  });

  test('of a product or team that does not exist changes nothing', async () => {
    const before = database.items;
    expect(await set({}, 'B')).toBeUndefined();
    expect(database.items).toEqual(before);
    database.damage(teamKey(teamId));
    expect(await set({ standardized_type: 'cd' })).toBeUndefined();
    expect(await stored('A')).toMatchObject({ standardized_type: 'unknown' });
  });
});

describe('the accounts with their products', () => {
  test('are read with as few reads as possible', async () => {
    await apply(record('1', 'A'), record('2', 'A'));
    const cache = new ProductCache(database);
    const get = vi.spyOn(database, 'get');
    const codes = async (...numbers: string[]) =>
      (await cache.accounts(teamId, numbers)).map((found) => found?.product.code);
    expect(await codes()).toEqual([]);
    expect(get).toHaveBeenCalledTimes(0);
    expect(await codes('none')).toEqual([undefined]);
    expect(get).toHaveBeenCalledTimes(1);
    expect(await codes('1', 'none', '2')).toEqual(['A', undefined, 'A']);
    expect(get.mock.calls.slice(1).map(([keys]) => keys.length)).toEqual([4, 1]);
    expect(await codes('2')).toEqual(['A']);
    expect(get).toHaveBeenCalledTimes(4);
  });

  test('leave out an account whose product is gone', async () => {
    await apply(record('1', 'A'));
    database.damage(productKey(teamId, 'A'));
    expect(await new ProductCache(database).accounts(teamId, ['1'])).toEqual([undefined]);
  });

  test('do not show the product of another team or revision', async () => {
    await database.write([{ kind: 'insert', item: teamKey(teamId) }]);
    await apply(record('1', 'A'));
    const cache = new ProductCache(database);
    const type = async () => (await cache.accounts(teamId, ['1']))[0]?.product.standardized_type;
    expect(await type()).toBe('unknown');
    database.damage(productKey(teamId, 'A'), { standardized_type: 'cd' });
    expect(await type()).toBe('unknown');
    await setProduct(database, teamId, 'A', {}, now);
    expect(await type()).toBe('cd');
  });
});
