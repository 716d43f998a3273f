import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { service, type TestService, type TestTeam } from '../../support/service/service.ts';

/** How tags are compared is tested in test/unit/http/handler.test.ts, and what they refuse in test/judges/acceptance. */
let api: TestService;
let team: TestTeam;
let path: string;
let tag: string;
let unique_id: string;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});
beforeEach(async () => {
  unique_id = crypto.randomUUID();
  const created = await send('POST', '/v1/contacts', { unique_id, name_first: 'Jana' });
  path = `/v1/contacts/${created.body.id}`;
  tag = created.tag!;
});

async function send(method: string, to: string, body?: object, headers: Record<string, string> = {}) {
  const response = await api.request(method, to, { token: team.token, headers, ...(body ? { body } : {}) });
  return { ...response, tag: response.headers.get('etag') };
}

describe('the entity tag of a contact', () => {
  test('stays when an update changes nothing', async () => {
    expect((await send('PUT', path, { name_first: 'Jana' })).tag).toBe(tag);
    expect((await send('POST', '/v1/contacts', { unique_id })).tag).toBe(tag);
  });

  test('is not in a batch or a list', async () => {
    expect((await send('POST', '/v1/contacts', { contacts: [{ unique_id }] })).tag).toBeNull();
    expect((await send('GET', '/v1/contacts')).tag).toBeNull();
  });

  test('tells the compressed form from the plain one, and takes both', async () => {
    const meta_public = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`key-${n}`, 'value-of-it']));
    await send('PUT', path, { meta_public });
    const plain = await send('GET', path, undefined, { 'accept-encoding': 'identity' });
    const packed = await send('GET', path, undefined, { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.tag).not.toBe(plain.tag);
    for (const each of [plain.tag!, packed.tag!]) {
      const headers = { 'if-none-match': each, 'accept-encoding': 'gzip' };
      expect((await send('GET', path, undefined, headers)).status).toBe(304);
    }
    expect((await send('PUT', path, { name_first: 'Eva' }, { 'if-match': packed.tag! })).status).toBe(200);
  });
});

test.each(['PUT', 'PATCH'])(
  'If-Match on %s is looked at after the contact is found and the body is valid',
  async (method) => {
    expect((await send(method, path, { birthdate: 'x' }, { 'if-match': '"other"' })).status).toBe(422);
    const unknown = `/v1/contacts/${crypto.randomUUID()}`;
    expect((await send(method, unknown, {}, { 'if-match': '*' })).status).toBe(404);
  },
);
