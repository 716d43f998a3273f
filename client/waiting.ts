/** What the work gives, or the reason of the first of the signals that aborts. The work itself goes on. */
export function raced<T>(work: Promise<T>, ...signals: (AbortSignal | undefined)[]): Promise<T> {
  const { signal, release } = joined(signals);
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  return Promise.race([work, aborted]).finally(release);
}

export async function pause(milliseconds: number, ...signals: (AbortSignal | undefined)[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return raced(waited, ...signals).finally(() => clearTimeout(timer));
}

/**
 * One signal for several, and for a time limit. Releasing it takes the listeners off the others again, which may live
 * as long as the program.
 */
export function joined(
  signals: readonly (AbortSignal | undefined)[],
  milliseconds?: number,
): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const given = signals.filter((signal) => signal !== undefined);
  const abort = () => controller.abort(given.find(({ aborted }) => aborted)?.reason);
  for (const signal of given) signal.addEventListener('abort', abort);
  if (given.some(({ aborted }) => aborted)) abort();
  const expire = () => controller.abort(new DOMException(`no answer in ${milliseconds} ms`, 'TimeoutError'));
  const timer = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds);
  const release = () => {
    clearTimeout(timer);
    for (const signal of given) signal.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, release };
}
