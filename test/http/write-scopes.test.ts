import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { allScopes, type Scope } from '../../lib/domain/scope.ts';
import { limitedToken } from '../support/clients.ts';
import { putContent } from '../support/content.ts';
import { service, type TestResponse, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
const templateId = randomUUID();
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
  const template = { id: templateId, name: 'Campaign', status: 'live', template_pages: [] };
  await putContent(api.database, team.teamId, { templates: [template] });
});

const without = (scope: Scope) => limitedToken(api, team.teamId, ...allScopes.filter((each) => each !== scope));

describe('the response to a write', () => {
  const person = () => ({
    unique_id: randomUUID(),
    birthdate: '1980-01-02',
    phone_mobile: '5551230000',
    meta_public: { a: 1 },
  });
  const journeys = `/v1/templates/${templateId}/journeys`;
  const known = ['id', 'inserted_at', 'unique_id', 'updated_at'];
  const keysOf = (body: object) => Object.keys(body).sort();

  test('shows nothing but ids and times of a contact without contacts:read', async () => {
    const token = await without('contacts:read');
    const [single, batched] = [person(), person()];
    const send = (method: string, path: string, body: object, headers = {}) =>
      api.request(method, path, { token, body, headers });
    const made = await send('POST', '/v1/contacts', single);
    const path = `/v1/contacts/${made.body.id}`;
    const repeated = await send('POST', '/v1/contacts', { unique_id: single.unique_id });
    const put = await send('PUT', path, { city: 'Bern' });
    // The entity tag still protects a write, and does not make a read of it.
    const tag = { 'if-match': put.headers.get('etag')!, 'if-none-match': put.headers.get('etag')! };
    const patched = await send('PATCH', path, { city: 'Bern' }, tag);
    const answers = [made, repeated, put, patched];
    expect(answers.map(({ status, body }) => [status, keysOf(body)])).toEqual(
      [201, 200, 200, 200].map((s) => [s, known]),
    );
    expect((await send('PATCH', path, { city: 'Oslo' }, { 'if-match': '"0-0"' })).body.error).toBe(
      'precondition_failed',
    );
    const { body } = await send('POST', '/v1/contacts', { contacts: [single, batched] });
    expect([...body.new_contacts, ...body.existing_contacts].map(keysOf)).toEqual([known, known]);
    expect(body.new_contacts[0].unique_id).toBe(batched.unique_id);
    const read = await api.request('GET', path, { token, headers: { 'if-none-match': tag['if-match'] } });
    expect([read.status, read.body.error]).toEqual([403, 'insufficient_scope']);
    expect(read.headers.get('etag')).toBeNull();
  });

  test('shows no slug and no URL of a journey without journeys:read', async () => {
    const token = await without('journeys:read');
    const body = { contact: person() };
    const made = await api.request('POST', journeys, { token, body });
    const again = await api.request('POST', journeys, { token, body });
    expect([made.status, again.status]).toEqual([201, 200]);
    const { id } = made.body;
    expect([made.body, again.body]).toEqual([1, 2].map(() => ({ id, template_id: templateId })));
    const path = `${journeys}/${id}`;
    const confirmed = await api.request('PUT', path, { token, body: { is_completion_confirmed: true } });
    const full = await api.request('PUT', path, { token: team.token, body: { is_completion_confirmed: true } });
    const { slug, ...others } = full.body;
    expect([confirmed.body, typeof slug]).toEqual([others, 'string']);
  });

  test('has these shapes in the OpenAPI document', async () => {
    const { body: document } = await api.request('GET', '/openapi.json');
    const { WrittenContact, StartedJourney, Journey } = document.components.schemas;
    expect(keysOf(WrittenContact.properties)).toEqual(known);
    expect([StartedJourney.required.sort(), Journey.required.includes('slug')]).toEqual([['id', 'template_id'], false]);
    const allows = ({ content }: TestResponse['body']) =>
      JSON.stringify(content['application/json'].schema).includes('#/components/schemas/WrittenContact');
    const { post } = document.paths['/v1/contacts'];
    const { put, patch } = document.paths['/v1/contacts/{id}'];
    const responses = [post.responses[200], post.responses[201], put.responses[200], patch.responses[200]];
    expect(responses.map(allows)).toEqual([true, true, true, true]);
  });
});
