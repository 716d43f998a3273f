import { randomUUID } from 'node:crypto';
import type { Random } from '../support/random.ts';
import { type Exchange, patienceOf, type TeamApi, untilTaken } from './api.ts';
import type { JourneyWrite, OfJourney } from './history.ts';

const journeysInUse = 6;
const answersToOneJourney = 60;

/** The template of the journeys: one page that is completed by consent to its block. */
export const newCampaign = () => ({ templateId: randomUUID(), pageId: randomUUID(), blockId: randomUUID() });
export type Campaign = ReturnType<typeof newCampaign>;

/** The content as the administrator imports it. */
export function contentOf({ templateId, pageId, blockId }: Campaign): object {
  const block = { id: blockId, type: 'agreement', data: { agreementText: 'I agree', disagreeText: 'I do not' } };
  const page = { id: pageId, content_name: 'Terms', completion_condition: 'confirm', content_blocks: [block] };
  return { templates: [{ id: templateId, name: 'Welcome', template_pages: [{ order: 1, page }] }] };
}

type Journey = { contact: string; answers: number; id?: string; slug?: string; contactId?: string | undefined };

/** The journeys of one team: started by parallel clients, answered by persons, and read. */
export class JourneyClient {
  readonly #api: TeamApi;
  readonly #campaign: Campaign;
  readonly #random: Random;
  readonly #newWrite: () => string;
  readonly #isOver: () => boolean;
  readonly #inUse: Journey[] = [];
  readonly #all: Journey[] = [];

  constructor(api: TeamApi, campaign: Campaign, random: Random, newWrite: () => string, isOver: () => boolean) {
    this.#api = api;
    this.#campaign = campaign;
    this.#random = random;
    this.#newWrite = newWrite;
    this.#isOver = isOver;
  }

  /** Several clients start one journey at the same time. */
  async start(): Promise<void> {
    const journey: Journey = { contact: `j${this.#all.length}`, answers: 0 };
    this.#all.push(journey);
    const clients = Array.from({ length: this.#random.between(1, 3) });
    await Promise.all(clients.map(() => this.#startUntilTaken(journey)));
    this.#inUse[this.#all.length % journeysInUse] = journey;
  }

  async answer(): Promise<void> {
    const journey = this.#started();
    if (!journey || journey.answers > answersToOneJourney) return;
    const accepts = this.#random.chance(0.3);
    const answer = accepts ? 'accepted' : 'declined';
    const { pageId: page_id, blockId: block_id } = this.#campaign;
    await this.#untilTaken(async () => {
      journey.answers++;
      const write = this.#begin(journey, { kind: 'answer', accepts });
      const body = { type: 'page_completed', page_id, answers: [{ block_id, answer, typed_name: write }] };
      const exchange = await this.#send('POST /j/:slug/actions', `/j/${journey.slug}/actions`, body);
      this.#record(write, exchange);
      return exchange;
    });
  }

  async read(): Promise<void> {
    const journey = this.#started();
    if (journey) await this.#read(journey);
  }

  async readEverything(): Promise<void> {
    for (const journey of this.#all) if (journey.id !== undefined) await this.#read(journey, true);
  }

  async #startUntilTaken(journey: Journey): Promise<void> {
    const operation = 'POST /v1/templates/:id/journeys';
    await this.#untilTaken(async () => {
      const write = this.#begin(journey, { kind: 'start' });
      const body = { contact: { unique_id: journey.contact } };
      const exchange = await this.#send(operation, `/v1/templates/${this.#campaign.templateId}/journeys`, body);
      this.#record(write, exchange);
      if (isTaken(exchange)) Object.assign(journey, { id: exchange.body.id, slug: exchange.body.slug });
      return exchange;
    });
  }

  #untilTaken(attempt: () => Promise<Exchange>): Promise<void> {
    return untilTaken(attempt, this.#random, this.#isOver);
  }

  #started(): Journey | undefined {
    const started = this.#inUse.filter(({ slug }) => slug !== undefined);
    return started.length === 0 ? undefined : this.#random.pick(started);
  }

  #begin({ contact }: Journey, what: JourneyWrite): string {
    const write = this.#newWrite();
    this.#api.history.add({ ...what, write, team: this.#api.team, contact });
    return write;
  }

  #send(operation: string, path: string, body: object): Promise<Exchange> {
    return this.#api.call(operation, { method: 'POST', path, body, milliseconds: patienceOf(this.#random) });
  }

  #record(write: string, exchange: Exchange): void {
    const { start, end, status, body } = exchange;
    const known = isTaken(exchange) && body ? { created: status === 201, id: body.id as string } : {};
    this.#api.history.add({ kind: 'attempt', write, start, end, status, ...known });
  }

  async #read(journey: Journey, final = false): Promise<void> {
    const get = (operation: string, path: string) =>
      final ? this.#api.read(operation, path) : this.#api.call(operation, { method: 'GET', path });
    const answers = await get('GET /v1/journeys/:id/responses', `/v1/journeys/${journey.id}/responses`);
    const { team, history } = this.#api;
    const of = ({ start, end }: Exchange): OfJourney => {
      return { team, contact: journey.contact, start, end, ...(final && { final }) };
    };
    if (answers.status === 200 || answers.status === 404) {
      const responses: Response[] = answers.body.responses ?? [];
      const shown = responses.map(({ typed_name: write, answer }) => ({ write, accepts: answer === 'accepted' }));
      history.add({ kind: 'answers-read', ...of(answers), shown });
    }
    journey.contactId ??= await this.#contactId(journey.contact);
    if (journey.contactId === undefined) return;
    const list = await get('GET /v1/journeys', `/v1/journeys?contact_id=${journey.contactId}`);
    if (list.status !== 200) return;
    const [found] = list.body as { id: string; analytics_cache: { pages_completed: string[] } }[];
    const isCompleted = found?.analytics_cache.pages_completed.includes(this.#campaign.pageId) ?? false;
    history.add({ kind: 'journey-read', ...of(list), ...(found && { id: found.id }), isCompleted });
  }

  async #contactId(contact: string): Promise<string | undefined> {
    const path = `/v1/contacts?unique_id=${contact}`;
    const { status, body } = await this.#api.call('GET /v1/contacts', { method: 'GET', path });
    return status === 200 ? body.contacts[0]?.id : undefined;
  }
}

type Response = { typed_name: string; answer: string };

const isTaken = ({ status }: Exchange) => status !== null && status < 300;
