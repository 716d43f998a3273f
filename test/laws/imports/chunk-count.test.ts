import { expect, test } from 'vitest';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { batchKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';

const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const records = [{ account_number: '1', product: { code: 'P', type: 'checking' } }];

test('a chunk_count that disagrees is refused although the batch was read before the first one was set', async () => {
  const model = new ModelDatabase();
  const batch = { batch_id: 'counted', records };
  await postBatch(serviceOn(model), teamId, { ...batch, chunk_index: 0 });
  const [before] = await model.get([batchKey(teamId, 'counted')]);
  await postBatch(serviceOn(model), teamId, { ...batch, chunk_index: 1, chunk_count: 5 });
  let reads = 0;
  const early: Database = {
    ...bound(model),
    get: async (keys) => {
      const items = await model.get(keys);
      // The items of one request are read one by one.
      return reads++ > 0 ? items : items.map((item) => (item?.sk === 'BATCH' ? before : item));
    },
  };
  const refused = postBatch(serviceOn(early), teamId, { ...batch, chunk_index: 2, chunk_count: 6 });
  await expect(refused).rejects.toMatchObject({ code: 'conflict' });
});
