import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { until } from '../until.ts';
import type { TestResponse, TestService, TestTeam } from './service.ts';

/** A team's imports as a client sends them: with HTTP, waiting until the service has applied them. */
export class Bank {
  readonly team: TestTeam;
  readonly #api: TestService;

  constructor(api: TestService, team: TestTeam) {
    this.#api = api;
    this.team = team;
  }

  static async open(api: TestService): Promise<Bank> {
    return new Bank(api, await api.newTeam());
  }

  get(path: string): Promise<TestResponse> {
    return this.#api.request('GET', path, { token: this.team.token });
  }

  /** Sends the body as JSON, or unchanged if it is a text. */
  send(body: object | string): Promise<TestResponse> {
    return this.#api.request('POST', '/v1/batches', { token: this.team.token, body });
  }

  post(request: object): Promise<TestResponse> {
    return this.send({ type: 'account', ...request });
  }

  status(batchId: string): Promise<TestResponse> {
    return this.get(`/v1/batches?batch_id=${encodeURIComponent(batchId)}`);
  }

  /** Waits until no chunk of the batch is open, and returns its status. */
  async settled(batchId: string) {
    const isSettled = ({ status, body }: TestResponse) => status !== 200 || body.status !== 'processing';
    const { status, body } = await until('no chunk of the batch is open', () => this.status(batchId), isSettled);
    expect(status).toBe(200);
    return body;
  }

  /** Imports the records as a new batch. @returns its status when it is done */
  async apply(...records: object[]) {
    const { status, body } = await this.post({ batch_id: randomUUID(), records });
    expect(status).toBe(202);
    return this.settled(body.batch_id);
  }

  /** @returns the contact's id. */
  async contact(unique_id: string, fields: object = {}): Promise<string> {
    const answer = await this.#api.request('POST', '/v1/contacts', {
      token: this.team.token,
      body: { unique_id, ...fields },
    });
    return answer.body.id;
  }

  async accounts(contactId: string) {
    const { status, body } = await this.get(`/v1/contacts/${contactId}/accounts`);
    expect(status).toBe(200);
    return body;
  }
}
