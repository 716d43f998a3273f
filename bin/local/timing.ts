import { setTimeout as sleep } from 'node:timers/promises';

/** Settles as `work` does, or as `otherwise` does if the work takes longer. The wait does not keep the process alive. */
export async function within<T, U = undefined>(
  milliseconds: number,
  work: Promise<T>,
  otherwise?: () => U,
): Promise<T | U> {
  const done = new AbortController();
  const late = sleep(milliseconds, undefined as U, { signal: done.signal, ref: false });
  try {
    return await Promise.race([work, late.then(otherwise)]);
  } finally {
    done.abort();
  }
}

/**
 * Works at a fixed interval, never twice in parallel: while it takes longer, the next time is skipped.
 * @returns a function that stops it
 */
export function every(milliseconds: number, work: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isStopped = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    // What is still running at the stop can fail, because other parts have stopped already.
    await work().catch((error: unknown) => isStopped || console.error(error));
    isRunning = false;
  }, milliseconds);
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
