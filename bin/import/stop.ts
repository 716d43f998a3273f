/** The first Ctrl-C waits for running requests, the second stops at once. */
export type Stop = {
  /** Aborted by the first Ctrl-C: no new request is started. */
  asked: AbortSignal;
  /** Aborted by the second Ctrl-C: running requests are aborted. */
  now: AbortSignal;
  release(): void;
};

export function stopOnSignals(onAsked: () => void): Stop {
  const asked = new AbortController();
  const now = new AbortController();
  const listen = () => {
    if (asked.signal.aborted) return now.abort(new DOMException('interrupted', 'AbortError'));
    asked.abort(new DOMException('interrupted', 'AbortError'));
    onAsked();
  };
  process.on('SIGINT', listen).on('SIGTERM', listen);
  const release = () => void process.off('SIGINT', listen).off('SIGTERM', listen);
  return { asked: asked.signal, now: now.signal, release };
}
