import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { createClient } from '../../bin/admin/operations/clients.ts';
import { createTeam } from '../../bin/admin/operations/teams.ts';
import type { LocalDescription } from '../../bin/local/description.ts';
import { newSecret } from '../../lib/auth/secrets.ts';
import { DynamoDatabase } from '../../lib/store/dynamodb.ts';
import { engineClient } from './engine.ts';
import { description, launchService, type ServiceOptions, type ServiceProcess } from './process.ts';

export type TestResponse = {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text if it is not JSON, or `undefined` if there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses whose shape they test
  body: any;
};

export type TestRequest = {
  /** Sent as JSON, unless it is a string or bytes. */
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
};

export type TestTeam = { teamId: string; clientId: string; clientSecret: string; token: string };

/** A running local service as tests use it. */
export class TestService {
  readonly local: LocalDescription;
  readonly database: DynamoDatabase;
  readonly #client: DynamoDBDocumentClient;

  constructor(local: LocalDescription) {
    this.local = local;
    this.#client = engineClient(local.dynamodb_endpoint);
    this.database = new DynamoDatabase({ tableName: local.table_name, client: this.#client });
  }

  get baseUrl(): string {
    return this.local.base_url;
  }

  async request(method: string, path: string, { body, token, headers = {} }: TestRequest = {}): Promise<TestResponse> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: (isRaw ? body : JSON.stringify(body)) as string | Uint8Array<ArrayBuffer> }),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
    };
  }

  /** A new team for one test, with one credential and a token that is valid for the whole run. */
  async newTeam(features: Parameters<typeof createTeam>[1]['features'] = []): Promise<TestTeam> {
    const { database } = this;
    const dependencies = { database, now: Date.now, newId: () => crypto.randomUUID(), newSecret };
    const team = await createTeam(dependencies, { name: 'Test', features });
    const credential = await createClient(dependencies, team.team_id);
    const { client_id: clientId, client_secret: clientSecret } = credential;
    return { teamId: team.team_id, clientId, clientSecret, token: await this.tokenFor(clientId, clientSecret) };
  }

  async tokenFor(clientId: string, clientSecret: string): Promise<string> {
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const answer = await this.request('POST', '/oauth2/token', { body });
    if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.access_token;
  }
}

let shared: Promise<TestService> | undefined;

/** The service that the whole run shares. Use a new team (`newTeam`), and do not stop the service. */
export function service(): Promise<TestService> {
  shared ??= description(inject('serviceDirectory')).then((local) => new TestService(local));
  return shared;
}

/** A separate service for tests that stop or kill it. The caller stops it. */
export async function startService(options: ServiceOptions = {}): Promise<TestService & { process: ServiceProcess }> {
  const process = launchService(options);
  let running = true;
  process.exited.then(() => {
    running = false;
  });
  try {
    const local = await description(process.directory, process.pid, () => running);
    return Object.assign(new TestService(local), { process });
  } catch (error) {
    process.kill('SIGKILL');
    throw new Error(`${(error as Error).message}; its output: ${process.output()}`, { cause: error });
  }
}
