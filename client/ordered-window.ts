/** What decides whether two items may be under way at the same time. */
export type Conflicts = {
  /** Items that share one of these are sent in their order. */
  inOrder: Iterable<string>;
  /** Only the first item with one of these matters: once it was accepted, the rest go as they like. */
  firstDecides?: Iterable<string>;
};

type Entry<T> = { item: T; inOrder: Set<string>; firstDecides: Set<string>; running: boolean };

/** Forgetting that a first was accepted costs waiting, never order. */
const remembered = 100_000;

/**
 * Items in their order, of which several may be under way at once, but never two that conflict: an item waits for
 * every earlier one that it conflicts with, whether that one is under way or waits itself. Others overtake it.
 */
export class OrderedWindow<T> {
  #entries: Entry<T>[] = [];
  readonly #decided = new Set<string>();

  /** How many items are under way or wait. */
  get size(): number {
    return this.#entries.length;
  }

  add(item: T, { inOrder, firstDecides = [] }: Conflicts): void {
    // The two kinds are apart: an account may be numbered as a product is coded.
    this.#entries.push({
      item,
      inOrder: new Set(Array.from(inOrder, (key) => `=${key}`)),
      firstDecides: new Set(Array.from(firstDecides, (key) => `1${key}`)),
      running: false,
    });
  }

  /** The first item that may start, which is under way from then on; `undefined` while all have to wait. */
  start(): { item: T; accepted(): void } | undefined {
    const before = new Set<string>();
    for (const entry of this.#entries) {
      const held = this.#held(entry);
      if (!entry.running && held.every((key) => !before.has(key))) {
        entry.running = true;
        return { item: entry.item, accepted: () => this.#accept(entry) };
      }
      for (const key of held) before.add(key);
    }
    return undefined;
  }

  /** The keys by which later items have to wait for this one. */
  #held({ inOrder, firstDecides }: Entry<T>): string[] {
    return [...inOrder, ...[...firstDecides].filter((key) => !this.#decided.has(key))];
  }

  #accept(entry: Entry<T>): void {
    this.#entries = this.#entries.filter((each) => each !== entry);
    if (this.#decided.size > remembered) this.#decided.clear();
    for (const key of entry.firstDecides) this.#decided.add(key);
  }
}
