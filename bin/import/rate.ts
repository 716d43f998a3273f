const window = 20_000;

/** Rows a second over the last 20 seconds, and the remaining time at that rate. */
export class Rate {
  readonly #samples: { at: number; done: number }[] = [];

  note(done: number, at: number): void {
    const last = this.#samples.at(-1);
    if (last && at - last.at < 200) last.done = done;
    else this.#samples.push({ at, done });
    while (this.#samples.length > 2 && at - this.#samples[0]!.at > window) this.#samples.shift();
  }

  /** `undefined` until samples span a second. */
  perSecond(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at - first.at < 1000) return undefined;
    return (1000 * (last.done - first.done)) / (last.at - first.at);
  }

  secondsFor(rows: number): number | undefined {
    const rate = this.perSecond();
    return rate ? rows / rate : undefined;
  }
}
