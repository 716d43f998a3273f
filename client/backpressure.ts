import { ApiError } from './errors.ts';
import { pause } from './waiting.ts';

/** Milliseconds: a service that applies anything at all has taken another chunk by then. */
const longestWait = 10 * 60_000;
const shortestPause = 1_000;
const longestPause = 30_000;

export type BackpressureOptions = {
  /** Each ends the waiting. */
  signals: readonly (AbortSignal | undefined)[];
  /** Called once, before the first wait. */
  onWait?: () => void;
};

/**
 * Sends a chunk, and sends it again for as long as the service takes no more (429): a team may have so many open chunks,
 * and a large file gets there. Gives up after ten minutes, with the last error.
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
