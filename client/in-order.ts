import { type Conflicts, OrderedWindow } from './ordered-window.ts';
import { raced } from './waiting.ts';

/**
 * Items from memory, from a file, or from anything else that can be iterated.
 *
 * @example
 * const source: Source<AccountRecord> = readRecords('accounts.csv');
 */
export type Source<T> = Iterable<T> | AsyncIterable<T>;

/**
 * Options of `inOrder`.
 *
 * @example
 * const options: InOrderOptions<Chunk<ContactInput>> = { conflictsOf, send, atOnce: 4 };
 */
export type InOrderOptions<T> = {
  /** Decides which items must not be sent at the same time. */
  conflictsOf: (item: T) => Conflicts;
  /** Sends one item. It must reject if the item was not accepted. */
  send: (item: T) => Promise<void>;
  /** Maximum number of concurrent requests. Up to twice as many items are read from the source. */
  atOnce: number;
  /** Stops reading the source. */
  signal?: AbortSignal | undefined;
};

/**
 * Sends every item of the source, several at once. Items that conflict are sent one after the other, in their order. The
 * source is read only as fast as items are sent.
 *
 * @example
 * const conflictsOf = ({ records }: Chunk<ContactInput>) => contactConflicts(records);
 * await inOrder(chunksOf(contacts), { conflictsOf, send: (chunk) => upload(chunk.records), atOnce: 4 });
 *
 * @throws the first error of `send` or of the source, after all running requests have ended. No more are started.
 */
export async function inOrder<T>(items: Source<T>, options: InOrderOptions<T>): Promise<void> {
  const { conflictsOf, send, atOnce, signal } = options;
  const window = new OrderedWindow<T>();
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const startAll = () => {
    while (failures.length === 0 && running.size < atOnce) {
      const next = window.start();
      if (!next) return;
      const work: Promise<void> = Promise.resolve(next.item)
        .then(send)
        .then(next.accepted, (error: unknown) => void failures.push(error))
        .finally(() => {
          running.delete(work);
          startAll();
        });
      running.add(work);
    }
  };
  try {
    for await (const item of untilAborted(items, signal)) {
      window.add(item, conflictsOf(item));
      startAll();
      while (failures.length === 0 && window.size >= 2 * atOnce) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } catch (error) {
    failures.push(error);
  }
  while (running.size > 0) await Promise.race(running);
  if (failures.length > 0) throw failures[0];
}

/** The source, which fails with the signal's reason also while it waits for its next item. */
async function* untilAborted<T>(items: Source<T>, signal: AbortSignal | undefined): AsyncGenerator<T, void, undefined> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  try {
    for (;;) {
      const next = await raced(Promise.resolve(source.next()), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // After an abort, a source that is still waiting for an item closes only when the item arrives: do not wait for it.
    const closed = Promise.resolve(source.return?.());
    if (signal?.aborted) closed.catch(() => {});
    else await closed;
  }
}
