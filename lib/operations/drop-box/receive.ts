import type { DroppedFile } from '../../domain/drop-box/drop.ts';
import type { DropQueue } from '../../store/drop-box/drop-queue.ts';
import type { DropService } from '../service.ts';
import { LeaseLost } from './state.ts';
import { type Continuation, type FileOutcome, workFile } from './work.ts';

/** A received message that names a file. */
export type DropMessage = {
  file: DroppedFile;
  id: string;
  receipt: string;
  /** How often the message has been received, including this time. */
  received: number;
};

/** The outcome of a message. A message that is done is deleted; the others are received again. */
export type Reception = { isDone: boolean; outcome: FileOutcome } | { isDone: false; error: unknown };

/** Milliseconds that are reserved for the current chunk and for saving the state. */
const reserve = 30_000;

/**
 * Number of receives after which a file that has been read completely gets a new message. By then it has waited for its
 * accounts for hours. After twice as many receives, the queue moves a message to the dead-letter queue (`dropQueue` in
 * `lib/background.ts`).
 */
const renewAfter = 500;

/**
 * Works the file that a message names. While the file is being read, its message stays first in its team's message
 * group, so that the team's files are read one after another.
 * @param remaining returns the milliseconds until the invocation times out
 */
export async function receiveFile(
  service: DropService & { dropQueue: DropQueue },
  message: DropMessage,
  remaining: () => number,
): Promise<Reception> {
  const { dropQueue: queue } = service;
  const { file, receipt, received } = message;
  try {
    // If this invocation is killed, the next one does not have to wait for the queue's visibility timeout.
    await queue.postpone(receipt, Math.ceil(remaining() / 1000) + 10);
    const outcome = await workFile(service, file, () => remaining() > reserve);
    const isDone = typeof outcome === 'string' || (await requeue(queue, message, outcome));
    return { isDone, outcome };
  } catch (error) {
    // If the lease is lost, the other attempt has received the message, and this one must not postpone it.
    if (!(error instanceof LeaseLost)) {
      await queue.postpone(receipt, Math.min(2 ** received, longestWait)).catch(() => undefined);
    }
    return { isDone: false, error };
  }
}

/** Maximum seconds until the next attempt. The team's next files wait for it. */
const longestWait = 60;

/** Makes the file be received again. @returns true if another message replaces this one, so that this one is done. */
async function requeue(
  queue: DropQueue,
  { file, id, receipt, received }: DropMessage,
  { after, isRead }: Continuation,
): Promise<boolean> {
  if (isRead && received >= renewAfter) {
    await queue.sendSeparately(file, id);
    return true;
  }
  await queue.postpone(receipt, after);
  return false;
}
