import { expect, test } from 'vitest';
import type { Database } from '../../lib/store/database.ts';
import { scanDirectory } from '../../lib/store/directory.ts';
import { directoryPartition } from '../../lib/store/keys.ts';
import { ModelDatabase } from '../support/model-database.ts';

const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const nextTurn = () => new Promise(setImmediate);

test('a scan of the directory stops when a shard cannot be read', async () => {
  let queries = 0;
  const database: Database = Object.assign(Object.create(new ModelDatabase()), {
    query: async ({ pk }: { pk: string }) => {
      queries++;
      await nextTurn();
      if (pk === directoryPartition(teamId, 0)) throw new Error('unreadable');
      return { items: [], next: 'more' };
    },
  });
  await expect(scanDirectory(database, { teamId, search: '' }, () => {})).rejects.toThrow('unreadable');
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  const afterwards = queries;
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(queries).toBe(afterwards);
});
