import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DropWorld } from '../../support/drop-box.ts';
import { balances, csv, header, row, rows } from '../../support/samples/account-files.ts';

describe('a file that cannot be taken', () => {
  test.each([
    ['accounts/a.csv', '', 'refused', /empty/],
    ['accounts/a.csv', `name,balance\n${'x,1\n'.repeat(100_000)}`, 'refused', /no column for account_number/],
    ['contacts/c.csv.gz', gzipSync('unique_id\na\n').subarray(0, 12), 'failed', /gzip data is damaged/],
    ['contacts/c.csv', Buffer.from('unique_id\na\n', 'utf16le'), 'refused', /UTF-16/],
  ])('%s gets a report that says why (%#)', async (path, content, status, reason) => {
    const world = await DropWorld.open();
    const file = world.drop(path, content);
    await world.finish(file);
    expect(world.report(file)).toMatchObject({ status, reason: expect.stringMatching(reason) });
    expect(world.report(file).rows).toMatchObject({ read: 0, accepted: 0, rejected: 0 });
    // Each unread body would occupy one of the few connections of an instance.
    await expect.poll(() => world.objects.open).toBe(0);
    expect(world.objects.text(`${file.key}.rejected.csv`)).toBeUndefined();
  });

  test('of a team that there is not gets one too, and nothing is kept of it', async () => {
    const world = await DropWorld.open();
    const before = structuredClone(world.database.items);
    const file = world.objects.put(`${crypto.randomUUID()}/accounts/a.csv`, csv(row(1)));
    await world.finish(file);
    expect(world.report(file)).toMatchObject({
      status: 'refused',
      reason: expect.stringMatching(/^The folder "[0-9a-f-]{36}" belongs to no team/),
    });
    expect(world.database.items).toEqual(before);
  });

  test('to its end counts until there', async () => {
    const world = await DropWorld.open();
    const wide = rows(2000).map((line) => `${line},${'x'.repeat(200)}`);
    const whole = gzipSync([`${header},nickname`, ...wide].join('\n'), { level: 0 });
    const file = world.drop('accounts/a.csv.gz', whole.subarray(0, 300_000));
    await world.finish(file, 1);
    const { status, reason, rows: counts } = world.report(file);
    expect([status, reason]).toEqual(['failed', expect.stringMatching(/gzip data is damaged/)]);
    expect(counts.accepted).toBeGreaterThan(500);
    expect(counts.applied).toBe(counts.accepted);
    expect(await balances(world, [1, 500])).toEqual(['1.50', '500.50']);
  });

  test('because it is gone gets a report', async () => {
    const world = await DropWorld.open();
    const file = world.drop('accounts/a.csv', csv(...rows(600)));
    await world.invoke(file, 1);
    world.objects.remove(file.key);
    await world.finish(file);
    expect(world.report(file)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/no longer exists/),
      rows: { read: 500, applied: 500 },
    });
  });
});
