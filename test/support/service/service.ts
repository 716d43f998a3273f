import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import type { LocalDescription } from '../../../bin/local/description.ts';
import type { TeamFeature } from '../../../lib/domain/teams/team.ts';
import { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { engineClient } from '../engine/engine.ts';
import { send, type TestRequest, type TestResponse, tokenOf } from '../http/send.ts';
import { type Credential, newCredential, newTeam } from '../operations/teams.ts';
import { description, launchService, type ServiceOptions, type ServiceProcess } from './process.ts';

export type { TestRequest, TestResponse };
export type TestTeam = Credential & { teamId: string; token: string };

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

  request(method: string, path: string, request?: TestRequest): Promise<TestResponse> {
    return send(this.baseUrl, method, path, request);
  }

  /** A new team for one test, with one credential and a token that is valid for the whole run. */
  async newTeam(features?: readonly TeamFeature[]): Promise<TestTeam> {
    const teamId = await newTeam(this.database, features);
    const credential = await newCredential(this.database, teamId);
    return { teamId, ...credential, token: await tokenOf(this.baseUrl, credential) };
  }

  tokenFor(clientId: string, clientSecret: string): Promise<string> {
    return tokenOf(this.baseUrl, { clientId, clientSecret });
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
