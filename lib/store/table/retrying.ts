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

/** When the retries of calls end. */
export type RetryLimits = {
  /** Attempts of one call at requests that DynamoDB throttles or leaves unprocessed. */
  rounds: number;
  /** Milliseconds after which a call starts no further round. The last request can take as long as its timeout after that. */
  milliseconds: number;
  /** Retries that calls which fail again and again can have together. */
  quota: number;
};

/** A call takes about three seconds with the waits, and about ten if DynamoDB never responds. */
const functionLimits: RetryLimits = { rounds: 8, milliseconds: 6500, quota: 100 };

export const defaultBackoff: Backoff = randomDelay(50, 1000);

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The part of a retry that a call without one gives back to the quota. */
const withoutRetry = 0.2;

/**
 * The retries of all calls of an instance, with a quota, so that a store in trouble does not get many times the usual
 * load. Each retry takes from the quota. A call that succeeds gives back what it took, or a little if it needed no retry.
 */
export class Retries {
  readonly #backoff: Backoff;
  readonly #limits: RetryLimits;
  #used = 0;

  constructor(backoff: Backoff = defaultBackoff, limits: RetryLimits = functionLimits) {
    this.#backoff = backoff;
    this.#limits = limits;
  }

  /**
   * Repeats each attempt of one call while it fails with a transient error, and waits between rounds.
   * @throws StoreUnavailable after the last round, or when the call has taken too long, or the quota is used up
   */
  of(operation: string): <T>(attempt: () => Promise<T>) => Promise<T> {
    const { rounds, milliseconds } = this.#limits;
    const lastStart = performance.now() + milliseconds;
    return async (attempt) => {
      let cause: unknown;
      for (let round = 1; round <= rounds; round++) {
        try {
          const result = await attempt();
          this.#giveBack(round - 1);
          return result;
        } catch (error) {
          if (!isTransient(error)) throw error;
          cause = error;
        }
        if (round === rounds || !this.#take()) break;
        await wait(this.#backoff(round));
        if (performance.now() > lastStart) break;
      }
      throw new StoreUnavailable(`the ${operation} failed after all retries`, { cause });
    };
  }

  /** False if no retry may begin. */
  #take(): boolean {
    if (this.#used + 1 > this.#limits.quota) return false;
    this.#used += 1;
    return true;
  }

  /** @param retries of a call that succeeded */
  #giveBack(retries: number): void {
    this.#used = Math.max(0, this.#used - Math.max(withoutRetry, retries));
  }
}
