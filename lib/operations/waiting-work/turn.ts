import type { Lane } from '../../domain/waiting-work/lane.ts';
import { type WakeService, wake } from './wake.ts';

/** The turn of a worker: what it got with the message. */
export type Turn = {
  lane: Lane;
  /** The message group, which can be another one than that of the lane. */
  group: string;
  /** How often the message was received. */
  received: number;
  /** False if no other work may be begun. */
  hasTime(): boolean;
};

/**
 * How a turn ends. `empty`: nothing is left that can be done now. `out of time`: the lane is woken again.
 * `wakes`: it is woken in this message group. `again`: the message is received again after so many seconds.
 */
export type TurnEnd = 'empty' | 'out of time' | { wakes: string } | { again: number };

/** Maximum seconds until a message is received again after a fault. The lane waits for it. */
const longestWait = 10;

type TurnService = WakeService & {
  /** The request that stored the work, for the log of the next worker. */
  requestId?: string | undefined;
  /** Called with the error that ended the turn. What it did before is stored. */
  onFailure(error: unknown): void;
  /** Called if the message could not be postponed. It is received again when its visibility timeout ends. */
  onNotPostponed(error: unknown): void;
};

/**
 * Works a lane for one message. The lane is woken again before the message is let go, so that a worker that dies in between
 * leaves a message behind. After a fault the message is received again within seconds.
 * @returns whether the message is done with
 */
export async function takeTurn(
  service: TurnService,
  { lane, received }: Pick<Turn, 'lane' | 'received'>,
  receiptHandle: string,
  work: () => Promise<TurnEnd>,
): Promise<boolean> {
  let seconds = Math.min(2 ** received, longestWait);
  try {
    const end = await work();
    if (end === 'empty') return true;
    if (typeof end === 'object' && 'again' in end) seconds = end.again;
    else if (
      await wake(service, lane, {
        requestId: service.requestId,
        group: end === 'out of time' ? undefined : end.wakes,
      })
    )
      return true;
  } catch (error) {
    service.onFailure(error);
  }
  await service.queue.postpone(receiptHandle, seconds).catch(service.onNotPostponed);
  return false;
}

/** Milliseconds that a turn leaves to its last step, and how long it is, so that a slow lane costs the others nothing. */
export type TurnTime = { reserve: number; longest?: number };

/** @param remaining the milliseconds that are left to the function */
export function timeOf(remaining: () => number, { reserve, longest = Number.POSITIVE_INFINITY }: TurnTime) {
  const end = Math.max(remaining() - longest, reserve);
  return () => remaining() > end;
}

/**
 * Works what a lane holds, until there is nothing or no time. It is safe to stop it at any time, to run it again, and to
 * run several at once.
 * @param next reads what comes next, strongly consistent
 * @param step works it. Returns true if it knows that nothing else is left.
 */
export async function workLane<Work>(
  hasTime: () => boolean,
  next: () => Promise<Work | undefined>,
  step: (work: Work) => Promise<unknown>,
): Promise<'empty' | 'out of time'> {
  for (;;) {
    const work = await next();
    if (work === undefined) return 'empty';
    if (!hasTime()) return 'out of time';
    if ((await step(work)) === true) return 'empty';
  }
}
