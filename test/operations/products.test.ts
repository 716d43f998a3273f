import { beforeEach, describe, expect, test } from 'vitest';
import type { ProductInput } from '../../lib/domain/account-fields.ts';
import { accountRecord } from '../../lib/domain/account-record.ts';
import { derivedProductId } from '../../lib/store/ids.ts';
import { productKey } from '../../lib/store/keys.ts';
import { ProductCache, ProductRegistry } from '../../lib/store/products.ts';
import { applyRecords, importDependencies } from '../support/import-operations.ts';
import { ModelDatabase } from '../support/model-database.ts';

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
  applyRecords(importDependencies(database, { now: () => Date.parse(now) }), {
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

  test('is made from the first record that names its code, whichever accounts come first', async () => {
    await apply(
      record('1', 'A'),
      record('2', 'B', { name: 'first' }),
      record('1', 'B', { name: 'second' }),
      record('3', 'B', { name: 'third' }),
    );
    expect(await stored('B')).toMatchObject({ name: 'first' });
  });

  test('is never changed by a record', async () => {
    await apply(record('1', 'A', { name: 'first' }));
    const first = await stored('A');
    const outcomes = await apply(record('1', 'A', { name: 'x', type: 'loan', standardized_type: 'mortgage' }));
    expect(outcomes).toEqual(['unchanged']);
    await apply(record('2', 'A', { name: null, description: 'later' }));
    expect(await stored('A')).toEqual(first);
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
