import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { kinds } from '../../lib/files/kinds.ts';
import { LeaseLost } from '../../lib/operations/drop-box/state.ts';
import type { FileOutcome } from '../../lib/operations/drop-box/work.ts';
import { loadByUniqueId } from '../../lib/store/contacts.ts';
import type { ObjectStore } from '../../lib/store/objects.ts';
import { balances, csv, header, row, rows } from '../support/account-files.ts';
import { DropWorld } from '../support/drop-box.ts';
import { failNextChunk } from '../support/import-operations.ts';

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
      rows: { read: 700, accepted: 700, rejected: 0, applied: 700, unchanged: 0, superseded: 0 },
      failed_chunks: [],
      rejected_file: null,
      received_at: expect.any(String),
      began_at: expect.any(String),
      finished_at: expect.any(String),
    });
    expect(await balances(world, [1, 500, 501, 700, 701])).toEqual(['1.50', '500.50', '501.50', '700.50', undefined]);
  });

  test.each(['plain', 'gzip'])(
    'goes on in the next invocation where it was, when it is longer than one (%s)',
    async (form) => {
      const world = await DropWorld.open();
      const bad = row(7).replace('checking', 'cheque');
      const content = csv(...rows(1000), bad, ...rows(1100).slice(1000));
      const file = world.drop('accounts/a.csv', form === 'gzip' ? gzipSync(content) : content);
      expect(await world.finish(file, 1)).toBeGreaterThan(2);
      const { rows: counts, status } = world.report(file);
      expect(status).toBe('completed');
      expect(counts).toEqual({ read: 1101, accepted: 1100, rejected: 1, applied: 1100, unchanged: 0, superseded: 0 });
      expect(world.rejected(file)).toEqual([expect.stringMatching(/^1002,product.type,.*must be one of/)]);
      const numbers = Array.from({ length: 1100 }, (_, index) => index + 1);
      expect(await balances(world, numbers)).toEqual(numbers.map((number) => `${number}.50`));
    },
  );

  test('names the rows that only the merged record breaks, and applies the rest', async () => {
    const world = await DropWorld.open();
    const large = 'x'.repeat(9000);
    const wide = (number: number, one: string, two: string) => `${row(number)},${one},${two}`;
    const lines = [`${header},meta_private.one,meta_private.two`];
    for (let number = 1; number <= 600; number++) lines.push(wide(number, number === 550 ? large : '', ''));
    lines.push(wide(550, '', large), wide(551, 'small', ''));
    const file = world.drop('accounts/a.csv', `${lines.join('\n')}\n`);
    await world.finish(file, 1);
    const { rows: counts, status, rejected_file } = world.report(file);
    expect([status, rejected_file]).toEqual(['completed', `${file.key}.rejected.csv`]);
    expect(counts).toEqual({ read: 602, accepted: 601, rejected: 1, applied: 601, unchanged: 0, superseded: 0 });
    expect(world.rejected(file)).toEqual([
      expect.stringMatching(/^602,,"?meta_public or meta_private would exceed.*x{9000}$/),
    ]);
  });

  test('whose chunk fails says so, by its lines', async () => {
    const world = await DropWorld.open();
    const file = world.drop('accounts/a.csv', csv(...rows(600)));
    await world.invoke(file);
    await failNextChunk(world.dependencies().imports, world.teamId, 'for a test');
    await world.finish(file);
    const { rows: counts, ...report } = world.report(file);
    expect(report).toMatchObject({ status: 'failed', reason: '1 chunks of the batch failed.' });
    expect(report.failed_chunks).toEqual([{ chunk_index: 0, first_line: 2, last_line: 501, reason: 'for a test' }]);
    expect(counts).toMatchObject({ read: 600, accepted: 600, applied: 100 });
  });

  test('is dropped once, however often it is told of', async () => {
    const world = await DropWorld.open();
    const file = world.drop('accounts/a.csv', csv(row(1)));
    await world.finish(file);
    const before = structuredClone(world.database.items);
    expect(await world.invoke(file)).toBe('done');
    expect(structuredClone(world.database.items)).toEqual(before);
    expect(world.objects.count(`${file.key}.report.json`)).toBe(1);
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

  test('waits longer and longer for the import worker, but no longer than a minute', async () => {
    const world = await DropWorld.open();
    const file = world.drop('accounts/a.csv', csv(row(1)));
    const waits: FileOutcome[] = [];
    for (const seconds of [0, 20, 100, 10_000]) {
      world.clock += seconds * 1000;
      waits.push(await world.invoke(file));
    }
    expect(waits).toEqual([1, 5, 30, 60].map((after) => ({ after, isRead: true })));
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
  test('is upserted; what only the team knows to be wrong is rejected, and the rest sent', async () => {
    const world = await DropWorld.open();
    const unknown = crypto.randomUUID();
    const lines = [
      { unique_id: 'a', name_first: 'Ann' },
      { unique_id: 'b', journey: { template_id: unknown } },
      { unique_id: 'c', email: 7 },
      { unique_id: 'd', meta_public: { car: { make: 'Saab' } } },
      { unique_id: 'a', name_last: 'Ames' },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const file = world.drop('contacts/c.ndjson', text);
    expect(await world.finish(file)).toBe(1);
    expect(world.report(file)).toMatchObject({
      status: 'completed',
      batch_id: null,
      rows: { read: 5, accepted: 3, rejected: 2, created: 2, existing: 0 },
    });
    expect(world.rejected(file)).toEqual([
      expect.stringMatching(/^2,journey\.template_id,.*template/),
      expect.stringMatching(/^3,email,must be a string/),
    ]);
    const found = await loadByUniqueId(world.database, world.teamId, ['a', 'd']);
    expect(found.get('a')?.stored?.contact).toMatchObject({ name_first: 'Ann', name_last: 'Ames' });
    expect(found.get('d')?.stored?.contact.meta_public).toEqual({ 'car.make': 'Saab' });
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

  test('all of whose rows are rejected is failed, and names them all', async () => {
    const world = await DropWorld.open();
    const file = world.drop('contacts/c.csv', 'unique_id,birthdate\na,x\nb,y\n');
    await world.finish(file);
    expect(world.report(file)).toMatchObject({ status: 'failed', rows: { read: 2, accepted: 0, rejected: 2 } });
    expect(world.rejected(file)).toHaveLength(2);
  });
});

test('of two invocations that have the same file, the one that came late ends', async () => {
  const world = await DropWorld.open();
  const file = world.drop('accounts/a.csv', csv(...rows(600)));
  const stall = Promise.withResolvers<void>();
  let isStalled = false;
  const { objects } = world;
  const stalled: ObjectStore = {
    read: async (...args) => {
      isStalled = true;
      await stall.promise;
      return objects.read(...args);
    },
    write: (...args) => objects.write(...args),
    join: (...args) => objects.join(...args),
  };
  const late = world.invoke(file, 1000, world.dependencies(world.database, stalled));
  await expect.poll(() => isStalled).toBe(true);
  await world.finish(file);
  stall.resolve();
  await expect(late).rejects.toBeInstanceOf(LeaseLost);
  expect(world.objects.count(`${file.key}.report.json`)).toBe(1);
});
