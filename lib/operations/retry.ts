import { StoreUnavailable } from '../store/table/database.ts';
import type { Service } from './service.ts';

/** An attempt returns this if another writer was first. The attempt is then repeated. */
export const lostRace = Symbol('lost race');

/** Another writer wins each lost round, so few rounds are ever needed. With the pauses, 20 take a few seconds. */
const maxRounds = 20;

/**
 * For writes with many concurrent writers: all requests of a team update its order counter, and a chunk may have to
 * wait for an earlier one that is not visible yet. The pauses of these rounds are short.
 */
export const conflictRounds = 60;

/**
 * Repeats an attempt, which reads, decides and writes with a condition on what it read, until the write succeeds.
 * @param reason text for the log, if every round is lost
 * @param attempt gets the number of its round, from 0
 * @throws StoreUnavailable if every round is lost
 */
export async function untilWritten<T>(
  { pause }: Pick<Service, 'pause'>,
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
 * The same for several items. Items that lost a race are attempted again together.
 * @param attempt returns the items that lost a race
 */
export async function untilAllWritten<Item>(
  service: Pick<Service, 'pause'>,
  reason: string,
  items: readonly Item[],
  attempt: (pending: readonly Item[], round: number) => Promise<readonly Item[]>,
): Promise<void> {
  let pending = items;
  await untilWritten(service, reason, async (round) => {
    pending = await attempt(pending, round);
    return pending.length === 0 ? undefined : lostRace;
  });
}
