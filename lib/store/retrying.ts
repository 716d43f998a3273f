import { StoreUnavailable } from './database.ts';
import { isTransient } from './errors.ts';
import { randomDelay } from './random-delay.ts';

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
 * Repeats each attempt of one call while it fails with a transient error, and waits between rounds.
 * @throws StoreUnavailable after the last round, or when the call has taken too long.
 */
export function retrying(operation: string, backoff: Backoff): <T>(attempt: () => Promise<T>) => Promise<T> {
  const lastStart = performance.now() + maxRetryTime;
  return async (attempt) => {
    let cause: unknown;
    for (let round = 1; round <= rounds; round++) {
      try {
        return await attempt();
      } catch (error) {
        if (!isTransient(error)) throw error;
        cause = error;
      }
      if (round === rounds) break;
      await wait(backoff(round));
      if (performance.now() > lastStart) break;
    }
    throw new StoreUnavailable(`the ${operation} on the table failed after all retries`, { cause });
  };
}

/** Attempts at a request to a queue, a secret or a bucket, as many as the SDK's clients make. */
const attempts = 3;

/**
 * Repeats a request while it fails with a transient error, until the signal aborts.
 * @throws the error of the last attempt
 */
export async function retried<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await attempt();
    } catch (error) {
      if (round === attempts || signal?.aborted || !isTransient(error)) throw error;
    }
    await wait(defaultBackoff(round));
  }
}
