import { expect, test } from 'vitest';
import type { Page } from '../../lib/store/database.ts';
import { scanUseKey } from '../../lib/store/keys.ts';
import { loadScanUse, metered, saveScanUse } from '../../lib/store/scan-uses.ts';
import { ModelDatabase } from '../support/model-database.ts';

test('the use of scans is written only as it was read', async () => {
  const database = new ModelDatabase();
  const load = () => loadScanUse(database, 'team', 'client');
  const save = (units: number, from: Awaited<ReturnType<typeof load>>) =>
    saveScanUse(database, 'team', 'client', { minute: 5, units }, from);
  const none = await load();
  expect(none).toEqual({ use: { minute: 0, units: 0 }, version: 0 });
  expect(await save(1.5, none)).toBe(true);
  expect(await save(9, none)).toBe(false);
  const first = await load();
  expect(first).toEqual({ use: { minute: 5, units: 1.5 }, version: 1 });
  expect(await save(2, first)).toBe(true);
  expect(await save(9, first)).toBe(false);
  expect(await load()).toEqual({ use: { minute: 5, units: 2 }, version: 2 });
  expect(await loadScanUse(database, 'team', 'other')).toEqual(none);
  database.damage(scanUseKey('team', 'client'), { minute: 'x' });
  await expect(load()).rejects.toThrow('a stored use of scans is invalid: minute');
});

test('the read units of queries are added up, where they are known', async () => {
  const model = new ModelDatabase();
  const pages: Page[] = [{ items: [], readUnits: 1.5 }, { items: [] }, { items: [], readUnits: 2 }];
  model.query = async () => pages.shift()!;
  const { database, units } = metered(model);
  expect(units()).toBe(0);
  for (const expected of [1.5, 1.5, 3.5]) {
    expect(await database.query({ pk: 'x' })).toMatchObject({ items: [] });
    expect(units()).toBe(expected);
  }
  expect(await database.write([{ kind: 'insert', item: { pk: 'a', sk: 'a' } }])).toEqual([true]);
});
