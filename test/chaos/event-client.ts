import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange, TeamApi } from './api.ts';
import { eventViolations } from './check-events.ts';
import { maxWaitMilliseconds } from './checker.ts';
import type { EventRead, FeedEvent } from './history.ts';

const operation = 'GET /v1/events';
const lookEvery = 500;

/** A reader of the events of one team, which keeps its cursor during the run. */
export class EventClient {
  readonly #api: TeamApi;
  #cursor: string | undefined;

  constructor(api: TeamApi) {
    this.#api = api;
  }

  /** Without a response, the same page is read the next time. */
  async read(): Promise<void> {
    const { history } = this.#api;
    for (const event of this.#kept(await this.#api.call(operation, { method: 'GET', path: this.#path() })))
      history.add(this.#readOf(event));
  }

  /** Reads on until everything is told that was read at the end. It may take as long as a fault allows. */
  async readEverything(): Promise<void> {
    const { history, team } = this.#api;
    const until = history.now() + maxWaitMilliseconds;
    for (;;) {
      for (const event of await this.#rest()) history.add(this.#readOf(event));
      const whole = (await new EventClient(this.#api).#rest()).map((event) => this.#readOf(event, true));
      const ofTeam = history.events.filter((event) => !('team' in event) || event.team === team);
      if (eventViolations(team, [...ofTeam, ...whole]).length === 0 || history.now() > until) {
        for (const read of whole) history.add(read);
        return;
      }
      await sleep(lookEvery);
    }
  }

  async #rest(): Promise<FeedEvent[]> {
    const found: FeedEvent[] = [];
    for (;;) {
      const page = this.#kept(await this.#api.read(operation, this.#path()));
      if (page.length === 0) return found;
      found.push(...page);
    }
  }

  #path(): string {
    return `/v1/events?limit=1000${this.#cursor === undefined ? '' : `&cursor=${encodeURIComponent(this.#cursor)}`}`;
  }

  #kept({ status, body }: Exchange): FeedEvent[] {
    if (status !== 200) return [];
    this.#cursor = body.next_cursor as string;
    return body.events as FeedEvent[];
  }

  #readOf(event: FeedEvent, final = false): EventRead {
    return { kind: 'event-read', team: this.#api.team, event, ...(final && { final }) };
  }
}
