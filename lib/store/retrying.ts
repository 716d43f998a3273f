import { StoreUnavailable } from './database.ts';
import { isTransient } from './errors.ts';

/**
 * Milliseconds to wait before the round after this one, at random, so that concurrent writers do not collide again: up to
 * `first`, doubled with each round, and never more than `most`.
 */
export const randomDelay =
  (first: number, most: number) =>
  (round: number): number =>
    Math.random() * Math.min(first * 2 ** round, most);

/** Milliseconds to wait after round `n` (from 1) of a call, before the next round. */
export type Backoff = (round: number) => number;

/**
 * Attempts of one call at requests that DynamoDB throttles or leaves unprocessed: about three seconds with the waits.
 */
const rounds = 8;
/**
 * Milliseconds after which a call starts no further round. The last request can take as long as its timeout after that,
 * so a call fails within about ten seconds even if DynamoDB never responds.
 */
const maxRetryTime = 6500;

export const defaultBackoff: Backoff = randomDelay(50, 1000);

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * The retries of all calls of an instance, so that a store in trouble does not get many times the usual load. Each retry
 * takes from the quota. A call that succeeds gives back what it took, or a little if it needed no retry.
 */
export class RetryQuota {
  static readonly #full = 500;
  static readonly #retry = 5;
  #left = RetryQuota.#full;

  /** False if no retry may begin. */
  take(): boolean {
    if (this.#left < RetryQuota.#retry) return false;
    this.#left -= RetryQuota.#retry;
    return true;
  }

  /** @param retries of a call that succeeded */
  giveBack(retries: number): void {
    this.#left = Math.min(RetryQuota.#full, this.#left + Math.max(1, retries * RetryQuota.#retry));
  }
}

/**
 * Repeats each attempt of one call while it fails with a transient error, and waits between rounds.
 * @throws StoreUnavailable after the last round, or when the call has taken too long, or the quota is used up
 */
export function retrying(
  operation: string,
  backoff: Backoff,
  quota = new RetryQuota(),
): <T>(attempt: () => Promise<T>) => Promise<T> {
  const lastStart = performance.now() + maxRetryTime;
  return async (attempt) => {
    let cause: unknown;
    for (let round = 1; round <= rounds; round++) {
      try {
        const result = await attempt();
        quota.giveBack(round - 1);
        return result;
      } catch (error) {
        if (!isTransient(error)) throw error;
        cause = error;
      }
      if (round === rounds || !quota.take()) break;
      await wait(backoff(round));
      if (performance.now() > lastStart) break;
    }
    throw new StoreUnavailable(`the ${operation} failed after all retries`, { cause });
  };
}
