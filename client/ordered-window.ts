/**
 * The keys that decide if two items can be in progress at the same time.
 *
 * @example
 * const conflicts: Conflicts = { inOrder: ['account 2002'], firstDecides: ['product FREE'] };
 */
export type Conflicts = {
  /** Items that share one of these keys are sent in their order. */
  inOrder: Iterable<string>;
  /** Only the first item with one of these keys must be sent first. After it was accepted, the others have no order. */
  firstDecides?: Iterable<string>;
};

type Entry<T> = { item: T; inOrder: Set<string>; firstDecides: Set<string>; running: boolean };

/** Number of accepted first keys to keep. If one is forgotten, later items wait longer, but their order stays correct. */
const remembered = 100_000;

/**
 * A queue of items. Several can be in progress at once, but never two that conflict: an item waits for every earlier
 * item that it conflicts with, also if that one is waiting too. Items without a conflict overtake it.
 *
 * @example
 * const window = new OrderedWindow<string>();
 * window.add('first', { inOrder: ['a'] });
 * const started = window.start();
 * started?.accepted();
 */
export class OrderedWindow<T> {
  #entries: Entry<T>[] = [];
  readonly #decided = new Set<string>();

  /** Number of items that are in progress or waiting. */
  get size(): number {
    return this.#entries.length;
  }

  /** Adds an item at the end. */
  add(item: T, { inOrder, firstDecides = [] }: Conflicts): void {
    // The prefixes keep the two kinds apart: an account number can be equal to a product code.
    this.#entries.push({
      item,
      inOrder: new Set(Array.from(inOrder, (key) => `=${key}`)),
      firstDecides: new Set(Array.from(firstDecides, (key) => `1${key}`)),
      running: false,
    });
  }

  /** Starts the first item that can start. `undefined` if all items must wait. */
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

  /** The keys for which later items must wait for this one. */
  #held({ inOrder, firstDecides }: Entry<T>): string[] {
    return [...inOrder, ...[...firstDecides].filter((key) => !this.#decided.has(key))];
  }

  #accept(entry: Entry<T>): void {
    this.#entries = this.#entries.filter((each) => each !== entry);
    if (this.#decided.size > remembered) this.#decided.clear();
    for (const key of entry.firstDecides) this.#decided.add(key);
  }
}
