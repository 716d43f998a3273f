import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { allScopes, type Scope } from '../../../lib/domain/access/scope.ts';
import { putContent } from '../../support/operations/content.ts';
import { limitedToken } from '../../support/service/clients.ts';
import { service, type TestResponse } from '../../support/service/service.ts';

const [templateId, channelId] = [randomUUID(), randomUUID()];
const api = await service();
const team = await api.newTeam();
await putContent(api.database, team.teamId, {
  engagement_channels: [{ id: channelId, name: 'Web' }],
  templates: [{ id: templateId, name: 'Campaign', status: 'live', template_pages: [] }],
});

const tokens = new Map<string, Promise<string>>();
function limited(...scopes: Scope[]): Promise<string> {
  const token = tokens.get(scopes.join()) ?? limitedToken(api, team.teamId, ...scopes);
  tokens.set(scopes.join(), token);
  return token;
}
const all = () => Promise.resolve(team.token);
const without = (...scopes: Scope[]) => limited(...allScopes.filter((scope) => !scopes.includes(scope)));

function expectLack({ status, headers, body }: TestResponse, ...needed: Scope[]): void {
  expect(body).toEqual({
    error: 'insufficient_scope',
    message: expect.any(String),
    request_id: headers.get('x-request-id'),
  });
  expect(status).toBe(403);
  expect(headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${needed.join(' ')}"`);
}

test('a token request gets less where it asks for less, each scope once', async () => {
  const { clientId: client_id, clientSecret: client_secret } = team;
  const scope = 'journeys:read contacts:read journeys:read';
  const { body } = await api.request('POST', '/oauth2/token', {
    body: { grant_type: 'client_credentials', client_id, client_secret, scope },
  });
  expect(body.scope).toBe('contacts:read journeys:read');
  expect(decodeJwt(body.access_token).scope).toBe('contacts:read journeys:read');
});

describe('a contact that names a journey', () => {
  const journey = { template_id: templateId };
  const forms: [what: string, body: () => object][] = [
    ['with a dotted key', () => ({ unique_id: randomUUID(), 'journey.template_id': templateId })],
    ['that is faulty', () => ({ unique_id: 7, journey: 7 })],
  ];
  test.each(forms)('needs journeys:write too: %s', async (_, body) => {
    const token = await without('journeys:write');
    expectLack(await api.request('POST', '/v1/contacts', { token, body: body() }), 'contacts:write', 'journeys:write');
  });

  test.each(['PUT', 'PATCH'])('needs it by %s, whatever stands beside', async (method) => {
    const made = await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id: randomUUID() } });
    const path = `/v1/contacts/${made.body.id}`;
    const token = await limited('contacts:write');
    for (const beside of [{}, { contacts: [] }]) {
      const refused = await api.request(method, path, { token, body: { ...beside, journey } });
      expectLack(refused, 'contacts:write', 'journeys:write');
    }
    expect((await api.request(method, path, { token, body: { city: 'Bern', journey: null } })).status).toBe(200);
  });
});

describe('starting a journey', () => {
  const path = `/v1/templates/${templateId}/journeys`;

  test('needs contacts:write too, unless the contact is an id alone', async () => {
    const token = await limited('journeys:write');
    const unique_id = randomUUID();
    const made = await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id } });
    const { id } = made.body;
    for (const contact of [{ unique_id }, { id, unique_id }, { id, city: 'Bern' }, { email: 'a@example.com' }, {}]) {
      const refused = await api.request('POST', path, { token, body: { contact } });
      expectLack(refused, 'contacts:write', 'journeys:write');
    }
    expect((await api.request('POST', path, { token, body: { contact: { id } } })).status).toBe(201);
    const both = await limited('contacts:write', 'journeys:write');
    expect((await api.request('POST', path, { token: both, body: { contact: { unique_id } } })).status).toBe(200);
  });
});

describe('meta_private without contacts:private', () => {
  const value = `needle-${randomUUID()}`;
  const note = `note-${randomUUID()}`;
  const unique_id = randomUUID();
  let id: string;
  beforeAll(async () => {
    const body = {
      unique_id,
      meta_public: { note },
      meta_private: { core_id: value },
      journey: { template_id: templateId },
    };
    id = (await api.request('POST', '/v1/contacts', { token: team.token, body })).body.id;
  });

  type Body = TestResponse['body'];
  const reads: [what: string, send: (token: string) => Promise<TestResponse>, pick: (body: Body) => object][] = [
    ['GET of a contact', (token) => api.request('GET', `/v1/contacts/${id}`, { token }), (body) => body],
    [
      'the list',
      (token) => api.request('GET', `/v1/contacts?unique_id=${unique_id}`, { token }),
      (body) => body.contacts[0],
    ],
    ['PUT', (token) => api.request('PUT', `/v1/contacts/${id}`, { token, body: { city: 'Bern' } }), (body) => body],
    ['PATCH', (token) => api.request('PATCH', `/v1/contacts/${id}`, { token, body: { city: 'Bern' } }), (body) => body],
    ['an upsert', (token) => api.request('POST', '/v1/contacts', { token, body: { unique_id } }), (body) => body],
    [
      'a batch',
      (token) => api.request('POST', '/v1/contacts', { token, body: { contacts: [{ unique_id }] } }),
      (body) => body.existing_contacts[0],
    ],
    [
      'the list of journeys',
      (token) => api.request('GET', `/v1/journeys?contact_id=${id}`, { token }),
      (body) => body[0].contact,
    ],
  ];
  test.each(reads)('has no key in the answer to %s', async (_, send, pick) => {
    expect(pick((await send(await all())).body)).toMatchObject({ unique_id, meta_private: { core_id: value } });
    const { status, body } = await send(await without('contacts:private'));
    expect(status).toBe(200);
    expect(pick(body)).toMatchObject({ unique_id, meta_public: { note } });
    expect(pick(body)).not.toHaveProperty('meta_private');
    expect(JSON.stringify(body)).not.toContain(value);
  });

  test('is passed over by a search that another token began', async () => {
    const body = { contacts: [1, 2].map(() => ({ unique_id: randomUUID(), meta_private: { core_id: value } })) };
    await api.request('POST', '/v1/contacts', { token: team.token, body });
    const page = () => api.request('GET', `/v1/contacts?search=${value}&limit=1`, { token: team.token });
    await expect.poll(async () => (await page()).body.next_cursor).toBeTruthy();
    const { next_cursor } = (await page()).body;
    const token = await without('contacts:private');
    expect((await api.request('GET', `/v1/contacts?cursor=${next_cursor}`, { token })).body.contacts).toEqual([]);
  });

  test('cannot be looked up by', async () => {
    const path = `/v1/engagement-channels/${channelId}/content-containers/search`;
    const token = await without('contacts:private');
    const forms = ['meta_private[core_id]', 'meta_private%5Bcore_id%5D', 'meta_private', 'meta_private[a][b]'];
    for (const form of forms) {
      const response = await api.request('GET', `${path}?${form}=x`, { token });
      expectLack(response, 'contacts:private', 'channels:read');
    }
    for (const parameter of ['meta_public[note]', 'email']) {
      expect((await api.request('GET', `${path}?${parameter}=x`, { token })).status).toBe(200);
    }
    expect((await api.request('GET', `${path}?meta_private[core_id]=x`, { token: team.token })).status).toBe(200);
  });
});
