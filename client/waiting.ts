/** Waits for the work. Rejects with the signal's reason if a signal aborts first. The work itself continues. */
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
 * Combines several signals and a timeout in one signal. `release` removes the listeners from the given signals, which
 * may live as long as the program.
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
  const expire = () => controller.abort(new DOMException(`no response within ${milliseconds} ms`, 'TimeoutError'));
  const timer = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds);
  const release = () => {
    clearTimeout(timer);
    for (const signal of given) signal.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, release };
}
