/** Milliseconds after which entries of an event may be written again. */
const windowLength = 60_000;
/** Maximum number of events that are counted at the same time. Few clients are refused at the same time. */
const maxWindows = 1000;

type Window = { began: number; written: number; suppressed: number };

/**
 * Limits how many entries a function instance writes of one kind of event each minute, so that callers cannot fill the
 * audit log. Events without an entry are counted, and the next entry of the event contains the count.
 */
export class EntryLimit {
  readonly #windows = new Map<string, Window>();

  /** The number of events that an entry written now represents; `undefined` if no entry must be written. */
  countFor(event: string, perMinute: number, now: number): number | undefined {
    const window = this.#windowOf(event, now);
    if (window.written >= perMinute) {
      window.suppressed++;
      return undefined;
    }
    const count = window.suppressed + 1;
    window.written++;
    window.suppressed = 0;
    return count;
  }

  #windowOf(event: string, now: number): Window {
    const window = this.#windows.get(event);
    if (window && now - window.began < windowLength) return window;
    const next = { began: now, written: 0, suppressed: window?.suppressed ?? 0 };
    this.#windows.delete(event);
    this.#windows.set(event, next);
    if (this.#windows.size > maxWindows) this.#windows.delete(this.#windows.keys().next().value!);
    return next;
  }
}
