import { StoreUnavailable } from '../store/database.ts';

export type RetryDependencies = {
  /** Waits before round `n` (from 1) of deciding again, a random time, so that rivals do not meet again. */
  pause(round: number): Promise<void>;
};

/** What an attempt returns when somebody else was first: it is made again. */
export const lostRace = Symbol('lost race');

/** Each round somebody else has won, so few are ever needed; with the pauses between them some seconds in all. */
const maxRounds = 20;

/**
 * Where a round loses to many others at once: requests of one team meet on its order counter, and a chunk may wait for
 * one that is not visible yet. Their pauses are short.
 */
export const contendedRounds = 60;

/**
 * Reads, decides and writes, with a condition on what was read, until nobody else was first.
 * @param reason for the log, of giving up
 * @param attempt is told its round, from 0
 * @throws StoreUnavailable when every round was lost
 */
export async function untilWritten<T>(
  { pause }: RetryDependencies,
  reason: string,
  attempt: (round: number) => Promise<T | typeof lostRace>,
  rounds = maxRounds,
): Promise<T> {
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await pause(round);
    const result = await attempt(round);
    if (result !== lostRace) return result;
  }
  throw new StoreUnavailable(reason);
}

/**
 * The same for several items at once: those that lost are attempted again, together.
 * @param attempt returns the items that lost
 */
export async function untilAllWritten<Item>(
  dependencies: RetryDependencies,
  reason: string,
  items: readonly Item[],
  attempt: (pending: readonly Item[]) => Promise<readonly Item[]>,
): Promise<void> {
  let pending = items;
  await untilWritten(dependencies, reason, async () => {
    pending = await attempt(pending);
    return pending.length === 0 ? undefined : lostRace;
  });
}
