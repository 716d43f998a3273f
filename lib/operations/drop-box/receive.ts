import type { DroppedFile } from '../../domain/drop.ts';
import type { DropQueue } from '../../store/drop-queue.ts';
import type { DropDependencies } from './dependencies.ts';
import { LeaseLost } from './state.ts';
import { type Again, type FileOutcome, workFile } from './work.ts';

/** A message that names a file, as it was received. */
export type DropMessage = {
  file: DroppedFile;
  id: string;
  receipt: string;
  /** How often it has been received, this time included. */
  received: number;
};

/** What came of a message. One that is done is deleted; the others come again. */
export type Reception = { isDone: boolean; outcome: FileOutcome } | { isDone: false; error: unknown };

/** Milliseconds that a chunk under way, and keeping the place, may still take. */
const reserve = 30_000;

/**
 * Receives after which a file that has been read completely gets a fresh message. By then it has waited for its accounts
 * for hours; the queue gives a message up after twice as many (`dropQueue` in `lib/background.ts`).
 */
const renewAfter = 500;

/**
 * Works the file that a message names. While it is read, its message comes again at the head of its team's queue, so
 * that the team's files are read one after another.
 * @param remaining milliseconds until the invocation is ended
 */
export async function receiveFile(
  dependencies: DropDependencies & { queue: DropQueue },
  message: DropMessage,
  remaining: () => number,
): Promise<Reception> {
  const { queue } = dependencies;
  const { file, receipt, received } = message;
  try {
    // Should this invocation be killed, the next need not wait for the queue's own timeout.
    await queue.postpone(receipt, Math.ceil(remaining() / 1000) + 10);
    const outcome = await workFile(dependencies, file, () => remaining() > reserve);
    const isDone = typeof outcome === 'string' || (await isReplaced(queue, message, outcome));
    return { isDone, outcome };
  } catch (error) {
    // Whoever overtook this attempt has the message now.
    if (!(error instanceof LeaseLost)) {
      await queue.postpone(receipt, Math.min(2 ** received, longestWait)).catch(() => undefined);
    }
    return { isDone: false, error };
  }
}

/** Seconds until the next attempt at most, since the team's next files wait. */
const longestWait = 60;

/** Has the file come again. @returns whether by another message, so that this one is done. */
async function isReplaced(
  queue: DropQueue,
  { file, id, receipt, received }: DropMessage,
  { again, isRead }: Again,
): Promise<boolean> {
  if (isRead && received >= renewAfter) {
    await queue.sendSeparately(file, id);
    return true;
  }
  await queue.postpone(receipt, again);
  return false;
}
