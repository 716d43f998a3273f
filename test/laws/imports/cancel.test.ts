import { expect, test } from 'vitest';
import { cancelBatch } from '../../../bin/admin/operations/imports/cancel.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { accountKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';

const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const records = [{ account_number: '1', product: { code: 'P', type: 'checking' } }];

test('a cancelled chunk is not applied by a worker that sees the import state before the list entry', async () => {
  const model = new ModelDatabase();
  await postBatch(serviceOn(model), teamId, { batch_id: 'nightly', chunk_index: 0, records });
  const hidden: (() => void)[] = [];
  const halfVisible: Database = {
    ...bound(model),
    transact: async (writes) => {
      const parts = model.begin(writes)!;
      for (const [index, part] of parts.entries()) {
        const isState = 'key' in writes[index]! ? writes[index].key.sk === 'IMPORT' : true;
        if (isState) part();
        else hidden.push(part);
      }
      await new Promise<void>((resolve) => hidden.push(resolve));
      return true;
    },
  };
  const show = () => {
    for (const part of hidden.splice(0)) part();
  };
  // A transaction that concerns a hidden item waits until it is visible.
  const waiting: Database = {
    ...bound(model),
    transact: async (writes) => {
      if (writes.some((write) => 'key' in write && write.key.sk.startsWith('OPEN#'))) show();
      return model.transact(writes);
    },
  };
  const cancelling = cancelBatch(serviceOn(halfVisible), teamId, 'nightly');
  while (hidden.length === 0) await Promise.resolve();
  // The transaction may have taken longer than any wait of the worker.
  const now = () => Date.now() + 600_000;
  await workAll(serviceOn(waiting, { now }), teamId);
  show();
  await cancelling;
  expect(await model.get([accountKey(teamId, '1')])).toEqual([undefined]);
});
