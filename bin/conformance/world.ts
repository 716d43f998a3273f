import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonValue } from '../../lib/domain/json.ts';
import type { Scope } from '../../lib/domain/scope.ts';
import type { TeamFeature } from '../../lib/domain/team.ts';
import { fits } from '../../lib/http/reply.ts';
import { createClient, type IssuedCredential } from '../../lib/operations/create-client.ts';
import { createTeam } from '../../lib/operations/create-team.ts';
import { fillLookups } from '../../lib/operations/fill-lookups.ts';
import { importContent } from '../../lib/operations/import-content.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { Installation } from '../admin/installation.ts';
import { type Body, type Headed, type Json, type Request, type Response, send } from '../checks/http.ts';
import { type CampaignIds, campaigns, featured } from './content.ts';
import { Mismatch } from './mismatch.ts';

export type Target = { installation: Installation; baseUrl: string };

/** Seconds that a check waits for something that happens in the background. */
const patience = 60;

/** A throw-away team, with requests as a partner of that team sends them. */
export class Team {
  readonly installation: Installation;
  readonly baseUrl: string;
  readonly teamId: string;
  readonly credential: IssuedCredential;
  readonly clientIds = new Set<string>();
  #token: Promise<string> | undefined;

  private constructor({ installation, baseUrl }: Target, credential: IssuedCredential) {
    this.installation = installation;
    this.baseUrl = baseUrl;
    this.credential = credential;
    this.teamId = credential.team_id;
    this.clientIds.add(credential.client_id);
  }

  /** Makes the team with the operations of the admin command. It is a sandbox, so that all its data can be deleted. */
  static async make(target: Target, features: readonly TeamFeature[], document: object): Promise<Team> {
    const dependencies = dependenciesOn(target.installation.database);
    const { team_id } = await createTeam(dependencies, { name: 'Conformance', features, sandbox: true });
    await importContent({ ...dependencies, fits }, team_id, document as JsonValue);
    // The team has no client yet, so no writes can be running.
    await fillLookups({ ...dependencies, wait: sleep }, team_id);
    return new Team(target, await createClient(dependencies, team_id, null, { name: 'conformance' }));
  }

  /** Sends a request without a token. @throws Mismatch unless the status is the expected one */
  async open(status: number, request: Request, body?: Body, headers: Headed = {}): Promise<Response> {
    const response = await send(this.baseUrl, request, body, headers);
    if (response.status === status) return response;
    throw new Mismatch(`${request} responded ${response.status}, not ${status}: ${response.text.slice(0, 200)}`);
  }

  /** Sends a request with an access token of the team. */
  async call(status: number, request: Request, body?: Body, headers: Headed = {}): Promise<Response> {
    return this.open(status, request, body, { authorization: `Bearer ${await this.token()}`, ...headers });
  }

  token(): Promise<string> {
    this.#token ??= this.tokenOf(this.credential);
    return this.#token;
  }

  async tokenOf({ client_id, client_secret }: IssuedCredential): Promise<string> {
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    return (await this.open(200, 'POST /oauth2/token', form)).body.access_token;
  }

  /** The header of a token that holds only these scopes. */
  async limitedTo(...scopes: Scope[]): Promise<Headed> {
    const { client_id, client_secret } = this.credential;
    const grant = { grant_type: 'client_credentials', client_id, client_secret, scope: scopes.join(' ') };
    const { body } = await this.open(200, 'POST /oauth2/token', new URLSearchParams(grant));
    return { authorization: `Bearer ${body.access_token}` };
  }

  async newClient(): Promise<IssuedCredential> {
    const made = await createClient(dependenciesOn(this.installation.database), this.teamId);
    this.clientIds.add(made.client_id);
    return made;
  }

  /** A `unique_id` that no contact has. */
  newId(ending = ''): string {
    return `conformance-${randomUUID()}${ending}`;
  }

  /** Creates a contact and returns it. */
  async contact(fields: object = {}): Promise<Json> {
    return (await this.call(201, 'POST /v1/contacts', { unique_id: this.newId(), ...fields })).body;
  }

  /** Starts a journey of a new contact. */
  async journey(templateId: string, fields: object = {}, journey: object = {}): Promise<Json> {
    const contact = await this.contact(fields);
    const request = { contact: { id: contact.id }, ...journey };
    const { body } = await this.call(201, `POST /v1/templates/${templateId}/journeys`, request);
    return { ...body, contact };
  }

  /** Journeys of the contact as the API lists them. */
  async journeysOf({ id }: { id: string }): Promise<Json[]> {
    return (await this.call(200, `GET /v1/journeys?contact_id=${id}`)).body;
  }

  /** Imports records and waits until they are applied. Returns the status of the batch. */
  async imported(records: readonly object[], request: object = {}): Promise<Json> {
    const { body } = await this.call(202, 'POST /v1/batches', { type: 'accounts', records, ...request });
    return this.finished(body.batch_id);
  }

  async finished(batchId: string): Promise<Json> {
    return eventually(async () => {
      const { body } = await this.call(200, `GET /v1/batches/${encodeURIComponent(batchId)}`);
      if (body.status === 'processing') throw new Mismatch(`the batch ${batchId} is still processing`);
      return body;
    });
  }

  async accountsOf({ id }: { id: string }): Promise<Json[]> {
    return (await this.call(200, `GET /v1/contacts/${id}/accounts`)).body;
  }
}

/** Repeats a check until it passes: lists and search can be behind writes by a moment. */
export async function eventually<T>(check: () => Promise<T>, seconds = patience): Promise<T> {
  for (const end = Date.now() + seconds * 1000; ; await sleep(100)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** The teams of a run and the ids of their content. */
export type World = {
  team: Team;
  /** A team with both reporting features. It is also the other team that a request must not reach. */
  featured: Team;
  ids: CampaignIds;
  featuredIds: ReturnType<typeof featured>['ids'];
};

export async function makeWorld(target: Target): Promise<World> {
  const [own, other] = [campaigns(), featured()];
  const features = ['product_objective_reporting', 'product_objective_reporting_phase_2'] as const;
  const [team, second] = [await Team.make(target, [], own.document), await Team.make(target, features, other.document)];
  return { team, featured: second, ids: own.ids, featuredIds: other.ids };
}
