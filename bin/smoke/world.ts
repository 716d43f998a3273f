import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientKey } from '../../lib/domain/client-key.ts';
import type { JsonValue } from '../../lib/domain/json.ts';
import { fits } from '../../lib/http/reply.ts';
import { createClient, createKeyClient, type IssuedCredential } from '../../lib/operations/create-client.ts';
import { createTeam } from '../../lib/operations/create-team.ts';
import { fillLookups } from '../../lib/operations/fill-lookups.ts';
import { importContent } from '../../lib/operations/import-content.ts';
import { keepFile } from '../../lib/operations/team-files.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { Installation } from '../admin/installation.ts';
import type { Response } from '../checks/http.ts';
import { image, newContent, type SmokeContent } from './content.ts';
import { expect, type FunctionId } from './failure.ts';
import type { ReadLog } from './logs.ts';
import { isServed, type SmokeRequest, send } from './requests.ts';

/** Changes of the deployed functions, which only a rehearsal makes. */
export type Control = {
  /** Runs with this timeout of the function, in seconds. */
  withTimeout<T>(id: FunctionId, seconds: number, run: () => Promise<T>): Promise<T>;
  /** Runs while the function does not receive the messages of its queue. */
  withoutTrigger<T>(id: FunctionId, run: (queue: MessageQueue) => Promise<T>): Promise<T>;
};

/** `receive` returns the next visible message, in the form in which a function receives it. */
export type MessageQueue = {
  receive(): Promise<QueueMessage | undefined>;
  remove(message: QueueMessage): Promise<void>;
};
export type QueueMessage = { messageId: string; receiptHandle: string; body: string };

/** What a run can do beyond requests and the access of an administrator. */
export type Reach = {
  /** Runs a function with this event. Without it, schedules are waited for. */
  invoke?(id: FunctionId, event: object): Promise<unknown>;
  /** Changes the functions for a moment. Without it, the steps that need it are skipped. */
  control?: Control;
  /** Rotates the signing key. Without it, the rotation is not tried. */
  rotate?(): Promise<void>;
  /** Seconds that a step waits for a background function. */
  patience: number;
  /** Reads the logs of the functions, to explain a failure. */
  readLog?: ReadLog;
  /** True to skip steps that wait for a schedule. */
  skipsSchedules: boolean;
};

export type Target = { installation: Installation; baseUrl: string; reach: Reach };

export type Person = { id: string; uniqueId: string };
export type Journey = Person & { journeyId: string; slug: string };

/** Headers with which a browser loads an image of the page that it shows. Other requests record no view. */
export const asImage = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' };

/** Their rows in the directory take more than `freeScanUnits`. */
export const largePeople = 7;

/** A new team with its content and credential, and the requests of the steps. */
export class World {
  readonly installation: Installation;
  readonly baseUrl: string;
  readonly reach: Reach;
  readonly teamId: string;
  readonly credential: IssuedCredential;
  readonly content: SmokeContent;
  readonly fileId: string;
  /** True if the API reference is deployed. */
  readonly hasDocs: boolean;
  /** The `unique_id` values of all contacts that were created. */
  readonly people = new Set<string>();
  readonly clientIds: Set<string>;
  #token: Promise<string> | undefined;

  private constructor(
    { installation, baseUrl, reach }: Target,
    made: { credential: IssuedCredential; content: SmokeContent; fileId: string; hasDocs: boolean },
  ) {
    this.installation = installation;
    this.baseUrl = baseUrl;
    this.reach = reach;
    this.credential = made.credential;
    this.teamId = made.credential.team_id;
    this.content = made.content;
    this.fileId = made.fileId;
    this.hasDocs = made.hasDocs;
    this.clientIds = new Set([made.credential.client_id]);
  }

  /** Makes the team with the operations of the admin command. */
  static async make(target: Target): Promise<World> {
    const { installation } = target;
    const dependencies = dependenciesOn(installation.database);
    const { team_id } = await createTeam(dependencies, { name: 'Smoke test', features: [] });
    const content = newContent();
    await importContent({ ...dependencies, fits }, team_id, content.document as unknown as JsonValue);
    // The team has no client yet, so no writes can be running.
    await fillLookups({ ...dependencies, wait: sleep }, team_id);
    const credential = await createClient(dependencies, team_id, null, { name: 'smoke test' });
    const file = { content: image, type: 'image/png', name: 'smoke.png' } as const;
    const images = installation.images();
    const { file_id } = await keepFile({ ...dependencies, images }, team_id, file);
    const hasDocs = await isServed(target.baseUrl, 'get-docs');
    return new World(target, { credential, content, fileId: file_id, hasDocs });
  }

  /** Sends a request. @throws StepFailure unless the status is the expected one */
  call(id: FunctionId, request?: SmokeRequest): Promise<Response> {
    return send(this.baseUrl, id, request);
  }

  /** Sends a request with an access token of the team. */
  async api(id: FunctionId, request: SmokeRequest = {}): Promise<Response> {
    const authorization = `Bearer ${await this.#bearer()}`;
    return this.call(id, { ...request, headers: { authorization, ...request.headers } });
  }

  #bearer(): Promise<string> {
    this.#token ??= this.tokenOf(this.credential);
    this.#token.catch(() => {
      this.#token = undefined;
    });
    return this.#token;
  }

  async tokenOf({ client_id, client_secret }: IssuedCredential): Promise<string> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const response = await this.call('create-token', { body });
    return response.body.access_token;
  }

  async newClient(): Promise<IssuedCredential> {
    const made = await createClient(dependenciesOn(this.installation.database), this.teamId);
    this.clientIds.add(made.client_id);
    return made;
  }

  async newKeyClient(key: ClientKey): Promise<string> {
    const { client_id } = await createKeyClient(dependenciesOn(this.installation.database), this.teamId, [key]);
    this.clientIds.add(client_id);
    return client_id;
  }

  /** A `unique_id` that no contact has. It is erased at the end. */
  newUniqueId(): string {
    const uniqueId = `smoke-${randomUUID()}`;
    this.people.add(uniqueId);
    return uniqueId;
  }

  /** Creates contacts with this text, and with so much metadata that a search for them is counted. */
  async newLargePeople(text: string): Promise<void> {
    const meta_public = { text, filling: 'x'.repeat(15_000) };
    const contacts = Array.from({ length: largePeople }, () => ({ unique_id: this.newUniqueId(), meta_public }));
    await this.api('upsert-contacts', { body: { contacts } });
  }

  /** Creates a contact. */
  async newPerson(fields: object = {}): Promise<Person> {
    const uniqueId = this.newUniqueId();
    const { body } = await this.api('upsert-contacts', { body: { unique_id: uniqueId, ...fields }, status: 201 });
    return { id: body.id, uniqueId };
  }

  /** Starts a journey of a new contact. */
  async newJourney(fields: object = {}, template: 'open' | 'closed' = 'open'): Promise<Journey> {
    const person = await this.newPerson(fields);
    const { body } = await this.api('create-journey', {
      params: { template_id: this.content.ids[template] },
      body: { contact: { id: person.id } },
      status: 201,
    });
    return { ...person, journeyId: body.id, slug: body.slug };
  }

  /** Completes an objective of the contact. It completes a page that no request has shown since. */
  async reachObjective({ id }: Person): Promise<void> {
    await this.api('update-contact', { method: 'PATCH', params: { id }, body: { digital_banking_enrolled: 'yes' } });
  }

  /** Waits until the look returns something. @throws StepFailure if it does not in time */
  async until<T>(
    look: () => Promise<T | undefined>,
    what: string,
    functionId: FunctionId,
    seconds?: number,
  ): Promise<T> {
    for (const end = Date.now() + (seconds ?? this.reach.patience) * 1000; ; ) {
      const found = await look();
      if (found !== undefined) return found;
      expect(Date.now() < end, `${what} did not happen in ${seconds ?? this.reach.patience} seconds`, functionId);
      await sleep(100);
    }
  }
}
