import { expect, test } from 'vitest';
import { dropQueue } from '../../../lib/background.ts';
import { type DroppedFile, laneOfDrop } from '../../../lib/domain/drop-box/drop.ts';
import { receiveFile } from '../../../lib/operations/drop-box/receive.ts';
import { maxTurns } from '../../../lib/operations/drop-box/work.ts';
import { ObjectDenied, type ObjectStore } from '../../../lib/store/aws/objects.ts';
import type { DropQueue } from '../../../lib/store/drop-box/drop-queue.ts';
import { loadBatch } from '../../../lib/store/imports/claims.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { importStateKey, orderCounterKey } from '../../../lib/store/table/keys.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { csv, row, rows } from '../../support/samples/account-files.ts';

const hour = 3_600_000;

type Message = { file: DroppedFile; id: string; group: string; received: number; visibleAt: number; sentAt: number };

/** A model of the SQS FIFO queue of files: groups, maximum receives and retention, on the clock of the test. */
class FileQueue implements DropQueue {
  messages: Message[] = [];
  readonly deadLetters: Message[] = [];
  readonly #world: DropWorld;
  #ids = 0;

  constructor(world: DropWorld) {
    this.#world = world;
  }

  send(file: DroppedFile): Promise<void> {
    return this.#send(file, laneOfDrop(file));
  }

  sendSeparately(file: DroppedFile): Promise<void> {
    return this.#send(file, derivedFileId(file.key, file.version));
  }

  async #send(file: DroppedFile, group: string): Promise<void> {
    const { clock: sentAt } = this.#world;
    this.messages.push({ file, id: `m-${this.#ids++}`, group, received: 0, visibleAt: sentAt, sentAt });
  }

  async postpone(receipt: string, seconds: number): Promise<void> {
    const message = this.messages.find(({ id }) => id === receipt);
    if (message) message.visibleAt = this.#world.clock + seconds * 1000;
  }

  /** The next first message of a group that becomes visible. Advances the clock until then. */
  receive(): Message | undefined {
    const heads = this.messages.filter((each) => this.messages.find(({ group }) => group === each.group) === each);
    const [next] = heads.sort((a, b) => a.visibleAt - b.visibleAt);
    if (!next) return undefined;
    this.#world.clock = Math.max(this.#world.clock, next.visibleAt);
    next.received += 1;
    if (next.received <= dropQueue.maxReceiveCount && this.#world.clock - next.sentAt < dropQueue.retention * 1000) {
      return next;
    }
    this.deadLetters.push(next);
    this.delete(next);
    return this.receive();
  }

  delete(message: Message): void {
    this.messages = this.messages.filter((each) => each !== message);
  }
}

/** A drop box whose files are received as the function receives them. */
class ReceivingWorld {
  readonly world: DropWorld;
  readonly queue: FileQueue;
  readonly objects: ObjectStore;

  private constructor(world: DropWorld, objects: ObjectStore = world.objects) {
    this.world = world;
    this.queue = new FileQueue(world);
    this.objects = objects;
  }

  static async open(read?: ObjectStore['read']): Promise<ReceivingWorld> {
    const world = await DropWorld.open();
    return new ReceivingWorld(world, read && world.objects.readBy(read));
  }

  async drop(path: string, content: string): Promise<DroppedFile> {
    const file = { ...this.world.drop(path, content), size: content.length };
    await this.queue.send(file);
    return file;
  }

  /** Receives until the queue is empty or the time is over. @returns the number of receives */
  async receive(forMilliseconds = Number.POSITIVE_INFINITY, imports = true): Promise<number> {
    const end = this.world.clock + forMilliseconds;
    for (let count = 0; ; count++) {
      const message = this.world.clock < end ? this.queue.receive() : undefined;
      if (!message) return count;
      const { file, id, received } = message;
      const dependencies = { ...this.world.dependencies(undefined, this.objects), dropQueue: this.queue };
      const { isDone } = await receiveFile(dependencies, { file, id, receipt: id, received }, () => 90_000);
      if (isDone) this.queue.delete(message);
      if (imports) await this.world.workImports();
    }
  }

  reportOf(file: DroppedFile) {
    return this.world.report(file);
  }
}

test('a file whose accounts wait for days ends with a report, and does not hold up the next for so long', async () => {
  const box = await ReceivingWorld.open();
  const first = await box.drop('accounts/1.csv', csv(row(1, '1')));
  const second = await box.drop('accounts/2.csv', csv(row(1, '2')));
  await box.receive(6 * hour, false);
  // The next file waits at first.
  expect(await box.world.chunksOf(second)).toEqual([]);
  await box.receive(66 * hour, false);
  expect(await box.world.chunksOf(second)).toHaveLength(1);
  expect(box.reportOf(first)).toBeNull();
  await box.receive();
  for (const file of [first, second]) expect(box.reportOf(file)).toMatchObject({ status: 'completed' });
  expect(box.queue.deadLetters).toEqual([]);
});

/** The maximum number of open chunks of a team, which no worker applies. */
async function fill({ world }: ReceivingWorld): Promise<void> {
  const item = { ...orderCounterKey(world.teamId), last_order: 10_000, left_seen: 0 };
  expect(await world.database.write([{ kind: 'insert', item }])).toEqual([true]);
}

test('a file waits while its team has no capacity for more chunks, and is read to its end then', async () => {
  const box = await ReceivingWorld.open();
  await fill(box);
  const file = await box.drop('accounts/a.csv', csv(...rows(501), 'junk'));
  expect(await box.receive(hour)).toBeGreaterThan(50);
  expect(await box.world.chunksOf(file)).toEqual([]);
  const counts = { begun: 10_000, left: 10_000, failed: 0, renames: 0, version: 1 };
  await box.world.database.write([{ kind: 'insert', item: { ...importStateKey(box.world.teamId), ...counts } }]);
  await box.receive();
  expect(box.reportOf(file)).toMatchObject({ status: 'completed', rows: { read: 502, applied: 501, rejected: 1 } });
  expect(box.queue.deadLetters).toEqual([]);
});

test('a file that there is never capacity for is given up with a report, before its message is', async () => {
  expect(maxTurns).toBeLessThan(dropQueue.maxReceiveCount);
  const box = await ReceivingWorld.open();
  await fill(box);
  const file = await box.drop('accounts/a.csv', csv(row(1)));
  await box.drop('accounts/b.csv', csv(row(2)));
  // However often it was received, it holds up the next file while it is being read.
  expect(await box.receive(10 * hour)).toBeGreaterThan(510);
  expect(box.queue.messages.map(({ received }) => received > 0)).toEqual([true, false]);
  box.queue.messages.pop();
  await box.receive();
  expect(box.reportOf(file)).toMatchObject({
    status: 'refused',
    reason: `Given up: ${maxTurns} attempts did not read the file to its end.`,
  });
  expect(box.queue.deadLetters).toEqual([]);
});

test('a file that may not be read, or of which S3 does not say that it is gone, ends with a report that says so', async () => {
  const box = await ReceivingWorld.open(async () => {
    throw new ObjectDenied();
  });
  const file = await box.drop('accounts/a.csv', csv(row(1)));
  const next = await box.drop('contacts/b.csv', 'unique_id\na\n');
  expect(await box.receive(hour)).toBeLessThan(15);
  for (const each of [file, next]) {
    const reason = expect.stringMatching(/no longer exists, or the service has no permission to read it/);
    expect(box.reportOf(each)).toMatchObject({ status: 'refused', reason });
  }
});

test.each([
  ['announces its chunks', csv(...rows(1001)), { chunk_count: 3 }],
  ['with a chunk that has no row to send does not', csv(...rows(500), ...Array(501).fill('junk'), row(7)), {}],
])('the batch of a file %s', async (_, content, head) => {
  const box = await ReceivingWorld.open();
  const file = await box.drop('accounts/a.csv', content);
  const { key, version } = file;
  await box.receive();
  expect((await box.world.chunksOf(file)).at(-1)).toMatchObject({ index: 2, status: 'completed' });
  const batch = await loadBatch(box.world.database, box.world.teamId, `drop-${derivedFileId(key, version)}`);
  expect(batch.head).toEqual(head);
});
