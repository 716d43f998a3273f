/**
 * Settles as `work` does, or as `otherwise` does if the work takes longer. The wait does not keep the process alive. It
 * is a plain timer, because each request has two: to abort a signal makes an error with a stack.
 */
export async function within<T, U = undefined>(
  milliseconds: number,
  work: Promise<T>,
  otherwise?: () => U,
): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<U>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined as U).unref();
  });
  try {
    return await Promise.race([work, late.then(otherwise)]);
  } finally {
    clearTimeout(timer);
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
