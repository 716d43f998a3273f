import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { kinds } from '../../../lib/files/kinds.ts';
import { LeaseLost } from '../../../lib/operations/drop-box/state.ts';
import { readBatch } from '../../../lib/operations/imports/status.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { balances, csv, row, rows } from '../../support/samples/account-files.ts';

describe('a file of accounts', () => {
  test('is applied, and has a report beside it', async () => {
    const world = await DropWorld.open();
    const file = world.drop('accounts/a.csv', csv(...rows(700)));
    await world.finish(file);
    expect(world.report(file)).toEqual({
      key: file.key,
      version: '1',
      status: 'completed',
      reason: null,
      type: 'accounts',
      batch_id: expect.stringMatching(/^drop-[0-9a-f-]{36}$/),
      warnings: [],
      notices: [],
      rows: { read: 700, accepted: 700, rejected: 0, applied: 700, unchanged: 0, superseded: 0 },
      failed_chunks: [],
      rejected_file: null,
      received_at: expect.any(String),
      began_at: expect.any(String),
      finished_at: expect.any(String),
    });
    expect(await balances(world, [1, 500, 501, 700, 701])).toEqual(['1.50', '500.50', '501.50', '700.50', undefined]);
  });

  test('goes on in the next invocation where it was, when it is compressed and longer than one', async () => {
    const world = await DropWorld.open();
    const bad = row(7).replace('checking', 'cheque');
    const file = world.drop('accounts/a.csv', gzipSync(csv(...rows(1000), bad, ...rows(1100).slice(1000))));
    expect(await world.finish(file, 1)).toBeGreaterThan(2);
    const { rows: counts, status } = world.report(file);
    expect(status).toBe('completed');
    expect(counts).toEqual({ read: 1101, accepted: 1100, rejected: 1, applied: 1100, unchanged: 0, superseded: 0 });
    expect(world.rejected(file)).toEqual([expect.stringMatching(/^1002,product.type,.*must be one of/)]);
    const numbers = Array.from({ length: 1100 }, (_, index) => index + 1);
    expect(await balances(world, numbers)).toEqual(numbers.map((number) => `${number}.50`));
  });

  test('whose first rows were all rejected ends its batch, which waits for no other chunk', async () => {
    const world = await DropWorld.open();
    const bad = rows(500).map((each) => each.replace('checking', 'cheque'));
    const file = world.drop('accounts/a.csv', csv(...bad, row(501)));
    await world.finish(file);
    const { batch_id, rows: counts } = world.report(file);
    expect(counts).toMatchObject({ accepted: 1, rejected: 500 });
    const batch = await readBatch(world, world.teamId, batch_id!);
    expect(batch).toMatchObject({ status: 'completed', chunks: { accepted: 1, completed: 1 } });
  });

  test('is read as it was dropped, though another lies there by now', async () => {
    const world = await DropWorld.open();
    const first = world.drop('accounts/a.csv', csv(...rows(600)));
    await world.invoke(first, 1);
    const second = world.drop('accounts/a.csv', csv(row(600, '1.00')));
    await world.finish(first);
    expect(await balances(world, [1, 600])).toEqual(['1.50', '600.50']);
    await world.finish(second);
    expect(await balances(world, [1, 600])).toEqual(['1.50', '1.00']);
    expect(world.report(second).version).toBe('2');
  });
});

test.each(['a.csv', 'c.csv'])('a file that was dropped before another one is applied again, as %s', async (name) => {
  const world = await DropWorld.open();
  const [first, second] = [csv(row(1, '1.00')), csv(row(1, '2.00'))];
  const drops = [
    ['a.csv', first],
    ['a.csv', second],
    [name, first],
  ] as const;
  for (const [path, content] of drops) {
    const file = world.drop(`accounts/${path}`, content);
    await world.finish(file);
    expect(world.report(file).rows).toMatchObject({ accepted: 1, applied: 1, unchanged: 0 });
  }
  expect(await balances(world, [1])).toEqual(['1.00']);
});

describe('a file of contacts', () => {
  test('says how many contacts it has created and how many existed, of all its chunks together', async () => {
    const world = await DropWorld.open();
    for (const [size, created, existing] of [
      [1100, 1100, 0],
      [1700, 600, 1100],
    ] as const) {
      const contacts = Array.from({ length: size }, (_, n) => `c${n}`);
      const file = world.drop('contacts/c.csv', ['unique_id', ...contacts].join('\n'));
      await world.finish(file);
      expect(world.report(file).rows).toEqual({ read: size, accepted: size, rejected: 0, created, existing });
    }
  });

  test('is read once, without the row that the code fails on', async () => {
    const world = await DropWorld.open();
    const { errors } = kinds.contacts;
    const failing = vi.spyOn(kinds.contacts, 'errors').mockImplementation((sent) => {
      if (sent.unique_id === 'b') throw new TypeError('a bug');
      return errors(sent);
    });
    const file = world.drop('contacts/c.csv', 'unique_id\na\nb\nc\n');
    expect(await world.finish(file)).toBe(1);
    failing.mockRestore();
    expect(world.report(file)).toMatchObject({ status: 'completed', rows: { read: 3, accepted: 2, rejected: 1 } });
    expect(world.rejected(file)).toEqual([
      expect.stringMatching(/^3,,cannot be processed because of an internal error/),
    ]);
  });
});

test('of two invocations that have the same file, the one that came late ends', async () => {
  const world = await DropWorld.open();
  const file = world.drop('accounts/a.csv', csv(...rows(600)));
  const stall = Promise.withResolvers<void>();
  let isStalled = false;
  const stalled = world.objects.readBy(async (...args) => {
    isStalled = true;
    await stall.promise;
    return world.objects.read(...args);
  });
  const late = world.invoke(file, 1000, world.dependencies(world.database, stalled));
  await expect.poll(() => isStalled).toBe(true);
  await world.finish(file);
  stall.resolve();
  await expect(late).rejects.toBeInstanceOf(LeaseLost);
  expect(world.objects.count(`${file.key}.report.json`)).toBe(1);
});
