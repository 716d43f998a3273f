import { Area, type Transport } from './transport.ts';
import type { CallOptions, Event, EventQuery } from './types.ts';

/** The largest page that the service returns. */
const pageSize = 1000;

/** What happened in the team. */
export class Events extends Area {
  /**
   * The events from the oldest that is kept, from `since`, or after `cursor`. No request is sent before it is read.
   *
   * @example
   * const feed = client.events.feed({ types: ['journey.*', 'response.recorded'], since: '2026-03-01T00:00:00Z' });
   */
  feed(query: EventQuery = {}, { signal }: CallOptions = {}): EventFeed {
    return new EventFeed(this.transport, query, signal);
  }
}

/**
 * A loop over the events that have not been read yet. It ends when there are no more for now, and a further loop
 * continues from there. After each page `cursor` is where a later program continues: keep it once you have dealt with the
 * events. Events can repeat, always with the same `id`.
 *
 * @example
 * const feed = client.events.feed({ types: ['journey.completed'] });
 * for await (const event of feed) console.log(event);
 * console.log('continue with', feed.cursor);
 */
export class EventFeed implements AsyncIterable<Event> {
  /** The position after the last page of which every event was read. */
  cursor: string | undefined;
  readonly #transport: Transport;
  readonly #query: EventQuery;
  readonly #signal: AbortSignal | undefined;

  /** @internal */
  constructor(transport: Transport, { cursor, ...query }: EventQuery, signal: AbortSignal | undefined) {
    this.cursor = cursor;
    this.#transport = transport;
    this.#query = query;
    this.#signal = signal;
  }

  /** @throws ApiError with the status 410 if the cursor is older than the events that are kept */
  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    const { types, since, limit = pageSize } = this.#query;
    const type = types?.join();
    for (;;) {
      const query = this.cursor === undefined ? { type, since, limit } : { type, limit, cursor: this.cursor };
      const page = await this.#transport.call('GET /v1/events', { query, signal: this.#signal });
      yield* page.events;
      this.cursor = page.next_cursor;
      if (!page.has_more) return;
    }
  }
}
