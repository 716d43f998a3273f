/** Ctrl-C: once to finish what is under way, twice to end at once. */
export type Stop = {
  /** Nothing new is begun. */
  asked: AbortSignal;
  /** Nothing is waited for. */
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
