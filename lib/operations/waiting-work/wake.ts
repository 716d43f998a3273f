import type { Lane } from '../../domain/waiting-work/lane.ts';
import type { WakeQueue } from '../../store/waiting-work/wake-queue.ts';

export type WakeDependencies = {
  queue: WakeQueue;
  /** Called if a wake could not be sent. The sweep sends another one later. */
  onLostWake(lane: Lane, error: unknown): void;
  /** The request that stored the work. The wake names it, so that the log of the worker does too. */
  requestId?: string;
};

/**
 * Wakes the worker of a lane. The work is stored in the table, so a lost wake only delays it, and changes no response.
 * @param group another message group than that of the lane
 * @returns false if the wake was not sent
 */
export async function wake(
  { queue, onLostWake, requestId }: WakeDependencies,
  lane: Lane,
  group?: string,
): Promise<boolean> {
  try {
    await queue.wake(lane, { requestId, group });
    return true;
  } catch (error) {
    onLostWake(lane, error);
    return false;
  }
}
