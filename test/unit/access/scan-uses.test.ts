import { expect, test } from 'vitest';
import { metered } from '../../../lib/store/access/scan-uses.ts';
import type { Page } from '../../../lib/store/table/database.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

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
