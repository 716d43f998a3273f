import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { ServiceEvent } from '../domain/event.ts';
import { chunksOf } from './database.ts';
import { IncompleteResponse, isTransientCode, LeftUndone, WriteRefused } from './errors.ts';
import { type Backoff, defaultBackoff, RetryQuota, retrying } from './retrying.ts';

/** The `source` of every event on the bus. */
const source = 'onboarding';
/** The limit of one request. */
const entriesPerRequest = 10;

/** An EventBridge bus that gets all events (contract, section 12). It keeps no order. */
export class EventBus {
  readonly #client: EventBridgeClient;
  readonly #name: string;
  readonly #backoff: Backoff;
  readonly #quota = new RetryQuota();

  /** @param name of the bus, or its ARN */
  constructor(name: string, client: EventBridgeClient, backoff: Backoff = defaultBackoff) {
    this.#name = name;
    this.#client = client;
    this.#backoff = backoff;
  }

  /** @throws StoreUnavailable if some of them could not be put. Repeat all: they keep their ids. */
  async put(events: readonly ServiceEvent[]): Promise<void> {
    await Promise.all(chunksOf(events, entriesPerRequest).map((group) => this.#put(group)));
  }

  async #put(events: readonly ServiceEvent[]): Promise<void> {
    let pending = events;
    await retrying(
      'put on the event bus',
      this.#backoff,
      this.#quota,
    )(async () => {
      const entries = pending.map((event) => ({
        ...{ EventBusName: this.#name, Source: source, DetailType: event.type },
        ...{ Time: new Date(event.at), Detail: JSON.stringify(event) },
      }));
      const { Entries = [] } = await this.#client.send(new PutEventsCommand({ Entries: entries }));
      if (Entries.length !== entries.length) throw new IncompleteResponse();
      const refused = Entries.find(({ ErrorCode: code }) => code !== undefined && !isTransientCode(code));
      if (refused) throw new WriteRefused(refused.ErrorCode!);
      pending = pending.filter((_, index) => Entries[index]!.ErrorCode !== undefined);
      if (pending.length > 0) throw new LeftUndone('FailedEntryCount');
    });
  }
}
