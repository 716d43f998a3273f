import { ApiError, NetworkError } from './errors.ts';
import { pause } from './waiting.ts';

export type Retry = {
  /** How many attempts have failed. */
  attempt: number;
  /** Milliseconds until the next one. */
  delay: number;
  error: ApiError | NetworkError;
};

export type RetryOptions = {
  maxAttempts: number;
  onRetry?: ((retry: Retry) => void) | undefined;
};

/** An answer that asks for more patience than this is tried sooner, and in the end thrown. */
const longestAskedMilliseconds = 60_000;
const firstDelayMilliseconds = 250;
const longestDelayMilliseconds = 20_000;

/** Answers that say nothing of the request itself. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const mayPass = (error: unknown): error is ApiError | NetworkError =>
  error instanceof NetworkError || (error instanceof ApiError && passing.has(error.status));

/** Does the work until it succeeds, fails for a reason that will not pass, or has been tried often enough. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { maxAttempts, onRetry }: RetryOptions,
  signals: readonly (AbortSignal | undefined)[],
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || attempt >= maxAttempts) throw error;
      const delay = delayAfter(attempt, error instanceof ApiError ? error.retryAfter : undefined, Math.random());
      onRetry?.({ attempt, delay, error });
      await pause(delay, ...signals);
    }
  }
}

/**
 * Milliseconds to wait after so many failed attempts: what the service asks for, else about twice as long each time,
 * scattered so that callers that failed together do not come back together.
 *
 * @param random from 0 to 1.
 */
export function delayAfter(attempt: number, retryAfter: number | undefined, random: number): number {
  if (retryAfter !== undefined) return Math.min(retryAfter * 1000, longestAskedMilliseconds);
  const full = Math.min(firstDelayMilliseconds * 2 ** (attempt - 1), longestDelayMilliseconds);
  return full * (0.5 + random / 2);
}
