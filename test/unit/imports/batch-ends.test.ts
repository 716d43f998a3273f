import { beforeEach, describe, expect, test } from 'vitest';
import { cancelBatch } from '../../../bin/admin/operations/imports/cancel.ts';
import { discardFailed } from '../../../bin/admin/operations/imports/failed.ts';
import { bound, type Database, type Item, type Write } from '../../../lib/store/table/database.ts';
import { failNextChunk, postBatch, workAll } from '../../support/operations/import-operations.ts';
import { team } from '../../support/operations/journey-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { eventsOfAll, openStream, publishAll, publishRecords, stream } from '../../support/operations/publishing.ts';

beforeEach(openStream);

const send = (batch_id: string, chunk_index = 0, chunk_count?: number) =>
  postBatch(serviceOn(stream), team, {
    ...{ batch_id, chunk_index, ...(chunk_count === undefined ? {} : { chunk_count }) },
    records: [{ account_number: batch_id, product: { code: 'P', type: 'checking' } }],
  });

test('a batch has ended although another batch of the team is open', async () => {
  await send('a');
  await send('b', 1);
  await failNextChunk(serviceOn(stream), team);
  expect(await eventsOfAll()).toMatchObject([{ type: 'batch.failed', batch_id: 'a' }]);
  await workAll(serviceOn(stream), team);
  expect((await eventsOfAll()).slice(1)).toMatchObject([{ type: 'batch.completed', batch_id: 'b' }]);
});

test('a batch has failed although its chunk is open again when that is told', async () => {
  await send('a');
  await failNextChunk(serviceOn(stream), team);
  expect(await send('a')).toMatchObject({ redriven: true });
  expect(await eventsOfAll()).toMatchObject([{ type: 'batch.failed', batch_id: 'a' }]);
});

test('chunks that are cancelled at once are one end of their batch', async () => {
  for (const index of [0, 1, 2]) await send('a', index);
  await cancelBatch(serviceOn(stream), team, 'a');
  expect(await eventsOfAll()).toMatchObject([
    { type: 'batch.completed', batch_id: 'a', chunk_index: 2, records: { accepted: 3 } },
  ]);
});

test('chunks that are cancelled at once are that end in whichever order their items become visible', async () => {
  const ids = new Set<string>();
  for (const [n, order] of permutations([0, 1, 2, 3, 4]).entries()) {
    const batch_id = `batch ${n}`;
    for (const index of [0, 1]) await send(batch_id, index);
    await cancelBatch({ ...serviceOn(stream), database: shownIn(order) }, team, batch_id);
    const own = (await eventsOfAll()).filter((event) => event.batch_id === batch_id);
    expect(own[0], `${order}`).toMatchObject({ type: 'batch.completed', chunk_index: 1, records: { accepted: 2 } });
    for (const event of own) expect(event, `${order}`).toEqual(own[0]);
    ids.add(own[0]!.id);
    await workAll(serviceOn(stream), team);
  }
  expect(ids.size).toBe(120);
});

test('a batch whose last failed chunk is discarded has ended, which is an event of its own', async () => {
  const at = { ...serviceOn(stream), now: () => Date.parse('2026-01-01T00:00:00Z') };
  const events = async () => (await eventsOfAll()).map(({ type, records }) => `${type} ${records?.accepted}`);
  const fail = async (batch_id: string, index: number) => {
    await send(batch_id, index);
    return failNextChunk(at, team);
  };
  const [first, second] = [await fail('a', 0), await fail('a', 1)];
  expect(await events()).toEqual(['batch.failed 1', 'batch.failed 2']);
  await discardFailed(at, first);
  expect(await events()).toHaveLength(2);
  await discardFailed(at, second);
  expect((await events()).slice(2)).toEqual(['batch.completed 0']);
  // While another chunk is open, a discarded one does not end the batch; the open one does.
  const third = await fail('b', 0);
  await send('b', 1);
  await discardFailed(at, third);
  expect((await events()).slice(3)).toEqual(['batch.failed 1']);
  await cancelBatch(at, team, 'b');
  expect((await events()).slice(4)).toEqual(['batch.completed 1']);
  await workAll(at, team);
  // What is told late is told as it was: the pair is open again.
  const fourth = await fail('c', 0);
  await discardFailed(at, fourth);
  await send('c', 0);
  expect((await events()).slice(5)).toEqual(['batch.failed 1', 'batch.completed 0']);
});

test('a batch ends when its failed chunk is discarded although a cancelled one is still in the list of open chunks', async () => {
  await send('a', 0);
  const failed = await failNextChunk(serviceOn(stream), team);
  await send('a', 1);
  await cancelBatch(serviceOn(stream), team, 'a');
  await discardFailed(serviceOn(stream), failed);
  const ends = (await eventsOfAll()).map(({ type, records }) => `${type} ${records?.accepted}`);
  expect(ends.at(-1)).toBe('batch.completed 1');
});

test('a chunk that was completed beside a failed one did not end the batch, also if that pair was sent again since', async () => {
  await send('a', 0);
  const failed = await failNextChunk(serviceOn(stream), team);
  await send('a', 1);
  await workAll(serviceOn(stream), team);
  await discardFailed(serviceOn(stream), failed);
  expect(await send('a', 0)).toMatchObject({ duplicate: false });
  const completed = (await eventsOfAll()).filter(({ type }) => type === 'batch.completed');
  // Only the discard has ended it.
  expect(completed).toMatchObject([{ chunk_index: 0 }]);
});

describe('the ends of the chunks of a long batch read a few claims each, and its own end all of them', () => {
  const count = 120;
  const all = Array.from({ length: count }, (_, index) => index);
  const byLane = all.map((n) => (n % 4) * (count / 4) + Math.floor(n / 4));
  const oneEnd = ['batch.completed 120'];

  test.each([
    ['in their order', all],
    ['in reverse', all.toReversed()],
    ['from four places at once', byLane],
    ['in pairs that overtake one another', all.map((n) => n ^ 1)],
    ['in no order', all.map((n) => (n * 49) % count)],
  ])('sent and applied one by one, %s', async (_, order) => {
    const counted = counting();
    for (const index of order) {
      await send('a', index, count);
      await workAll(serviceOn(stream), team);
      await publishAll({ database: counted.database });
    }
    expect(await endsOf('a')).toEqual(oneEnd);
    expect(counted.items()).toBeLessThan(45 * count);
  });

  test.each([
    ['in their order', all],
    ['in pairs that overtake one another', all.map((n) => n ^ 1)],
  ])('sent and applied one by one without a chunk_count, %s', async (_, order) => {
    const counted = counting();
    const published = [];
    for (const index of order) {
      await send('a', index);
      await workAll(serviceOn(stream), team);
      published.push(stream.take());
      await publishRecords(published.at(-1)!, { database: counted.database });
    }
    // Each chunk ended the batch, until the next one was accepted.
    const ends = await eventsOfAll();
    expect(ends.map(({ type, records }) => [type, records?.accepted])).toEqual(
      all.map((n) => ['batch.completed', n + 1]),
    );
    expect(counted.items()).toBeLessThan(45 * count);
    for (const records of published) await publishRecords(records);
    expect((await eventsOfAll()).slice(count)).toEqual(ends);
  });

  test('without a chunk_count, all of them applied before the first is told', async () => {
    for (const index of all) await send('a', index);
    await workAll(serviceOn(stream), team);
    const counted = counting();
    for (const record of stream.take()) await publishRecords([record], { database: counted.database });
    expect(await endsOf('a')).toEqual(oneEnd);
    expect(counted.items()).toBeLessThan(45 * count);
  });
});

const endsOf = async (batchId: string) =>
  (await eventsOfAll())
    .filter(({ batch_id }) => batch_id === batchId)
    .map(({ type, records }) => `${type} ${records?.accepted}`);

/** The stream's table, and how many claims were read from it. */
function counting() {
  let read = 0;
  const isClaim = (item: Item | undefined) => item?.pk.includes('#B#');
  const count = (items: readonly (Item | undefined)[]) => {
    read += items.filter(isClaim).length;
  };
  const { get, query, ...writes } = bound(stream);
  const database: Database = {
    ...writes,
    get: async (keys) => {
      const items = await get(keys);
      count(items);
      return items;
    },
    query: async (input) => {
      const page = await query(input);
      count(page.items);
      return page;
    },
  };
  return { database, items: () => read };
}

test('removals are nobody’s batch: their end is no event', async () => {
  await send('remove-1');
  await workAll(serviceOn(stream), team);
  expect(await eventsOfAll()).toEqual([]);
});

/** Transactions on it become visible item by item in this order, and what changed is published after each. */
const shownIn = (order: readonly number[]): Database => ({
  ...bound(stream),
  transact: async (writes: readonly Write[]) => {
    for (const index of order) {
      await stream.transact([writes[index]!]);
      await publishAll();
    }
    return true;
  },
});

const permutations = (values: readonly number[]): number[][] =>
  values.length === 0
    ? [[]]
    : values.flatMap((first) =>
        permutations(values.filter((each) => each !== first)).map((others) => [first, ...others]),
      );
