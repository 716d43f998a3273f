/** Milliseconds after which entries of an event may be written again. */
const windowLength = 60_000;
/** Events that are followed at once; clients that are refused at the same time are few. */
const maxWindows = 1000;

type Window = { began: number; written: number; suppressed: number };

/**
 * Limits how many entries an instance writes of one kind of event each minute, so that nobody can fill the audit log.
 * What is not written is counted, and the next entry of the event carries the count.
 */
export class EntryLimit {
  readonly #windows = new Map<string, Window>();

  /** How many events an entry written now stands for; `undefined` where none is to be written. */
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
