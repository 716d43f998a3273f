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
