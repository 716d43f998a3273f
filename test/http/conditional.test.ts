import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { service, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
let id: string;
let tag: string;
let unique_id: string;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});
beforeEach(async () => {
  unique_id = crypto.randomUUID();
  const created = await send('POST', '/v1/contacts', { body: { unique_id, name_first: 'Jana' } });
  id = created.body.id;
  tag = created.tag;
});

type Sent = { body?: object; headers?: Record<string, string> };

async function send(method: string, path: string, { body, headers = {} }: Sent = {}) {
  const response = await fetch(api.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${team.token}`, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    tag: response.headers.get('etag') ?? '',
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const contact = (headers: Record<string, string> = {}) => send('GET', `/v1/contacts/${id}`, { headers });
const put = (body: object, ifMatch?: string, method = 'PUT') =>
  send(method, `/v1/contacts/${id}`, { body, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });

describe('the entity tag of a contact', () => {
  test('stays when an update changes nothing', async () => {
    expect((await put({ name_first: 'Jana' })).tag).toBe(tag);
    expect((await send('POST', '/v1/contacts', { body: { unique_id } })).tag).toBe(tag);
  });

  test('is not in a batch or a list', async () => {
    expect((await send('POST', '/v1/contacts', { body: { contacts: [{ unique_id }] } })).tag).toBe('');
    expect((await send('GET', '/v1/contacts')).tag).toBe('');
  });
});

/** How tags are compared is tested in test/http/handler.test.ts. */
describe.each(['PUT', 'PATCH'])('If-Match on %s', (method) => {
  test('refuses the tag of a state that was changed since, by whomever, and stores nothing', async () => {
    await send('POST', '/v1/contacts', { body: { contacts: [{ unique_id, city: 'Pisek' }] } });
    const refused = await put({ name_first: 'Eva' }, tag, method);
    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({ error: 'precondition_failed', message: expect.any(String) });
    expect((await contact()).body.name_first).toBe('Jana');
  });

  test('is looked at after the contact is found and the body is valid', async () => {
    expect((await put({ birthdate: 'x' }, '"other"', method)).status).toBe(422);
    const unknown = await send(method, '/v1/contacts/00000000-0000-4000-8000-000000000000', {
      body: {},
      headers: { 'if-match': '*' },
    });
    expect(unknown.status).toBe(404);
  });
});

test('two clients that edit one contact under If-Match lose no update', async () => {
  const edits = 15;
  const client = async (field: string) => {
    let known = await contact();
    for (let edit = 0; edit < edits; ) {
      const counted = Number(known.body.meta_public?.[field] ?? 0) + 1;
      const total = Number(known.body.meta_public?.total ?? 0) + 1;
      const answer = await put({ meta_public: { [field]: counted, total } }, known.tag);
      if (answer.status === 200) edit++;
      else expect(answer.status).toBe(412);
      known = answer.status === 200 ? answer : await contact();
    }
  };
  await Promise.all([client('a'), client('b')]);
  expect((await contact()).body.meta_public).toEqual({ a: edits, b: edits, total: 2 * edits });
});

describe('If-None-Match', () => {
  test.each(['GET', 'HEAD'])('on %s gives 304 without a body while the contact is the same', async (method) => {
    const unchanged = await send(method, `/v1/contacts/${id}`, { headers: { 'if-none-match': `"other", W/${tag}` } });
    expect(unchanged).toMatchObject({ status: 304, text: '', tag });
    expect(unchanged.headers.get('content-type')).toBeNull();
    expect(unchanged.headers.get('x-request-id')).not.toBeNull();
    expect(unchanged.headers.get('cache-control')).toBe('no-store');
    await put({ name_first: 'Eva' });
    expect((await send(method, `/v1/contacts/${id}`, { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  test('tells the compressed form from the plain one, and takes both', async () => {
    await put({ meta_public: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`key-${n}`, 'value-of-it'])) });
    const plain = await contact({ 'accept-encoding': 'identity' });
    const packed = await contact({ 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.tag).not.toBe(plain.tag);
    for (const each of [plain.tag, packed.tag]) {
      expect((await contact({ 'if-none-match': each, 'accept-encoding': 'gzip' })).status).toBe(304);
    }
    expect((await put({ name_first: 'Eva' }, packed.tag)).status).toBe(200);
  });

  test.each(['/openapi.json', '/.well-known/jwks.json', '/.well-known/oauth-authorization-server'])(
    'on %s gives 304 for the tag that came with it',
    async (path) => {
      const first = await fetch(api.baseUrl + path, { headers: { 'accept-encoding': 'identity' } });
      const current = first.headers.get('etag')!;
      expect(current).toMatch(/^"[^"]+"$/);
      expect((await first.text()).length).toBeGreaterThan(10);
      const again = await fetch(api.baseUrl + path, { headers: { 'if-none-match': current } });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, current, '']);
      expect(again.headers.get('cache-control')).toContain('max-age');
      expect((await fetch(api.baseUrl + path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    },
  );
});
