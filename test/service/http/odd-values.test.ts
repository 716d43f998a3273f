import { beforeAll, expect, test } from 'vitest';
import { allContracts } from '../../../functions/contracts.ts';
import { isLongForm } from '../../support/long-form.ts';
import { putContent } from '../../support/operations/content.ts';
import { oddValues } from '../../support/samples/odd-values.ts';
import { block } from '../../support/service/channel-requests.ts';
import { embedding, pageFor } from '../../support/service/channels.ts';
import { service, type TestResponse, type TestService } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const contracts = await allContracts();

/** A position in a body, as a JSON Pointer. */
type Place = string;

type Sweep = {
  /** The id of the contract. */
  id: string;
  method: string;
  path: string;
  /** A valid body with the containers of the fields. */
  body: unknown;
  /** The operation names every field that it rejects, and accepts the rest. */
  isExact?: boolean;
  isForm?: boolean;
};

/** What the sweep reads of the OpenAPI document. */
type Schema = { $ref?: string; anyOf?: Schema[]; items?: Schema; properties?: Record<string, Schema> };
type Operation = { operationId: string; requestBody?: { content: Record<string, { schema: Schema }> } };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Fields that the document does not declare: read-only, dotted, unknown, and the keys of objectives. */
const undeclared = ['id', 'inserted_at', 'updated_at', 'odd_goal', '__proto__', 'constructor', 'toString'];
const dotted = ['journey.template_id', 'contact.role', 'product.name', 'meta_public.a'];

let api: TestService;
let document: Document;
let bank: Awaited<ReturnType<typeof oddBank>>;
beforeAll(async () => {
  api = await service();
  document = (await api.request('GET', '/openapi.json')).body;
  bank = await oddBank();
});

/** A team with a contact, its journey, and content that takes every kind of answer. */
async function oddBank() {
  const [blocks, framed] = [questions(), questions()];
  const pagesOf = (channel: string) => [
    pageFor(channel, 'action', { content_blocks: blocks, container: { content_blocks: framed } }),
  ];
  const { teamId, token, pages, person } = await embedding(api, pagesOf);
  const objectives = ['odd_goal', '__proto__', 'constructor'].map((key) => ({ key, name: key }));
  await putContent(api.database, teamId, { objectives });
  const { contactId, path } = await person();
  const [journey] = (await api.request('GET', `/v1/journeys?contact_id=${contactId}`, { token })).body;
  const { id: journeyId, slug, template_id: templateId } = journey;
  const action = ([{ id }]: [{ id: string }]) => ({
    page_id: pages[0]!.id,
    answers: [{ block_id: id, values: [{ question: 'Why?', value: 'x' }] }],
  });
  const actions = { page: action(blocks), content: action(framed) };
  return { token, contactId, contentPath: path, journeyId, slug, templateId, actions };
}

const questions = (): [{ id: string }] => [
  { id: crypto.randomUUID(), ...block('survey', { questions: [{ key: 'why', text: 'Why?' }] }) },
];

/** Every operation with a body. */
function sweeps(): Sweep[] {
  const { contactId, contentPath, journeyId, slug, templateId, actions } = bank;
  const [type, isExact, isForm] = ['page_completed', true, true];
  const credentials = { grant_type: 'client_credentials' };
  const contact = { unique_id: 'odd', journey: { template_id: templateId } };
  const account = { account_number: 'odd', contact: { unique_id: 'odd' }, product: { code: 'odd', type: 'checking' } };
  const batch = { type: 'accounts', batch_id: 'odd', records: [account] };
  const channel = { channel: 'email' };
  const viewed = { ...actions.page, type: 'page_viewed' };
  return [
    post('create-token', '/oauth2/token', credentials),
    post('create-token', '/oauth2/token', credentials, { isForm }),
    post('upsert-contacts', '/v1/contacts', contact, { isExact }),
    post('upsert-contacts', '/v1/contacts', { contacts: [contact] }, { isExact }),
    post('update-contact', `/v1/contacts/${contactId}`, { journey: {} }, { isExact, method: 'PUT' }),
    post('update-contact', `/v1/contacts/${contactId}`, {}, { isExact, method: 'PATCH' }),
    post('create-batch', '/v1/batches', batch, { isExact }),
    post('opt-out', `/v1/contacts/${contactId}/opt-outs`, channel, { isExact }),
    post('verify-contact', `/v1/contacts/${contactId}/verifications`, channel),
    post('create-webhook', '/v1/webhooks', { url: 'https://receiver.example.com/', types: ['contact.created'] }),
    post('create-journey', `/v1/templates/${templateId}/journeys`, { contact }, { isExact }),
    post(
      'confirm-journey',
      `/v1/templates/${templateId}/journeys/${journeyId}`,
      { is_completion_confirmed: true },
      { isExact, method: 'PUT' },
    ),
    post('record-action', `/j/${slug}/actions`, viewed),
    post(
      'record-action',
      `/j/${slug}/actions`,
      { ...viewed, type, block_id: actions.page.answers[0]!.block_id },
      { isForm },
    ),
    post('record-content-action', `${contentPath}/actions`, { ...actions.content, type }),
    post('record-content-action', `${contentPath}/actions`, { type }, { isForm }),
    post('check-identity', `/j/${slug}/identity`, { page: actions.page.page_id, phone: '1234' }, { isForm }),
  ];
}

/** How many there are: tests are named before the team is there. */
const swept = 17;

const post = (id: string, path: string, body: object, more: Partial<Sweep> = {}): Sweep => ({
  ...{ id, method: 'POST', path, body },
  ...more,
});

test('every operation with a body is swept', () => {
  expect(sweeps().length).toBe(swept);
  const withBody = contracts.filter(({ body, ownBody }) => body || ownBody).map(({ id }) => id);
  expect([...new Set(sweeps().map(({ id }) => id))].sort()).toEqual(withBody.sort());
});

test.for(Array.from({ length: swept }, (_, at) => at))(
  'no odd value in any field makes an operation fail (%i)',
  async (at) => {
    const sweep = sweeps()[at]!;
    const places = placesIn(sweep);
    const inner = places.filter((place) => !places.some((other) => other.startsWith(`${place}/`)));
    const outer = places.filter((place) => !inner.includes(place));
    const failures: string[] = [];
    // The short form sends another fifth of the values to each operation.
    const values = oddValues.filter((_, index) => isLongForm || index % 5 === at % 5);
    await eachInTurn(values, async (value) => {
      for (const place of outer)
        failures.push(...failureOf(await send(sweep, new Map([[place, value]])), place, value));
      failures.push(...(await sweepTogether(sweep, inner, value)));
    });
    expect(failures.slice(0, 3)).toEqual([]);
  },
);

/**
 * Sends the value in all fields at once. What an error names gets its valid value back, until the request is accepted,
 * so that every value is also processed where it is valid.
 */
async function sweepTogether(sweep: Sweep, inner: readonly Place[], value: string): Promise<string[]> {
  let left = [...inner];
  for (;;) {
    const response = await send(sweep, new Map(left.map((place) => [place, value])));
    const failures = failureOf(response, left.join(' '), value);
    const rejected = (response.body?.details ?? []).map(({ path }: { path: string }) => path) as string[];
    const next = left.filter((place) => !rejected.some((path) => isAbout(path, place)));
    if (failures.length > 0 || next.length === left.length) {
      const isAccepted = response.status < 300 || !sweep.isExact;
      return isAccepted
        ? failures
        : [...failures, `${response.status} names no field: ${value.slice(0, 80)} ${JSON.stringify(response.body)}`];
    }
    left = next;
  }
}

/** Two fields that must agree: the error names the other one. */
const partners: Record<Place, Place> = { '/contact/unique_id': '/contact/id', '/batch_id': '/chunk_index' };

const isAbout = (path: string, place: Place): boolean =>
  place === partners[path] || `${place}/`.startsWith(`${path}/`) || path.startsWith(`${place}/`);

const failureOf = ({ status, body }: TestResponse, place: string, value: string): string[] =>
  status < 500 ? [] : [`${status} ${place} ${value.slice(0, 80)} ${JSON.stringify(body)}`];

async function eachInTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

function send(sweep: Sweep, changes: ReadonlyMap<Place, string>): Promise<TestResponse> {
  const { method, path, isForm } = sweep;
  const isPublic = !path.startsWith('/v1/');
  const headers = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const body = isForm ? formOf(sweep.body as object, changes) : textOf(sweep.body, changes, '');
  return api.request(method, path, { body, headers, ...(isPublic ? {} : { token: bank.token }) });
}

/** The body as JSON with these values. Texts, because not every JSON value is a value of JavaScript. */
function textOf(node: unknown, changes: ReadonlyMap<Place, string>, at: Place): string {
  const changed = changes.get(at);
  if (changed !== undefined) return changed;
  if (Array.isArray(node)) return `[${node.map((each, index) => textOf(each, changes, `${at}/${index}`))}]`;
  if (typeof node !== 'object' || node === null) return JSON.stringify(node);
  const added = [...changes.keys()].filter((place) => place.slice(0, place.lastIndexOf('/')) === at);
  const names = new Set([...Object.keys(node), ...added.map((place) => place.slice(at.length + 1))]);
  const members = [...names].map((name) => {
    const text = textOf((node as Record<string, unknown>)[name], changes, `${at}/${name}`);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${members}}`;
}

function formOf(body: object, changes: ReadonlyMap<Place, string>): string {
  const fields = [...changes].map(([place, text]): [string, string] => [place.slice(1).replaceAll('/', '.'), text]);
  const base = Object.entries(body).filter(([, value]) => typeof value === 'string') as [string, string][];
  return new URLSearchParams([...new Map([...base, ...fields])]).toString();
}

/** The declared fields whose containers are in the body, and fields that nobody declares beside them. */
function placesIn({ id, method, body }: Sweep): Place[] {
  const operationId = id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const operations = Object.values(document.paths).map((item) => item[method.toLowerCase()]);
  const operation = operations.find((each) => each?.operationId.startsWith(operationId));
  const bodies = Object.values(operation?.requestBody?.content ?? {});
  const declared = bodies.flatMap(({ schema }) => [...fieldsOf(schema, body, '')]);
  return [...new Set([...declared, ...ownFields(body, '')])].filter((place) => place !== '');
}

function* fieldsOf({ $ref, ...beside }: Schema, value: unknown, at: Place): Generator<Place> {
  const named = $ref === undefined ? undefined : document.components.schemas[$ref.split('/').at(-1)!]!;
  const schema: Schema = { ...named, ...beside };
  for (const each of schema.anyOf ?? []) yield* fieldsOf(each, value, at);
  if (schema.items && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* fieldsOf(schema.items, item, `${at}/${index}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const isBatch = Object.hasOwn(value, 'contacts');
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (isBatch && name !== 'contacts') continue;
    yield `${at}/${name}`;
    yield* fieldsOf(inner, (value as Record<string, unknown>)[name], `${at}/${name}`);
  }
}

function* ownFields(value: unknown, at: Place): Generator<Place> {
  if (at !== '') yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* ownFields(inner, `${at}/${name}`);
  if (!Array.isArray(value)) yield* [...undeclared, ...dotted].map((name) => `${at}/${name}`);
}

test('what was accepted is applied without a failed attempt, and can be read', async () => {
  const { token, contactId, slug, templateId } = bank;
  const get = async (path: string) => (await api.request('GET', path, { token })).body;
  const stateOfBatches = async () =>
    new Set((await get('/v1/batches?limit=100')).batches.map(({ status }: { status: string }) => status));
  const states = await until('no batch is open', stateOfBatches, (found) => !found.has('processing'));
  expect(states).toEqual(new Set(['completed']));
  // The first scan of a client has no known cost and takes its whole budget, so the others would have to wait.
  await get('/v1/contacts?sort_column=id');
  const statuses = await Promise.all(
    [
      ...['id', 'name_first', 'birthdate', 'email_opted_in', 'updated_at'].map(
        (each) => `/v1/contacts?sort_column=${each}`,
      ),
      ...[`/v1/contacts?search=1e`, `/v1/contacts/${contactId}`, `/v1/contacts/${contactId}/accounts`],
      ...[`/v1/journeys?contact_id=${contactId}`, `/v1/templates/${templateId}`, `/j/${slug}`],
    ].map(async (path) => (await api.request('GET', path, { token })).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});
