import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { contracts } from '../../lib/http/contracts/all.ts';
import type { RouteId } from '../../lib/routes.ts';
import { read } from '../architecture/sources.ts';
import { putContent } from '../support/content.ts';
import { service, type TestRequest, type TestResponse, type TestService, type TestTeam } from '../support/service.ts';

let running: TestService;
let team: TestTeam;
let bareTeam: TestTeam;
/** Which documented answers have been seen. */
const seen = new Set<string>();

beforeAll(async () => {
  running = await service();
  [team, bareTeam] = await Promise.all([running.newTeam(), running.newTeam()]);
});

/** The schema that the document is made from, but strict: a field that it does not name is a fault. */
function strict(id: RouteId, status: number): z.ZodType {
  const answer = contracts.find((contract) => contract.id === id)?.answers[status];
  if (!answer) throw new Error(`${id} describes no answer ${status}`);
  if (!answer.schema) return z.undefined();
  return z.fromJSONSchema(
    z.toJSONSchema(answer.schema, { io: 'output', unrepresentable: 'any' }) as Parameters<typeof z.fromJSONSchema>[0],
  );
}

async function call(
  id: RouteId,
  status: number,
  method: string,
  path: string,
  request: TestRequest = { token: team.token },
): Promise<TestResponse> {
  const answer = await running.request(method, path, { token: team.token, ...request });
  expect(answer.status).toBe(status);
  expect(strict(id, status).safeParse(answer.body).error?.issues).toBeUndefined();
  expect(answer.headers.get('x-request-id')).toBeTruthy();
  seen.add(`${id} ${status}`);
  return answer;
}

describe('every answer is as the document says', () => {
  test('of the token endpoint', async () => {
    const grant = { grant_type: 'client_credentials', client_id: team.clientId };
    await call('create-token', 200, 'POST', '/oauth2/token', { body: { ...grant, client_secret: team.clientSecret } });
    await call('create-token', 401, 'POST', '/oauth2/token', { body: { ...grant, client_secret: 'wrong' } });
    await call('create-token', 400, 'POST', '/oauth2/token', { body: { grant_type: 'password' } });
  });

  test('of contacts', async () => {
    const unique_id = 'documented';
    const full = { unique_id, email: 'a@example.com', phone_mobile: '5551234567', birthdate: '2000-02-29' };
    const meta_public = { a: [1, 'x', true, null] };
    const { body: created } = await call('upsert-contacts', 201, 'POST', '/v1/contacts', { body: full });
    await call('upsert-contacts', 200, 'POST', '/v1/contacts', {
      body: { unique_id, meta_public, email_opted_in: true },
    });
    const contacts = [{ unique_id }, { unique_id: 'documented-too', meta_private: { b: { c: 0.1 } } }];
    await call('upsert-contacts', 200, 'POST', '/v1/contacts', { body: { contacts } });
    await call('get-contact', 200, 'GET', `/v1/contacts/${created.id}`);
    await call('update-contact', 200, 'PUT', `/v1/contacts/${created.id}`, { body: { city: 'Tabor' } });
    await call('update-contact', 200, 'PATCH', `/v1/contacts/${created.id}`, { body: { city: null } });
    const { body: page } = await call('list-contacts', 200, 'GET', '/v1/contacts?limit=1');
    await call('list-contacts', 200, 'GET', `/v1/contacts?cursor=${page.next_cursor}`);
  });

  test('of batches and accounts', async () => {
    const { body: holder } = await running.request('POST', '/v1/contacts', {
      body: { unique_id: 'holder' },
      token: team.token,
    });
    const product = { code: 'P', type: 'savings', name: 'Savings' };
    const records = [
      { account_number: '1', contact: { unique_id: 'holder' }, product, meta_public: { a: 1 }, nickname: 'Mine' },
      { account_number: '2', contact: { unique_id: 'holder', role: 'joint' }, product },
    ];
    const body = { type: 'accounts', batch_id: 'documented', records };
    await call('create-batch', 202, 'POST', '/v1/batches', { body: { ...body, chunk_index: 0 } });
    await call('create-batch', 202, 'POST', '/v1/batches', { body: { ...body, chunk_index: 0 } });
    await call('create-batch', 202, 'POST', '/v1/batches', { body });
    for (let tries = 0; tries < 100; tries++) {
      const { body: batch } = await call('get-batch', 200, 'GET', '/v1/batches/documented');
      if (batch.status === 'completed') break;
      await sleep(50);
    }
    await call('find-batch', 200, 'GET', '/v1/batches?batch_id=documented');
    const accounts = await call('list-contact-accounts', 200, 'GET', `/v1/contacts/${holder.id}/accounts`);
    expect(accounts.body).toHaveLength(2);
  });

  test('of journeys', async () => {
    const page = { id: crypto.randomUUID(), completion_condition: 'view' };
    const template = { id: crypto.randomUUID(), name: 'Documented', template_pages: [{ page }] };
    await putContent(running.database, team.teamId, { templates: [template] });
    const path = `/v1/templates/${template.id}/journeys`;
    const body = { contact: { unique_id: 'traveller', meta_public: { a: 1 } }, name: 'Mine', source: 'x' };
    const { body: started } = await call('create-journey', 201, 'POST', path, { body });
    await call('create-journey', 200, 'POST', path, { body });
    const action = { type: 'page_viewed', page_id: page.id };
    const actions = `/j/${started.slug}/actions`;
    await call('record-action', 204, 'POST', actions, { body: action });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await call('record-action', 303, 'POST', actions, { body: new URLSearchParams(action).toString(), headers });
    const { body: contact } = await running.request('POST', '/v1/contacts', { body: body.contact, token: team.token });
    const { body: listed } = await call('list-journeys', 200, 'GET', `/v1/journeys?contact_id=${contact.id}`);
    expect(listed).toHaveLength(1);
    await call('confirm-journey', 200, 'PUT', `${path}/${started.id}`, { body: { is_completion_confirmed: true } });
  });

  test('of templates and objectives', async () => {
    const sample = JSON.parse(read('examples/campaigns.json'));
    await putContent(running.database, team.teamId, sample);
    await call('list-templates', 200, 'GET', '/v1/templates');
    for (const { id } of sample.templates) {
      await call('get-template', 200, 'GET', `/v1/templates/${id}?has_survey_content_blocks=true`);
      await call('list-template-messages', 200, 'GET', `/v1/templates/${id}/template_messages`);
      await call('list-template-pages', 200, 'GET', `/v1/templates/${id}/template_pages`);
    }
    const bare = {
      templates: [{ content_blocks: [{}], template_pages: [{ page: {} }], template_messages: [{ message: {} }] }],
    };
    await putContent(running.database, bareTeam.teamId, bare);
    const { body } = await call('list-templates', 200, 'GET', '/v1/templates', { token: bareTeam.token });
    const address = `/v1/templates/${body.templates[0].id}`;
    await call('list-template-pages', 200, 'GET', `${address}/template_pages`, { token: bareTeam.token });
    await call('list-template-messages', 200, 'GET', `${address}/template_messages`, { token: bareTeam.token });
    await call('list-objectives', 200, 'GET', '/v1/objectives');
    const [{ id: channel }] = sample.engagement_channels;
    const search = `/v1/engagement-channels/${channel}/content-containers/search?unique_id=nobody`;
    await call('search-content-containers', 200, 'GET', search);
  });

  test('of the public documents', async () => {
    await call('get-openapi', 200, 'GET', '/openapi.json', {});
    await call('get-oauth-metadata', 200, 'GET', '/.well-known/oauth-authorization-server', {});
    await call('get-jwks', 200, 'GET', '/.well-known/jwks.json', {});
  });

  test('and none was left out', () => {
    const documented = contracts.flatMap(({ id, answers }) => Object.keys(answers).map((status) => `${id} ${status}`));
    expect(documented.filter((each) => !seen.has(each))).toEqual([]);
  });
});
