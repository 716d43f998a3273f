import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { payloadDays } from '../../../lib/domain/teams/retention.ts';
import { workTeam } from '../../../lib/operations/imports/work.ts';
import { loadHolders } from '../../../lib/store/accounts/holders.ts';
import { loadBatch } from '../../../lib/store/imports/claims.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import { all, bound, type Database, type Write } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { claimKey, payloadPartition } from '../../../lib/store/table/keys.ts';
import { failNextChunk } from '../../support/operations/import-operations.ts';
import { account, isEnd, mapping, marks, PersonWorld } from '../../support/operations/person-world.ts';

const day = 24 * 3600_000;

let world: PersonWorld;
beforeEach(async () => {
  world = await PersonWorld.open();
});

const derived = (uniqueId: string) => derivedContactId(world.teamId, uniqueId);
const keyOf = (write: Write) => (write.kind === 'insert' ? write.item : write.key);

const touches = (sk: string) => (write: Write) => keyOf(write).sk === sk;

describe('an erasure', () => {
  test('is a conflict with another command that erases the same person', async () => {
    await world.fill(2);
    const killed = new Error('killed');
    const another = () => expect(world.erase(marks.present, { database: world.dying(killed) })).rejects.toBe(killed);
    const database = world.justBefore(touches('CONTACT'), another);
    await expect(world.erase(marks.present, { database })).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: '', message: expect.stringContaining('already being erased') }],
    });
    expect((await world.erase()).counts).toMatchObject({ contacts: 1, links: 3 });
    expect(await world.traces()).toEqual([]);
  });

  test('is a conflict with another command that has completed it', async () => {
    await world.fill(2);
    const database = world.justBefore(touches('CONTACT'), () => world.erase());
    await expect(world.erase(marks.present, { database })).rejects.toMatchObject({ code: 'conflict' });
    expect(await world.traces()).toEqual([]);
  });

  test('is decided again if a request changes the contact at this moment', async () => {
    await world.fill(2);
    const database = world.justBefore(touches('CONTACT'), () => world.post(marks.present, { city: 'Oslo' }));
    expect((await world.erase(marks.present, { database })).counts).toMatchObject({ contacts: 1, links: 3 });
    expect(await world.traces()).toEqual([]);
  });

  test.each<[what: string, isMeant: (write: Write) => boolean, reason: string]>([
    ['the contact', (write) => keyOf(write).sk === 'CONTACT', 'too many conflicts on the contact'],
    ['links', (write) => write.kind === 'delete' && write.key.sk.startsWith('ACCOUNT#'), 'items of the contact'],
    ['a chunk', (write) => keyOf(write).pk.includes('#U#'), 'too many conflicts on the chunk'],
  ])('is given up on if %s can never be written', async (_, isMeant, reason) => {
    await world.fill(2);
    const database: Database = {
      ...bound(world.database),
      transact: async (writes) => (writes.some(isMeant) ? false : world.database.transact(writes)),
    };
    const erasing = world.erase(marks.present, { database, pause: async () => {} });
    await expect(erasing).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(reason) });
    await world.erase();
    expect(await world.traces()).toEqual([]);
  });

  test('of two holders of an account at the same time leaves neither in the account', async () => {
    for (const holder of ['one', 'two', 'three']) await world.post(holder);
    await world.accept('joint', 0, [account('j-1', 'one'), mapping('j-1', 'two'), mapping('j-1', 'three')]);
    await world.work();
    const holders = () => loadHolders(world.database, world.teamId, 'j-1');
    expect(await holders()).toHaveLength(3);
    const database = world.justBefore(touches('ACCOUNT'), () => world.erase('two'));
    await world.erase('one', { database });
    expect(await holders()).toEqual([derived('three')]);
  });

  test('lets running imports look up the values again that it frees', async () => {
    await world.fill(2);
    const renames = async () => (await loadImportState(world.database, world.teamId)).renames;
    const first = await renames();
    await world.erase();
    // One for each of the two values.
    expect(await renames()).toBe(first + 2);
  });

  test('lets a new contact with a value that was never renamed have the same id at once', async () => {
    await world.post('a', { name_first: 'Ann' });
    const again = async () => {
      expect((await world.post('a')).contact).toMatchObject({ id: derived('a'), name_first: null });
    };
    await world.erase('a', { database: world.justBefore(isEnd, again) });
    expect(await world.post('a')).toMatchObject({ created: false, contact: { id: derived('a') } });
  });
});

describe('the last step of an erasure', () => {
  let waits: number;
  beforeEach(async () => {
    waits = 0;
    await world.post('a');
    await world.accept('begun', 0, [account('1', 'a')]);
    await world.accept('begun', 1, [account('2', 'b')]);
  });
  /** A worker that is killed when it writes an account, so that its chunk stays begun. */
  const begin = () => {
    const dying = world.justBefore(touches('ACCOUNT'), () => Promise.reject(new Error('killed')));
    return expect(world.work(dying)).rejects.toThrow('killed');
  };

  test('waits until the chunk is closed that was begun, and not for a later one', async () => {
    await begin();
    const texts: string[] = [];
    const wait = async () => {
      waits += 1;
      if (waits === 3) await workTeam(world.imports(), world.teamId, hasTimeFor(1), { ahead: 0 });
    };
    await world.erase('a', { wait, onProgress: (text) => void texts.push(text) });
    expect(texts.at(-1)).toBe('waiting until a chunk that is being imported is completed');
    expect(waits).toBe(3);
    expect(await world.traces([derived('a')])).toEqual([]);
  });
  const hasTimeFor = (chunks: number) => () => chunks-- > 0;

  test('is a conflict while the chunk is not closed, and the next run completes the erasure', async () => {
    await begin();
    const wait = async () => {
      waits += 1;
    };
    const conflict = { code: 'conflict', details: [{ message: expect.stringContaining('is still being imported') }] };
    await expect(world.erase('a', { wait })).rejects.toMatchObject(conflict);
    expect(waits).toBe(900);
    await world.work();
    expect((await world.erase('a')).counts).toMatchObject({ contacts: 1, chunks: 1 });
    expect(await world.traces([derived('a')])).toEqual([]);
  });

  test('does not wait if no chunk was begun, or nothing was found', async () => {
    const wait = async () => {
      waits += 1;
    };
    await world.erase('a', { wait });
    await begin();
    await world.erase('nobody', { wait });
    expect(waits).toBe(0);
  });
});

describe('the search of chunks', () => {
  const batches = 130;
  const fill = async () => {
    await world.accept('oldest', 0, [account('1', 'ann'), account('2', 'bob')]);
    // Batches of one millisecond are sorted by their ids.
    await sleep(2);
    for (let n = 0; n < batches; n++) await world.accept(`b-${n}`, 0, [account(`x-${n}`, 'bob')]);
    await world.work();
  };

  test('reads the batches in pages, and is resumed after the last page that was searched', async () => {
    await fill();
    const killed = new Error('killed');
    const lines: string[] = [];
    const onProgress = (text: string) => void lines.push(text);
    const isRewrite = (write: Write) => keyOf(write).pk.includes('#U#');
    const database = world.justBefore(isRewrite, () => Promise.reject(killed));
    await expect(world.erase('ann', { database, onProgress })).rejects.toBe(killed);
    const of = (count: number) => `${count} chunks of ${count} batches searched`;
    expect(lines).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130].map(of));
    lines.length = 0;
    expect((await world.erase('ann', { onProgress })).counts).toMatchObject({ chunks: 1, chunk_records: 1, links: 1 });
    expect(lines.slice(0, 2)).toEqual([0, 1].map(of));
    expect(await world.traces(['ann'])).toEqual([]);
  });

  const closed = payloadDays.max + 10;
  test.each<[what: string, days: number, found: string[]]>([
    ['all chunks while their records can be stored', closed * day - 1, ['closed', 'failed', 'open']],
    ['open and failed chunks later', closed * day, ['failed', 'open']],
    ['open and failed chunks much later', 2 * closed * day, ['failed', 'open']],
  ])('reads %s', async (_, later, found) => {
    await world.accept('closed', 0, [mapping('1', 'ann')]);
    await world.work();
    await world.accept('failed', 0, [mapping('2', 'ann')]);
    await failNextChunk(world.imports(), world.teamId);
    await world.accept('open', 0, [mapping('3', 'ann')]);
    const [chunk] = (await loadBatch(world.database, world.teamId, 'closed')).chunks;
    const now = () => Date.parse(chunk!.closed_at!) + later;
    const { chunk_records } = await world.export('ann', { now });
    expect(chunk_records.map(({ batch_id }) => batch_id).sort()).toEqual(found);
  });

  test('lists chunks in the order of their acceptance', async () => {
    const ids = ['b', 'a', 'c'];
    for (const id of ids) await world.accept(id, 0, [mapping('1', 'ann')]);
    await world.work();
    expect((await world.export('ann')).chunk_records.map(({ batch_id }) => batch_id)).toEqual(ids);
  });

  test.each([
    ['the claim', 'claim'],
    ['the stored records', 'payload'],
  ])('leaves a chunk of which %s is gone by then', async (_, part) => {
    await world.post('ann');
    await world.accept('one', 0, [mapping('1', 'ann')]);
    await world.work();
    const [chunk] = (await loadBatch(world.database, world.teamId, 'one')).chunks;
    const claim = claimKey(world.teamId, 'one', chunk!.claim);
    const payload = await all(world.database, { pk: payloadPartition(world.teamId, chunk!.payload_id) });
    const gone = part === 'payload' ? payload : [claim];
    let reads = 0;
    const database: Database = {
      ...bound(world.database),
      get: async (keys) => {
        if (keys[0]?.sk === claim.sk && keys[0].pk === claim.pk && reads++ === 0) {
          const writes = gone.map(({ pk, sk }): Write => ({ kind: 'delete', key: { pk, sk }, expect: {} }));
          expect(await world.database.transact(writes)).toBe(true);
        }
        return world.database.get(keys);
      },
    };
    expect((await world.erase('ann', { database })).counts).toEqual({ contacts: 1, directory_entries: 1, links: 1 });
    expect(reads).toBeGreaterThan(0);
  });

  test('finds the oldest batch for an export', async () => {
    await fill();
    const lines: string[] = [];
    const { chunk_records } = await world.export('ann', { onProgress: (text) => void lines.push(text) });
    expect(chunk_records).toEqual([{ batch_id: 'oldest', chunk_index: 0, record_index: 0 }]);
    expect(lines.at(-1)).toBe('131 chunks of 131 batches searched');
  });
});
