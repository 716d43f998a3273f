import type { Lane } from '../../domain/waiting-work/lane.ts';
import type { WakeQueue } from '../../store/waiting-work/wake-queue.ts';

export type WakeService = Waker & { queue: WakeQueue };

/** Only wakes. */
export type Waker = {
  queue: Pick<WakeQueue, 'wake'>;
  /** Called if a wake could not be sent. The sweep sends another one later. */
  onLostWake(lane: Lane, error: unknown): void;
};

/**
 * Wakes the worker of a lane. The work is stored in the table, so a lost wake only delays it, and changes no response.
 * @param options.requestId the request that stored the work, for the log of the worker
 * @param options.group another message group than that of the lane
 * @returns false if the wake was not sent
 */
export async function wake(
  { queue, onLostWake }: Waker,
  lane: Lane,
  options: { requestId?: string | undefined; group?: string | undefined } = {},
): Promise<boolean> {
  try {
    await queue.wake(lane, options);
    return true;
  } catch (error) {
    onLostWake(lane, error);
    return false;
  }
}
