import { beforeEach, expect, test } from 'vitest';
import { type Removal, removeInOrder } from '../../../bin/admin/operations/imports/remove.ts';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { loadBatch } from '../../../lib/store/imports/claims.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { model, noon, open, post, record, replaced, teamId, using } from '../../support/models/model-imports.ts';
import { failNextChunk, workAll } from '../../support/operations/import-operations.ts';

beforeEach(open);

const contact_id = derivedContactId(teamId, 'ann');
const linked = (number: string) => record(number, { contact: { unique_id: 'ann' } });
const numbers = async () =>
  (await loadLinks(model, teamId, contact_id)).links.map(({ account_number }) => account_number);
const removal = (account_number: string): Removal => ({ account_number, removal: { contact_id } });
const work = () => workAll(using(), teamId);
const remove = (
  removals: Removal[],
  { database = model, wait = work }: { database?: Database; wait?: () => Promise<unknown> } = {},
) => removeInOrder({ ...using({ database }), wait }, teamId, 'remove-1', removals);

test('many removals are as many chunks as they need, in their order', async () => {
  await post(0, {}, [linked('1'), linked('2'), linked('3')]);
  await work();
  const many = Array.from({ length: 1001 }, (_, n) => removal(String(n + 2)));
  const { status, records } = await remove(many);
  expect([status, records]).toEqual([
    'completed',
    { accepted: 1001, applied: 2, unchanged: 999, superseded: 0, rejected: 0 },
  ]);
  const { chunks } = await loadBatch(model, teamId, 'remove-1');
  expect(chunks.map(({ index, records }) => [index, records])).toEqual([
    [0, 500],
    [1, 500],
    [2, 1],
  ]);
  expect(await numbers()).toEqual(['1']);
});

test.each(['before', 'after'])('a removal whose acceptance fails %s it is stored is accepted once', async (when) => {
  await post(0, {}, [linked('1')]);
  await work();
  let losses = 2;
  const database = replaced({
    transact: async (writes) => {
      const isLost = losses-- > 0;
      if (isLost && when === 'before') return false;
      const committed = await model.transact(writes);
      return isLost ? false : committed;
    },
  });
  expect((await remove([removal('1')], { database })).records).toMatchObject({ accepted: 1, applied: 1 });
  expect(await numbers()).toEqual([]);
});

test('what was accepted before the removal and is applied after it does not bring the link back', async () => {
  await post(0, {}, [linked('1')]);
  await failNextChunk(using(), teamId);
  await post(1, {}, [linked('1'), linked('2')]);
  // The worker is slow: it applies the file and the removal only when the command waits for it.
  await remove([removal('1')]);
  expect(await numbers()).toEqual(['2']);
  await post(0, {}, [linked('1')]);
  await work();
  expect(await numbers()).toEqual(['2']);
  await post(2, {}, [linked('1')]);
  await work();
  expect(await numbers()).toEqual(['1', '2']);
});

test('a removal that fails says so, and one that is not applied within a minute is applied later', async () => {
  const failing = remove([removal('1')], { wait: () => failNextChunk(using(), teamId) });
  await expect(failing).rejects.toMatchObject({ code: 'conflict' });
  let now = noon;
  const wait = async () => {
    now += 30_000;
  };
  const slow = { ...using({ now: () => now }), wait };
  expect((await removeInOrder(slow, teamId, 'remove-2', [removal('1')])).status).toBe('processing');
});
