import { describe, expect, test } from 'vitest';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { noDetails } from '../../../lib/domain/contacts/contact.ts';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { writeOfContact } from '../../../lib/store/contacts/contacts.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { accountKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';

const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const product = { code: 'P', type: 'checking' };

test('a chunk that was read ahead links whom its unique_id names after a rename meanwhile', async () => {
  const model = new ModelDatabase();
  const id = derivedContactId(teamId, 'a');
  const time = '2026-01-01T00:00:00.000000Z';
  const contact = { ...noDetails, id, unique_id: 'a', inserted_at: time, updated_at: time };
  await model.write([writeOfContact(teamId, contact, undefined, [], { writer: 'test' })]);
  const post = (chunk_index: number, records: object[]) =>
    postBatch(serviceOn(model), teamId, { batch_id: 'nightly', chunk_index, records });
  await post(0, [{ account_number: '1', product }]);
  await post(1, [{ account_number: '2', product, contact: { unique_id: 'a' } }]);
  let isRenamed = false;
  const rename = async () => {
    isRenamed = true;
    await changeUniqueId(serviceOn(model), teamId, { from: 'a', to: 'b' });
  };
  const database: Database = {
    ...bound(model),
    write: async (writes) => {
      const isAccount = writes.some((write) => write.kind === 'insert' && write.item.sk === 'ACCOUNT');
      // By now the second chunk is being read.
      if (isAccount && !isRenamed) await rename();
      return model.write(writes);
    },
  };
  await workAll(serviceOn(database), teamId);
  expect(isRenamed).toBe(true);
  expect((await loadLinks(model, teamId, id)).links).toEqual([]);
});

describe('the next chunk', () => {
  /** @returns whether the second chunk's account was read before the first chunk's was written, at each such write. */
  function watched(model: ModelDatabase, { fails = false } = {}): { database: Database; readBefore: boolean[] } {
    const next = accountKey(teamId, '2');
    const readBefore: boolean[] = [];
    let isRead = false;
    const database: Database = {
      ...bound(model),
      get: (keys) => {
        isRead ||= keys.some(({ pk }) => pk === next.pk);
        return model.get(keys);
      },
      write: async (writes) => {
        const { pk } = accountKey(teamId, '1');
        if (writes.some((write) => write.kind === 'insert' && write.item.pk === pk)) {
          // Gives the read-ahead time to finish.
          await new Promise((resolve) => setTimeout(resolve, 50));
          readBefore.push(isRead);
          if (fails) throw new Error('the worker dies');
        }
        return model.write(writes);
      },
    };
    return { database, readBefore };
  }

  async function acceptTwoChunks(model: ModelDatabase): Promise<void> {
    for (const [chunk_index, account_number] of ['1', '2'].entries()) {
      const records = [{ account_number, product }];
      await postBatch(serviceOn(model), teamId, { batch_id: 'nightly', chunk_index, records });
    }
  }

  test('is read without waiting for the values of the one before it', async () => {
    const model = new ModelDatabase();
    await acceptTwoChunks(model);
    const [first, second] = ['1', '2'].map((number) => accountKey(teamId, number).pk);
    const isRequested = Promise.withResolvers<void>();
    const database: Database = {
      ...bound(model),
      get: async (keys) => {
        const names = keys.map(({ pk }) => pk);
        if (names.includes(second!)) isRequested.resolve();
        // The values of the first chunk come only once those of the second have been requested.
        if (names.includes(first!)) await isRequested.promise;
        return model.get(keys);
      },
    };
    expect(await workAll(serviceOn(database), teamId)).toMatchObject({ outcome: 'empty', chunks: 2 });
  });

  test('is read while the one before it is written, but not when that one has been attempted before', async () => {
    const model = new ModelDatabase();
    await acceptTwoChunks(model);
    const first = watched(model, { fails: true });
    await expect(workAll(serviceOn(first.database), teamId)).rejects.toThrow('the worker dies');
    const second = watched(model);
    expect(await workAll(serviceOn(second.database), teamId)).toMatchObject({ outcome: 'empty', chunks: 2 });
    expect({ first: first.readBefore, second: second.readBefore }).toEqual({ first: [true], second: [false] });
  });
});
