import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import { type Exchange, patienceOf, type TeamApi, untilTaken } from './api.ts';
import type { Attempt, BatchCounts, SentRecord } from './history.ts';

const accountsInUse = 24;
/** An account keeps a trace of each write, and the number of keys is limited. */
const writesToOneAccount = 150;
const recordsOfPart = 500;
const maxOpenBatches = 8;
/** Longer than a proxy delays any request. */
const unsureMilliseconds = 20_000;
const products = ['P1', 'P2', 'P3', 'P4', 'P5'];
const accountFields = ['nickname', 's0', 's1', 's2'];

/** Part of each trace, because responses have no account number and the account must be identified. */
export const accountNumberField = 'n';
export const linkField = (contact: string) => `role@${contact}`;

/** The uploads of one team: chunks with a pair, and requests that the service splits. */
export class ImportClient {
  readonly #api: TeamApi;
  readonly #random: Random;
  readonly #isOver: () => boolean;
  readonly #newWrite: () => string;
  readonly #open = new Set<string>();
  /** Uploads whose senders do not know whether they were accepted. */
  readonly #unsure = new Map<string, number>();
  readonly #generation = new Map<number, { number: number; writes: number }>();
  readonly batches = new Set<string>();
  #pairs: { batch: string; next: number; left: number } | undefined;
  #batchCount = 0;

  /** Once `isOver`, uploads that are not accepted yet are given up. */
  constructor(api: TeamApi, random: Random, newWrite: () => string, isOver: () => boolean) {
    this.#api = api;
    this.#random = random;
    this.#newWrite = newWrite;
    this.#isOver = isOver;
  }

  /** True if many chunks are open. More would only be a backlog at the end. */
  get isFull(): boolean {
    return this.#open.size >= maxOpenBatches;
  }

  /** A chunk with a pair, sent by one or several clients in parallel, each until it is accepted. */
  async sendPair(): Promise<void> {
    const { batch, index } = this.#nextPair();
    const records = this.#records(this.#random.between(1, 40));
    const write = this.#begin(batch, index, records);
    const body = bodyOf(write, batch, index, records);
    const senders = this.#random.weighted({ 1: 6, 2: 2, 3: 2 });
    await Promise.all(Array.from({ length: Number(senders) }, () => this.#sendUntilTaken(write, batch, body)));
    if (!this.#random.chance(0.1)) return;
    await sleep(this.#random.between(500, 4000));
    await this.#sendUntilTaken(write, batch, body);
  }

  /** Without `chunk_index` each attempt is a separate upload, here with its own batch. */
  async sendUpload(): Promise<void> {
    const size = this.#random.weighted({ 30: 4, 900: 4, 2000: 1 });
    const count = this.#random.between(1, Number(size));
    await this.#untilTaken(async () => {
      const batch = this.#newBatch('u');
      const records = this.#uploadRecords(count, batch);
      const write = this.#begin(batch, null, records);
      const exchange = await this.#send(write, batch, bodyOf(write, batch, null, records));
      if (exchange.status !== 202) this.#unsure.set(batch, exchange.end);
      return exchange;
    });
  }

  /** Reads the status of open batches, and of those that may be open. */
  async look(): Promise<void> {
    for (const batch of [...this.#open, ...this.#unsure.keys()]) await this.readBatch(batch);
  }

  get open(): ReadonlySet<string> {
    return this.#open;
  }

  async readBatch(batch: string, final = false): Promise<void> {
    const { team, history } = this.#api;
    const path = `/v1/batches/${batch}`;
    const exchange = final
      ? await this.#api.read('GET /v1/batches/:id', path)
      : await this.#api.call('GET /v1/batches/:id', { method: 'GET', path });
    const { start, end, status, body } = exchange;
    if (status !== 200 && status !== 404) return;
    const counts = status === 200 ? countsOf(body) : undefined;
    history.add({
      ...{ kind: 'batch-read', team, batch, start, end, status },
      ...(counts && { counts }),
      ...(final && { final }),
    });
    // A batch that is still unknown some time after its request was not accepted.
    const sent = this.#unsure.get(batch) ?? 0;
    if (counts || start - sent > unsureMilliseconds) this.#unsure.delete(batch);
    if (!counts) return;
    if (counts.status === 'processing') this.#open.add(batch);
    else this.#open.delete(batch);
  }

  #begin(batch: string, index: number | null, records: SentRecord[]): string {
    const write = this.#newWrite();
    this.batches.add(batch);
    this.#api.history.add({ kind: 'chunk', write, team: this.#api.team, batch, index, records });
    return write;
  }

  async #sendUntilTaken(write: string, batch: string, body: object): Promise<void> {
    await sleep(this.#random.between(0, 50));
    await this.#untilTaken(() => this.#send(write, batch, body));
  }

  #untilTaken(attempt: () => Promise<Exchange>): Promise<void> {
    return untilTaken(attempt, this.#random, this.#isOver);
  }

  async #send(write: string, batch: string, body: object): Promise<Exchange> {
    const call = { method: 'POST', path: '/v1/batches', body, milliseconds: patienceOf(this.#random) };
    const exchange = await this.#api.call('POST /v1/batches', call);
    const { start, end, status, body: response } = exchange;
    const attempt: Attempt = { kind: 'attempt', write, start, end, status };
    if (status === 202) {
      attempt.duplicate = response.duplicate;
      if (response.redriven) attempt.redriven = true;
      this.#open.add(batch);
    }
    this.#api.history.add(attempt);
    return exchange;
  }

  #nextPair(): { batch: string; index: number } {
    if (!this.#pairs || this.#pairs.left === 0) {
      this.#pairs = { batch: this.#newBatch('p'), next: 0, left: this.#random.between(1, 8) };
    }
    this.#pairs.left--;
    return { batch: this.#pairs.batch, index: this.#pairs.next++ };
  }

  #newBatch(kind: 'p' | 'u'): string {
    return `${kind}${this.#batchCount++}`;
  }

  #records(count: number): SentRecord[] {
    return Array.from({ length: count }, () => {
      const account = this.#account();
      const contact = `l-${account}-${this.#random.pick(['x', 'y'])}`;
      return { account, contact, fields: this.#random.some([...accountFields, linkField(contact)]) };
    });
  }

  /** Its own accounts, and some that are shared with other chunks of the team. */
  #uploadRecords(count: number, batch: string): SentRecord[] {
    const shared = this.#records(4);
    return Array.from({ length: count }, (_, place) => {
      const inPart = place % recordsOfPart;
      const sharedOne = shared[inPart];
      if (sharedOne) return sharedOne;
      return { account: `${batch}-${place}`, contact: `f-${batch}`, fields: ['nickname'] };
    });
  }

  #account(): string {
    const place = this.#random.between(0, accountsInUse - 1);
    const { number, writes } = this.#generation.get(place) ?? { number: 0, writes: 0 };
    const next = writes + 1 < writesToOneAccount ? { number, writes: writes + 1 } : { number: number + 1, writes: 0 };
    this.#generation.set(place, next);
    return `a${place}.${number}`;
  }
}

function bodyOf(write: string, batch: string, index: number | null, records: readonly SentRecord[]): object {
  return {
    type: 'accounts',
    batch_id: batch,
    ...(index === null ? {} : { chunk_index: index }),
    records: records.map((record, place) => recordOf(write, place, record)),
  };
}

function recordOf(write: string, place: number, { account, contact, fields }: SentRecord): object {
  const value = `${write}.${place}`;
  const meta = fields.filter((field) => /^s\d$/.test(field)).map((field) => [field, value]);
  return {
    account_number: account,
    product: { code: products[account.length % products.length], type: 'checking' },
    contact: { unique_id: contact, ...(fields.includes(linkField(contact)) && { role: value }) },
    ...(fields.includes('nickname') && { nickname: value }),
    meta_public: { [accountNumberField]: account, [write]: 1, ...Object.fromEntries(meta) },
  };
}

const countsOf = ({ status, chunks, records }: BatchCounts): BatchCounts => ({ status, chunks, records });
