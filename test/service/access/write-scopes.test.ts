import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { limitedToken } from '../../support/service/clients.ts';
import { service, type TestResponse } from '../../support/service/service.ts';

const api = await service();
const team = await api.newTeam();

/** Which fields it lacks is checked in test/judges/acceptance/answers.ts. */
describe('the response to a write', () => {
  const known = ['id', 'inserted_at', 'unique_id', 'updated_at'];
  const keysOf = (body: object) => Object.keys(body).sort();

  test('has an entity tag that protects a write, and does not make a read of it', async () => {
    const token = await limitedToken(api, team.teamId, 'contacts:write');
    const send = (method: string, path: string, body: object, headers = {}) =>
      api.request(method, path, { token, body, headers });
    const made = await send('POST', '/v1/contacts', { unique_id: randomUUID(), birthdate: '1980-01-02' });
    const path = `/v1/contacts/${made.body.id}`;
    const tag = made.headers.get('etag')!;
    const patched = await send('PATCH', path, { birthdate: '1980-01-02' }, { 'if-match': tag, 'if-none-match': tag });
    expect([patched.status, keysOf(patched.body)]).toEqual([200, known]);
    const refused = await send('PATCH', path, { city: 'Oslo' }, { 'if-match': '"0-0"' });
    expect(refused.body.error).toBe('precondition_failed');
    const read = await api.request('GET', path, { token, headers: { 'if-none-match': tag } });
    expect([read.status, read.body.error]).toEqual([403, 'insufficient_scope']);
    expect(read.headers.get('etag')).toBeNull();
  });

  test('has these shapes in the OpenAPI document', async () => {
    const { body: document } = await api.request('GET', '/openapi.json');
    const { WrittenContact, StartedJourney, Journey } = document.components.schemas;
    expect(keysOf(WrittenContact.properties)).toEqual(known);
    expect(StartedJourney.required.sort()).toEqual(['account_id', 'cancelled_at', 'id', 'template_id']);
    expect(Journey.required).not.toContain('slug');
    const allows = ({ content }: TestResponse['body']) =>
      JSON.stringify(content['application/json'].schema).includes('#/components/schemas/WrittenContact');
    const { post } = document.paths['/v1/contacts'];
    const { put, patch } = document.paths['/v1/contacts/{id}'];
    const responses = [post.responses[200], post.responses[201], put.responses[200], patch.responses[200]];
    expect(responses.map(allows)).toEqual([true, true, true, true]);
  });
});
