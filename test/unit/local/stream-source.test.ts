import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StreamPosition } from '../../../bin/local/stream/position.ts';
import { type FailedBatch, passesFilter, sequenceOf, type TableStream } from '../../../bin/local/stream/records.ts';
import { startStreamSource } from '../../../bin/local/stream/source.ts';
import { publishBatch } from '../../../lib/operations/events/publish.ts';
import { beat } from '../../../lib/operations/waiting-work/sweep.ts';
import type { StreamRecord } from '../../../lib/store/events/item-changes.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { idOf, post, team } from '../../support/operations/journey-operations.ts';
import { openStream, publishing, stream } from '../../support/operations/publishing.ts';
import { readAll } from '../../support/samples/events.ts';

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await openStream();
});
afterEach(() => vi.restoreAllMocks());

/** The stream of the model, with one shard. */
const tableStream = (): TableStream => ({
  shards: async () => [{ id: 'shard' }],
  pages: async function* () {
    for (let read = 0; ; ) {
      const all = stream.records.slice(read) as DynamoDBRecord[];
      read += all.length;
      // What publishing itself writes does not pass the filter.
      const records = all.filter(({ dynamodb }) => passesFilter(dynamodb!.Keys!.sk!.S!));
      yield { records, last: all.at(-1) && sequenceOf(all.at(-1)!), isFull: false };
    }
  },
});

const failures: object[] = [];
const given: (FailedBatch & { records: number })[] = [];
/** The sequence numbers of the records that the function itself gave up. */
const defective: string[] = [];
let invocations: number;

/** Works the stream as the local service does, with the function that publishes, until so many contacts are told or given up. */
async function work(count: number, maxRecordAge = 3_600_000, path?: string): Promise<void> {
  [failures.length, given.length, defective.length, invocations] = [0, 0, 0, 0];
  const sendFailure = async (record: StreamRecord) => void defective.push(record.dynamodb!.SequenceNumber!);
  const onFailure = (error: unknown, ids: object) => failures.push({ error: (error as Error).name, ...ids });
  const dependencies = { ...publishing({ onFailure }), sendFailure };
  const source = startStreamSource({
    stream: tableStream(),
    streamArn: 'arn',
    position: new StreamPosition('arn', path),
    batchSize: 1000,
    windowMilliseconds: 5,
    maxRecordAge,
    backoff: () => 1,
    invoke: async ({ Records }: DynamoDBStreamEvent) => {
      invocations += 1;
      const failed = await publishBatch(dependencies, Records);
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
    },
    sendFailure: (batch, records) => given.push({ ...batch, records: records.length }),
  });
  try {
    await expect
      .poll(async () => new Set(await told()).size + given.length + defective.length, { interval: 10 })
      .toBe(count);
  } finally {
    await source.stop();
  }
}

const told = async () => (await readAll(stream, undefined, 1000, team)).events.map(({ contact_id }) => contact_id!);

describe('a record that cannot be published', () => {
  /** Makes the record of this contact one that the code cannot read. */
  function poison(uniqueId: string): string {
    const { pk } = contactKey(team, idOf(uniqueId));
    const record = stream.records.find(({ dynamodb }) => JSON.stringify(dynamodb?.Keys).includes(`${pk}"`))!;
    Object.assign(record.dynamodb!.NewImage!, { version: { S: 'Ann' } });
    return record.dynamodb!.SequenceNumber!;
  }
  const names = Array.from({ length: 20 }, (_, n) => `u${n}`);

  test.each(['u0', 'u7', 'u19'])('ends in the queue of failures alone, and all others are told (%s)', async (bad) => {
    for (const name of names) await post({ unique_id: name });
    const sequence = poison(bad);
    await work(names.length);
    expect(new Set(await told())).toEqual(new Set(names.filter((name) => name !== bad).map(idOf)));
    expect([defective, given]).toEqual([[sequence], []]);
    expect(failures.at(-1)).toEqual({
      ...{ error: 'Problem', sequence, records: 1 },
      ...{ item: 'contact', team_id: team, contact_id: idOf(bad) },
    });
    // It is separated in five invocations. It delays the others no longer.
    expect(invocations).toBeLessThan(20);
  });
});

test('every heartbeat of the sweeper reaches the publisher, and becomes no event', async () => {
  for (const _ of [1, 2]) await beat({ database: stream });
  await post({ unique_id: 'a' });
  const passed = stream.records.map(({ dynamodb }) => (dynamodb!.Keys!.sk as { S: string }).S).filter(passesFilter);
  expect(passed).toEqual(['HEARTBEAT', 'HEARTBEAT', 'CONTACT']);
  await work(1);
  expect([await told(), given]).toEqual([[idOf('a')], []]);
});

test('an outage splits no batch: its records are tried again together, and each is told once', async () => {
  for (const name of ['a', 'b', 'c']) await post({ unique_id: name });
  const transact = stream.transact.bind(stream);
  let outages = 2;
  stream.transact = async (writes) => {
    if (outages-- > 0) throw new StoreUnavailable('a test');
    return transact(writes);
  };
  await work(3);
  expect(await told()).toEqual(['a', 'b', 'c'].map(idOf));
  expect(invocations).toBe(3);
  expect(given).toEqual([]);
});

const record = (SequenceNumber: string): DynamoDBRecord => ({ dynamodb: { SequenceNumber } });

test('records that pass the filter are gathered from full pages, up to the size of a batch', async () => {
  const position = new StreamPosition('arn');
  const seen: [string[], string | undefined][] = [];
  const pages = [[1], [], [2, 3], [4, 5], [], [6]];
  const source = startStreamSource({
    stream: {
      shards: async () => [{ id: 'shard' }],
      pages: async function* () {
        for (const [index, records] of pages.entries()) {
          const isFull = index < pages.length - 1;
          yield { records: records.map((n) => record(`${n}`)), last: `${index}0`, isFull };
        }
        // No record of these passes: the position goes on.
        yield { records: [], last: '70', isFull: true };
        yield { records: [record('7')], last: '80', isFull: false };
      },
    },
    ...{ streamArn: 'arn', position, windowMilliseconds: 1, maxRecordAge: 1000, batchSize: 3 },
    invoke: async ({ Records }) => void seen.push([Records.map((each) => sequenceOf(each)), position.of('shard')]),
    sendFailure: () => {},
  });
  await expect.poll(() => seen.length, { interval: 5 }).toBe(3);
  await source.stop();
  expect(seen).toEqual([
    [['1', '2', '3'], undefined],
    [['4', '5', '6'], '20'],
    [['7'], '70'],
  ]);
});

test('a shard is read after all of its parent, wherever the list has it', async () => {
  const shards = [{ id: 'child', parent: 'parent' }, { id: 'parent' }];
  const seen: string[] = [];
  const source = startStreamSource({
    stream: {
      shards: async () => shards,
      pages: async function* (id) {
        for (const n of id === 'parent' ? [1, 2, 3] : [4]) {
          yield { records: [record(`${n}`)], last: `${n}`, isFull: false };
        }
      },
    },
    ...{
      streamArn: 'arn',
      position: new StreamPosition('arn'),
      windowMilliseconds: 1,
      maxRecordAge: 1000,
      batchSize: 1,
    },
    invoke: async ({ Records }) => void seen.push(...Records.map((each) => sequenceOf(each))),
    sendFailure: () => {},
  });
  await expect.poll(() => seen.length, { interval: 5 }).toBe(4);
  await source.stop();
  expect(seen).toEqual(['1', '2', '3', '4']);
});

test('what is too old is given up, counts as worked, and is in no file', async () => {
  for (const name of ['a', 'b']) await post({ unique_id: name });
  stream.transact = async () => {
    throw new StoreUnavailable('a test');
  };
  const path = join(mkdtempSync(join(tmpdir(), 'stream-')), 'stream.json');
  await work(1, -1, path);
  const { endSequenceNumber } = given[0]!;
  expect(given).toMatchObject([{ streamArn: 'arn', shardId: 'shard', records: 2 }]);
  // The records up to here are deleted, images and all.
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ stream: 'arn', shards: { shard: expect.any(String) } });
  expect(new StreamPosition('arn', path).worked).toBeGreaterThanOrEqual(BigInt(endSequenceNumber));
});
