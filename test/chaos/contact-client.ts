import type { Random } from '../support/random.ts';
import { type Exchange, patienceOf, type TeamApi, untilTaken } from './api.ts';
import type { Attempt, ContactRead, HistoryEvent } from './history.ts';

const contactsInUse = 10;
/** A contact keeps a trace of each write, and the number of keys is limited. */
const writesToOneContact = 80;
const contactFields = ['name_first', 'name_last', 'city', 's0', 's1'];
const isMeta = (field: string) => /^s\d$/.test(field);

type Work = { write: string; contact: string; fields: string[] };

/** The contacts of one team: created by parallel clients, changed one by one and in batches, and read. */
export class ContactClient {
  readonly #api: TeamApi;
  readonly #random: Random;
  readonly #isOver: () => boolean;
  readonly #newWrite: () => string;
  readonly #ids = new Map<string, string>();
  readonly #inUse: { contact: string; writes: number }[] = [];
  #count = 0;

  constructor(api: TeamApi, random: Random, newWrite: () => string, isOver: () => boolean) {
    this.#api = api;
    this.#random = random;
    this.#newWrite = newWrite;
    this.#isOver = isOver;
  }

  /** Several clients create one contact at the same time. */
  async create(): Promise<void> {
    const contact = `n${this.#count++}`;
    const clients = Array.from({ length: this.#random.between(1, 4) });
    await Promise.all(clients.map(() => this.#upsertUntilTaken(contact)));
  }

  async update(): Promise<void> {
    await this.#upsertUntilTaken(this.#contact());
  }

  async upsertBatch(): Promise<void> {
    const contacts = new Set(Array.from({ length: this.#random.between(2, 6) }, () => this.#contact()));
    await this.#untilTaken(async () => {
      const works = [...contacts].map((contact) => this.#begin(contact));
      const body = { contacts: works.map(bodyOf) };
      const exchange = await this.#send('POST /v1/contacts (batch)', '/v1/contacts', 'POST', body);
      this.#recordBatch(works, exchange);
      return exchange;
    });
  }

  /** The read must contain all writes that were acknowledged before it. */
  async read(): Promise<void> {
    const known = [...this.#ids.entries()];
    if (known.length === 0) return;
    const [contact, id] = this.#random.pick(known.slice(-2 * contactsInUse));
    const path = `/v1/contacts/${id}`;
    const exchange = await this.#api.call('GET /v1/contacts/:id', { method: 'GET', path });
    if (exchange.status === 200 || exchange.status === 404) {
      this.#api.history.add(contactRead(this.#api.team, contact, exchange));
    }
  }

  #untilTaken(attempt: () => Promise<Exchange>): Promise<void> {
    return untilTaken(attempt, this.#random, this.#isOver);
  }

  #upsertUntilTaken(contact: string): Promise<void> {
    return this.#untilTaken(async () => {
      const work = this.#begin(contact);
      const id = this.#ids.get(contact);
      // Both requests do the same.
      const exchange =
        id !== undefined && this.#random.chance(0.4)
          ? await this.#send('PATCH /v1/contacts/:id', `/v1/contacts/${id}`, 'PATCH', bodyOf(work))
          : await this.#send('POST /v1/contacts', '/v1/contacts', 'POST', bodyOf(work));
      this.#record(work, exchange, exchange.status === 201, exchange.body);
      return exchange;
    });
  }

  #begin(contact: string): Work {
    const work = { write: this.#newWrite(), contact, fields: this.#random.some(contactFields) };
    this.#api.history.add({ kind: 'contact', team: this.#api.team, ...work });
    return work;
  }

  #send(operation: string, path: string, method: string, body: object): Promise<Exchange> {
    return this.#api.call(operation, { method, path, body, milliseconds: patienceOf(this.#random) });
  }

  #recordBatch(works: readonly Work[], exchange: Exchange): void {
    type Listed = (ContactBody & { unique_id: string })[];
    const { new_contacts: created = [], existing_contacts: existing = [] } = (exchange.body ?? {}) as Partial<
      Record<'new_contacts' | 'existing_contacts', Listed>
    >;
    for (const work of works) {
      const isOfWork = ({ unique_id }: { unique_id: string }) => unique_id === work.contact;
      const body = [...created, ...existing].find(isOfWork);
      this.#record(work, exchange, created.some(isOfWork), body);
    }
  }

  #record(
    { write, contact }: Work,
    { start, end, status }: Exchange,
    created: boolean,
    body: ContactBody | undefined,
  ): void {
    const attempt: Attempt = { kind: 'attempt', write, start, end, status };
    if (status === 200 || status === 201) {
      attempt.created = created;
      if (body) {
        attempt.id = body.id;
        attempt.shown = shownIn(body);
        this.#ids.set(contact, body.id);
      }
    }
    this.#api.history.add(attempt);
  }

  #contact(): string {
    const place = this.#random.between(0, contactsInUse - 1);
    const present = this.#inUse[place];
    const used = present && present.writes < writesToOneContact ? present : { contact: `n${this.#count++}`, writes: 0 };
    used.writes++;
    this.#inUse[place] = used;
    return used.contact;
  }
}

function bodyOf({ write, contact, fields }: Work): object {
  const meta = fields.filter(isMeta).map((field) => [field, write]);
  const own = fields.filter((field) => !isMeta(field)).map((field) => [field, write]);
  return {
    unique_id: contact,
    ...Object.fromEntries(own),
    meta_public: { [write]: 1, ...Object.fromEntries(meta) },
  };
}

/** A response in the form of the history. */
export function contactRead(team: string, contact: string, exchange: Exchange, final = false): HistoryEvent {
  const { start, end, status, body } = exchange;
  return {
    ...{ kind: 'contact-read', team, contact, start, end, status: status ?? 0 },
    ...(status === 200 && { id: body.id as string }),
    ...shownIn(status === 200 ? body : {}),
    ...(final && { final }),
  };
}

type ContactBody = { id: string; meta_public: Record<string, unknown> | null } & Record<string, unknown>;

/** The traces in a contact, and the last writer of each field. */
function shownIn(body: Partial<ContactBody>): Pick<ContactRead, 'traces' | 'fields'> {
  const meta = body.meta_public ?? {};
  const present = contactFields.map((field) => [field, isMeta(field) ? meta[field] : body[field]]);
  return {
    traces: Object.keys(meta).filter((key) => /^w\d+$/.test(key)),
    fields: Object.fromEntries(present.filter(([, value]) => typeof value === 'string')),
  };
}
