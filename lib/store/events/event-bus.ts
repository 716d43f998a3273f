import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { ServiceEvent } from '../../domain/events/event.ts';
import { chunksOf } from '../table/database.ts';
import { IncompleteResponse, isTransientCode, LeftUndone, WriteRefused } from '../table/errors.ts';
import { type Backoff, Retries } from '../table/retrying.ts';

/** The `source` of every event on the bus. */
const source = 'onboarding';
/** The limit of one request. */
const entriesPerRequest = 10;

/** An EventBridge bus that gets all events (contract, section 12). It keeps no order. */
export class EventBus {
  readonly #client: EventBridgeClient;
  readonly #name: string;
  readonly #retries: Retries;

  /** @param name of the bus, or its ARN */
  constructor(name: string, client: EventBridgeClient, backoff?: Backoff) {
    this.#name = name;
    this.#client = client;
    this.#retries = new Retries(backoff);
  }

  /** @throws StoreUnavailable if some of them could not be put. Repeat all: they keep their ids. */
  async put(events: readonly ServiceEvent[]): Promise<void> {
    await Promise.all(chunksOf(events, entriesPerRequest).map((group) => this.#put(group)));
  }

  async #put(events: readonly ServiceEvent[]): Promise<void> {
    let pending = events;
    await this.#retries.of('put on the event bus')(async () => {
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
