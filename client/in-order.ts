import { type Conflicts, OrderedWindow } from './ordered-window.ts';
import { raced } from './waiting.ts';

export type Source<T> = Iterable<T> | AsyncIterable<T>;

export type InOrderOptions<T> = {
  /** Which items must not be under way at the same time. */
  conflictsOf: (item: T) => Conflicts;
  send: (item: T) => Promise<void>;
  /** How many are under way at most; as many again are taken from the source ahead of time. */
  atOnce: number;
  signal?: AbortSignal | undefined;
};

/**
 * Sends every item of the source, several at once, but those that conflict one after the other, in their order. The
 * source is asked for more only as the window moves on.
 *
 * @throws what the first failing `send` threw: nothing more is started then, and what is under way has ended.
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

/** The source, but for that it ends by the signal's reason even while it has nothing to give. */
async function* untilAborted<T>(items: Source<T>, signal: AbortSignal | undefined): AsyncGenerator<T, void, undefined> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  try {
    for (;;) {
      const next = await raced(Promise.resolve(source.next()), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // A source that is still to give something closes after that, whenever it comes.
    const closed = Promise.resolve(source.return?.());
    if (signal?.aborted) closed.catch(() => {});
    else await closed;
  }
}
