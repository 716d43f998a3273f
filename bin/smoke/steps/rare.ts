import { dropBatchId } from '../../../lib/domain/drop.ts';
import { type DropState, loadDrop, updateDrop } from '../../../lib/store/drop-files.ts';
import { derivedFileId } from '../../../lib/store/ids.ts';
import { expect, type FunctionId } from '../failure.ts';
import { acceptUnwoken, blockAccount, failAccepted } from '../plant.ts';
import type { Step } from '../step.ts';
import type { Control, QueueMessage, World } from '../world.ts';
import { accountsFile, expectRows, reported, writeFile } from './drop-box.ts';
import { applied, newName, newRecords } from './imports.ts';

/**
 * States that the service reaches only after hours, under load, or after two failures. A rehearsal brings them about:
 * it changes functions for a moment, which the smoke test of a stack in use must not do.
 */
const skip = ({ reach }: World): string | undefined =>
  reach.control && reach.invoke ? undefined : 'only in a rehearsal: it changes a function for a moment';

const worker = 'import-worker';
const reader = 'drop-box-reader';
/** Seconds. A worker with less time does not begin a chunk. */
const tooShort = 15;
/** Number of receives after which a file that waits for its accounts gets a new message. */
const manyReceives = 500;

/** Seconds until the worker has tried the account again, and the reader has looked at its chunk. */
const untilRetried = 30;

/** Invokes a function with a message of its queue. @returns true if it is done with the message */
async function handles(
  { reach }: World,
  id: FunctionId,
  message: QueueMessage,
  ApproximateReceiveCount = 1,
): Promise<boolean> {
  const record = { ...message, attributes: { ApproximateReceiveCount: String(ApproximateReceiveCount) } };
  const result = (await reach.invoke!(id, { Records: [record] })) as { batchItemFailures: unknown[] };
  return result.batchItemFailures.length === 0;
}

const controlOf = ({ reach }: World): Control => reach.control!;

/** A dropped file that has been read and waits for its account, which cannot be applied until `unblock` is called. */
async function waitingFile(world: World) {
  const number = newName(world);
  const unblock = await blockAccount(world, number);
  const key = await writeFile(world, `accounts/${number}.csv`, accountsFile(number));
  const fileId = await fileIdOf(world, key);
  const isRead = async () => ((await stateOf(world, fileId))?.phase === 'applying' ? true : undefined);
  await world.until(isRead, 'the dropped file', reader);
  return { key, fileId, unblock };
}

async function fileIdOf({ installation }: World, key: string): Promise<string> {
  for await (const object of installation.dropBox().list(key)) return derivedFileId(object.key, object.version);
  throw new Error('the dropped file was not found');
}

const stateOf = async ({ installation, teamId }: World, fileId: string): Promise<DropState | undefined> =>
  (await loadDrop(installation.database, teamId, fileId))?.state;

/** Makes the reader read the file from its beginning, as if it had crashed before it saved its progress. */
async function readAgain(world: World, fileId: string): Promise<void> {
  const { installation, teamId } = world;
  const reset = async () => {
    const { state, version } = (await loadDrop(installation.database, teamId, fileId))!;
    const { place: _place, layout: _layout, read_at: _readAt, ...rest } = state;
    const rows = { accepted: 0, rejected: 0, created: 0, existing: 0 };
    const unread: DropState = { ...rest, phase: 'reading', rows, parts: 0, partBytes: 0 };
    return (await updateDrop(installation.database, teamId, fileId, { state: unread, version })) ? true : undefined;
  };
  await world.until(reset, 'the state of the dropped file', reader);
}

export const rareSteps: readonly Step[] = [
  {
    name: 'wake the team again when the time of an invocation is over',
    function: worker,
    uses: { Send: [] },
    skip,
    async run(world) {
      const batchId = newName(world);
      await acceptUnwoken(world, batchId, await newRecords(world, '11.00'));
      const message = { messageId: batchId, receiptHandle: '-', body: JSON.stringify({ team_id: world.teamId }) };
      const { withTimeout, withoutTrigger } = controlOf(world);
      // Otherwise the wake could be received by an instance that the change of the timeout ends.
      const isDone = await withoutTrigger(worker, () =>
        withTimeout(worker, tooShort, () => handles(world, worker, message)),
      );
      expect(isDone, 'the worker did not send another wake', worker);
      await applied(world, batchId, worker);
    },
  },
  {
    name: 'send a new message for a file that waits for its accounts',
    function: reader,
    uses: { Forward: [] },
    skip,
    async run(world) {
      const { key, unblock } = await waitingFile(world);
      try {
        await controlOf(world).withoutTrigger(reader, async (queue) => {
          const message = await world.until(() => queue.receive(), 'the message of the dropped file', reader);
          expect(await handles(world, reader, message, manyReceives), 'the reader did not send a new message', reader);
          await queue.remove(message);
        });
      } finally {
        await unblock();
      }
      expectRows(await reported(world, key, reader, untilRetried));
    },
  },
  {
    name: 'put a failed chunk back when its file is read again',
    function: reader,
    uses: { Delete: [] },
    skip,
    async run(world) {
      const { key, fileId, unblock } = await waitingFile(world);
      try {
        await controlOf(world).withoutTrigger(reader, async () => {
          await readAgain(world, fileId);
          await failAccepted(world, dropBatchId(fileId));
        });
      } finally {
        await unblock();
      }
      expectRows(await reported(world, key, reader, untilRetried));
    },
  },
];
