import { ApiError } from './errors.ts';
import { pause } from './waiting.ts';

/** Milliseconds. A service that makes any progress accepts another chunk within this time. */
const longestWait = 10 * 60_000;
const shortestPause = 1_000;
const longestPause = 30_000;

/**
 * Options of `onceThereIsRoom`.
 *
 * @example
 * const options: BackpressureOptions = { signals: [], onWait: () => console.log('waiting') };
 */
export type BackpressureOptions = {
  /** Each of them can abort the wait. */
  signals: readonly (AbortSignal | undefined)[];
  /** Called once, before the first wait. */
  onWait?: () => void;
};

/**
 * Sends a chunk, and retries while the service responds with 429. The number of open chunks of a team is limited, and a
 * large file reaches the limit.
 *
 * @example
 * const accepted = await onceThereIsRoom(() => client.batches.create(input), { signals: [] });
 *
 * @throws the last error, after ten minutes
 */
export async function onceThereIsRoom<T>(send: () => Promise<T>, { signals, onWait }: BackpressureOptions): Promise<T> {
  const start = performance.now();
  for (let wait = shortestPause; ; wait = Math.min(wait * 2, longestPause)) {
    try {
      return await send();
    } catch (error) {
      const isFull = error instanceof ApiError && error.status === 429;
      if (!isFull || performance.now() - start > longestWait) throw error;
      if (wait === shortestPause) onWait?.();
      await pause(Math.max(wait, Math.min((error.retryAfter ?? 0) * 1000, longestPause)), ...signals);
    }
  }
}
