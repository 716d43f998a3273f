import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ContentIds, documentOf, newIds, otherDocument } from './content.ts';
import { holds, NotChecked, same } from './expect.ts';
import {
  type Body,
  eventually,
  type Headed,
  holdsCommonRules,
  type Json,
  pathsOf,
  type Request,
  type Response,
  send,
} from './http.ts';

export type Credential = { client_id: string; client_secret: string; team_id?: string };

/** Runs the administrator's command with `--json`. Its standard input is `input`. */
export type Admin = (args: readonly string[], input: string) => Promise<{ status: number; stdout: string }>;

/** Where the service is, and how the administrator's command is called, if there is one. */
export type Target = {
  baseUrl: string;
  /** Whether this is a deployed stack, also in an emulator on this machine. */
  isStack?: true;
  credential?: Credential;
  admin?: Admin;
  /** Writes an object into the drop box, if this run can. */
  drop?(key: string, text: string): Promise<void>;
  /** Whether checks that wait for minutes are left out. */
  skipsWaits: boolean;
};

/** The running local service of this folder. */
export function localTarget(directory: string, admin: Admin): Omit<Target, 'skipsWaits'> {
  const { base_url, drop_box_folder } = JSON.parse(readFileSync(join(directory, 'local.json'), 'utf8'));
  const drop = async (key: string, text: string) => {
    mkdirSync(dirname(join(drop_box_folder, key)), { recursive: true });
    writeFileSync(join(drop_box_folder, key), text);
  };
  return { baseUrl: base_url, admin, drop };
}

const tokenForm = ({ client_id, client_secret }: Credential, more: object = {}) =>
  new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, ...more });

/** A team, with requests as a partner of that team sends them. */
export class Team {
  readonly baseUrl: string;
  readonly credential: Credential;
  #token: Promise<string> | undefined;
  readonly #limited = new Map<string, Promise<string>>();

  constructor(baseUrl: string, credential: Credential) {
    this.baseUrl = baseUrl;
    this.credential = credential;
  }

  /** Sends a request without a token. @throws Violation unless the response has this status and obeys the common rules */
  async open(status: number, request: Request, body?: Body, headers: Headed = {}): Promise<Response> {
    const response = await send(this.baseUrl, request, body, headers);
    const { status: found, text } = response;
    holds(found === status, `${request} responded ${found} instead of ${status}: ${text.slice(0, 300)}`);
    holdsCommonRules(request, response);
    return response;
  }

  /** Sends a request with an access token of the team. */
  async call(status: number, request: Request, body?: Body, headers: Headed = {}): Promise<Response> {
    return this.open(status, request, body, { authorization: `Bearer ${await this.token()}`, ...headers });
  }

  /** The body of a successful response. */
  async get(path: `/${string}`, headers: Headed = {}): Promise<Json> {
    return (await this.call(200, `GET ${path}`, undefined, headers)).body;
  }

  /** Sends a request that is refused, with exactly these paths in the details. */
  async refuse(status: number, paths: readonly string[], request: Request, body?: Body): Promise<Response> {
    const response = await this.call(status, request, body);
    same(
      pathsOf(response),
      [...paths].sort(),
      `paths in the details of ${request} ${JSON.stringify(body)?.slice(0, 99)}`,
    );
    return response;
  }

  token(): Promise<string> {
    this.#token ??= this.tokenOf(this.credential);
    return this.#token;
  }

  async tokenOf(credential: Credential, more: object = {}): Promise<string> {
    return (await this.open(200, 'POST /oauth2/token', tokenForm(credential, more))).body.access_token;
  }

  /** The header of a token that holds only these scopes. */
  async only(...scopes: string[]): Promise<Headed> {
    const scope = scopes.join(' ');
    if (!this.#limited.has(scope)) this.#limited.set(scope, this.tokenOf(this.credential, { scope }));
    return { authorization: `Bearer ${await this.#limited.get(scope)}` };
  }

  /** Creates a contact and returns it. */
  async contact(fields: object = {}): Promise<Json> {
    return (await this.call(201, 'POST /v1/contacts', { unique_id: newId(), ...fields })).body;
  }

  /** Starts a journey of a new contact. */
  async journey(templateId: string, fields: object = {}, request: object = {}): Promise<Json> {
    const contact = await this.contact(fields);
    const body = { contact: { id: contact.id }, ...request };
    return { ...(await this.call(201, `POST /v1/templates/${templateId}/journeys`, body)).body, contact };
  }

  /** The first journey of the contact. */
  async journeyOf({ id }: { id: string }): Promise<Json> {
    return (await this.get(`/v1/journeys?contact_id=${id}`))[0];
  }

  /** Sends records, waits until they are applied, and returns the status of the batch. */
  async import(records: readonly object[], request: object = {}): Promise<Json> {
    const { body } = await this.call(202, 'POST /v1/batches', { type: 'accounts', records, ...request });
    return this.finished(body.batch_id);
  }

  async finished(batchId: string): Promise<Json> {
    // Gateways decode a path before they look for its route, so it cannot carry these characters.
    const path = /[/?#%]/.test(batchId)
      ? `?batch_id=${encodeURIComponent(batchId)}`
      : `/${encodeURIComponent(batchId)}`;
    return eventually(async () => {
      const body = await this.get(`/v1/batches${path}`);
      holds(body.status !== 'processing', `the batch ${batchId} is still processing`);
      return body;
    }, 100);
  }

  async accountsOf({ id }: { id: string }): Promise<Json[]> {
    return this.get(`/v1/contacts/${id}/accounts`);
  }
}

/** A `unique_id`, an account number or a code that nothing has. */
export const newId = (): string => `a-${randomUUID()}`;

type Content = { team: Team; ids: ContentIds };

/** The teams of a run, made when a check first needs them. */
export class World {
  readonly target: Target;
  readonly clients: Credential[] = [];
  readonly teams: string[] = [];
  #own: Promise<Team> | undefined;
  #content: Promise<Content> | undefined;
  #other: Promise<Content> | undefined;

  constructor(target: Target) {
    this.target = target;
  }

  /** A team whose content does not matter. */
  team(): Promise<Team> {
    const { baseUrl, credential, admin } = this.target;
    if (admin) return this.content().then(({ team }) => team);
    if (!credential) throw new NotChecked('there are no credentials');
    this.#own ??= Promise.resolve(new Team(baseUrl, credential));
    return this.#own;
  }

  /** A team with the content of {@link documentOf}. */
  content(): Promise<Content> {
    this.#content ??= this.#make(documentOf);
    return this.#content;
  }

  /** Another team, with both reporting features. */
  other(): Promise<Content> {
    const features = ['product_objective_reporting', 'product_objective_reporting_phase_2'];
    this.#other ??= this.#make(otherDocument, ...features.flatMap((name) => ['--feature', name]));
    return this.#other;
  }

  async #make(document: (ids: ContentIds) => object, ...args: string[]): Promise<Content> {
    const { team_id } = await this.admin(['team', 'create', '--name', 'Acceptance', '--sandbox', ...args]);
    this.teams.push(team_id);
    const ids = newIds();
    const [credential] = await Promise.all([
      this.client(team_id),
      this.admin(['content', 'import', '-', '--team', team_id], document(ids)),
    ]);
    return { team: new Team(this.target.baseUrl, credential), ids };
  }

  /** A new client of the team. */
  async client(team: string | Team, ...args: string[]): Promise<Credential> {
    const id = typeof team === 'string' ? team : team.credential.team_id!;
    const made = await this.admin(['client', 'create', '--team', id, ...args]);
    this.clients.push(made);
    return made;
  }

  /** What a verb of the administrator's command prints with `--json`. */
  async admin(args: readonly string[], input?: object): Promise<Json> {
    const { status, body } = await this.tryAdmin(args, input);
    holds(status === 0, `admin ${args.join(' ')} ended with ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async tryAdmin(args: readonly string[], input?: object): Promise<{ status: number; body: Json }> {
    const { admin } = this.target;
    if (!admin) throw new NotChecked('needs the administrator');
    const { status, stdout } = await admin(args, input === undefined ? '' : JSON.stringify(input));
    try {
      return { status, body: JSON.parse(stdout) };
    } catch {
      throw new Error(`admin ${args.join(' ')} printed no JSON: ${stdout.slice(0, 200)}`);
    }
  }

  /** Deletes the data of the teams and revokes the clients. Returns what could not be cleaned up. */
  async cleanUp(): Promise<string[]> {
    const failures: string[] = [];
    const tried = async (run: Promise<unknown>) => {
      await run.catch((error: unknown) => failures.push(String(error)));
    };
    for (const credential of this.clients) await tried(this.#revoke(credential));
    for (const id of this.teams) await tried(this.admin(['team', 'reset', '--team', id, '--yes']));
    return failures;
  }

  /** Credentials in the query string are revoked, which is faster than the command. */
  async #revoke(credential: Credential): Promise<unknown> {
    if (!credential.client_secret) return this.admin(['client', 'revoke', credential.client_id, '--yes']);
    return send(this.target.baseUrl, `POST /oauth2/token?${tokenForm(credential)}`);
  }
}
