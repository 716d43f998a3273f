import { describe, expect, test } from 'vitest';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import { batchesAtWork, payloadRewrite } from '../../../lib/store/erasure/payload-rewrites.ts';
import { acceptChunks, loadChunk } from '../../../lib/store/imports/claims.ts';
import { commitTransitions, loadFailed, loadImportState, loadWork } from '../../../lib/store/imports/import-work.ts';
import { loadPayload, payloadWrites } from '../../../lib/store/imports/payloads.ts';
import { chunkKey, chunkListKey, payloadKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { beforeFirstChunk } from '../../support/samples/dropped-files.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const now = Date.parse('2026-03-01T00:00:00Z');
const record = (account_number: string) => ({ account_number });

/** A database with a chunk of each of these batches in the list of open chunks, and the first chunk with its payload. */
async function stored(...batches: string[]) {
  const database = new ModelDatabase();
  const chunks = batches.map(
    (batch_id, index): Chunk => ({
      ...{ team_id: team, batch_id, claim: chunkKey(team, batch_id, index).sk, index, order: index + 1 },
      ...{ payload_id: `old${index}`, parts: 1, records: 2, accepted_at: 't', accepted_after: 0, status: 'open' },
    }),
  );
  await acceptChunks(database, team, { chunks, current: beforeFirstChunk, leftSeen: 0 });
  await database.write(await payloadWrites(team, 'old0', [record('1'), record('2')], { now }));
  const load = async () => (await loadChunk(database, team, chunks[0]!))!;
  const change = async (status: 'failed' | 'completed') => {
    const state = await loadImportState(database, team);
    await commitTransitions(database, [{ chunk: await load(), change: { status } }], state, state);
  };
  const rewrite = async (chunk: Chunk) =>
    database.transact(
      await payloadRewrite(database, { chunk, state: await loadImportState(database, team) }, 'new', [record('2')]),
    );
  const lists = async () =>
    [...(await loadWork(database, team, 9)).open, ...(await loadFailed(database, team))].map(
      ({ payload_id, parts }) => [payload_id, parts],
    );
  return { database, load, change, rewrite, lists };
}

describe('a payload that is stored again', () => {
  test.each([
    ['open', []],
    ['failed', ['failed']],
  ] as const)('is that of its %s chunk, in the claim and in the list', async (status, changes) => {
    const { database, load, change, rewrite, lists } = await stored('b');
    for (const each of changes) await change(each);
    expect(await rewrite(await load())).toBe(true);
    const chunk = await load();
    expect(chunk).toMatchObject({ status, payload_id: 'new', parts: 1, records: 2 });
    expect(await loadPayload(database, chunk)).toEqual([record('2')]);
    expect(database.read(payloadKey(team, 'old0', 0))).toBeUndefined();
    expect(await lists()).toEqual([['new', 1]]);
    const list = status === 'failed' ? 'FAILED' : 'OPEN';
    expect(database.read(chunkListKey(team, list, 1))).toMatchObject({ payload_id: 'new', parts: 1 });
  });

  test('expires when the old one would have', async () => {
    const { database, load, rewrite } = await stored('b');
    const { expires_at } = database.read(payloadKey(team, 'old0', 0))!;
    await rewrite(await load());
    expect(database.read(payloadKey(team, 'new', 0))!.expires_at).toBe(expires_at);
  });

  test('does not expire if the old one did not, or is gone', async () => {
    for (const attributes of [{ expires_at: undefined }, undefined]) {
      const { database, load, rewrite } = await stored('b');
      database.damage(payloadKey(team, 'old0', 0), attributes);
      expect(await rewrite(await load())).toBe(true);
      expect(database.read(payloadKey(team, 'new', 0))!.expires_at).toBeUndefined();
    }
  });

  test('of a completed chunk is in no list', async () => {
    const { load, change, rewrite, lists } = await stored('b');
    await change('completed');
    expect(await rewrite(await load())).toBe(true);
    expect(await lists()).toEqual([]);
  });

  test.each([{ order: 9 }, { status: 'discarded' }, { payload_id: 'other' }] as const)(
    'is not stored if the claim of the chunk has changed since it was read (%o)',
    async (read) => {
      const { database, load, change, rewrite } = await stored('b');
      // The chunk is in no list, so only its claim is compared.
      await change('completed');
      const before = database.items;
      expect(await rewrite({ ...(await load()), ...read })).toBe(false);
      expect(database.items).toEqual(before);
    },
  );

  test('with a part that cannot be read is an error', async () => {
    const { database, load, rewrite } = await stored('b');
    database.damage(payloadKey(team, 'old0', 0), { expires_at: 'never' });
    await expect(rewrite(await load())).rejects.toThrow('a stored part of a payload is invalid: expires_at');
  });
});

test('the batches at work are those with an open or failed chunk, each once', async () => {
  const { database, change } = await stored('failed', 'a', 'b', 'a');
  await change('failed');
  expect(await batchesAtWork(database, team)).toEqual(['failed', 'a', 'b']);
  expect(await batchesAtWork(database, 'other')).toEqual([]);
});
