import { ApiError, NetworkError } from './errors.ts';
import { pause } from './waiting.ts';

/**
 * A failed attempt that will be repeated.
 *
 * @example
 * const onRetry = ({ attempt, delay, error }: Retry) => console.warn(attempt, delay, error.message);
 */
export type Retry = {
  /** Number of failed attempts. */
  attempt: number;
  /** Milliseconds until the next one. */
  delay: number;
  /** Why the attempt failed. */
  error: ApiError | NetworkError;
};

export type RetryOptions = {
  maxAttempts: number;
  onRetry?: ((retry: Retry) => void) | undefined;
};

/** The longest wait for a `Retry-After`. A longer one is shortened to this. */
const longestAskedMilliseconds = 60_000;
const firstDelayMilliseconds = 250;
const longestDelayMilliseconds = 20_000;

/** Statuses of temporary errors, which do not depend on the request. */
const temporary: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const isTemporary = (error: unknown): error is ApiError | NetworkError =>
  error instanceof NetworkError || (error instanceof ApiError && temporary.has(error.status));

/** Retries the work until it succeeds, fails with an error that is not temporary, or `maxAttempts` is reached. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { maxAttempts, onRetry }: RetryOptions,
  signals: readonly (AbortSignal | undefined)[],
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error) || attempt >= maxAttempts) throw error;
      const delay = delayAfter(attempt, error instanceof ApiError ? error.retryAfter : undefined, Math.random());
      onRetry?.({ attempt, delay, error });
      await pause(delay, ...signals);
    }
  }
}

/**
 * Milliseconds to wait after a number of failed attempts: `Retry-After`, or else exponential backoff with jitter, so that
 * clients that failed at the same time do not retry at the same time.
 *
 * @param random from 0 to 1.
 */
export function delayAfter(attempt: number, retryAfter: number | undefined, random: number): number {
  if (retryAfter !== undefined) return Math.min(retryAfter * 1000, longestAskedMilliseconds);
  const full = Math.min(firstDelayMilliseconds * 2 ** (attempt - 1), longestDelayMilliseconds);
  return full * (0.5 + random / 2);
}

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
