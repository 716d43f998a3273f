import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startReceiver } from '../../support/http/webhook-receiver.ts';
import { isSignedWith } from '../../support/operations/webhooks.ts';
import { adminJson } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const api = await service();
const team = await api.newTeam();
const of =
  ({ token }: TestTeam) =>
  (method: string, path: string, body?: object) =>
    api.request(method, `/v1/webhooks${path}`, { token, ...(body ? { body } : {}) });
const call = of(team);

test('a webhook is made, its secret shown once, and what happens is sent with its signature', async () => {
  const receiver = await startReceiver();
  const { status, body: made } = await call('POST', '', { url: receiver.url, types: ['contact.*'] });
  const subscription = { id: made.id, url: receiver.url, types: ['contact.*'], inserted_at: made.inserted_at };
  expect([status, made]).toEqual([
    201,
    { ...subscription, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
  ]);
  const { body: contact } = await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id: 'w' } });
  await until('it is sent', () => receiver.received.length > 0);
  expect(JSON.parse(receiver.received[0]!.body).data).toMatchObject({
    type: 'contact.created',
    contact_id: contact.id,
  });
  expect(isSignedWith(made.secret, receiver.received[0]!)).toBe(true);
  expect(receiver.received[0]!.headers['user-agent']).toBe('onboarding-webhooks/1.0');
  const state = { state: 'up', failing_since: null, next_attempt_at: null, ended_at: null, cause: null };
  const shown = async () => (await call('GET', `/${made.id}`)).body;
  const { last_attempt, ...details } = await until('it is stored', shown, (body) => body.last_attempt !== null);
  expect(last_attempt).toEqual({ at: expect.any(String), status: 204, error: null });
  const waiting = { backlog: { waiting: 0, unread: 0 }, failed: [], given_up_until: null };
  expect(details).toEqual({ ...subscription, ...state, ...waiting });
  const listed = await call('GET', '');
  expect(listed.body.webhooks).toContainEqual({ ...subscription, ...state, last_attempt });
  expect(JSON.stringify([details, listed.body])).not.toMatch(/whsec_|secret|team_id/);
});

describe('refused is', () => {
  const url = 'https://receiver.example.com/';
  test.each([
    [{ url: 'http://receiver.example.com/' }, '/url'],
    [{ url: 'https://169.254.169.254/latest/meta-data' }, '/url'],
    [{ url: 'https://[64:ff9b::a9fe:a9fe]/' }, '/url'],
    [{ url: 'https://user:password@receiver.example.com/' }, '/url'],
    [{ url: 'https://localhost/' }, '/url'],
    [{ url: `https://receiver.example.com/${'x'.repeat(2048)}` }, '/url'],
    [{ url: 7 }, '/url'],
    [{}, '/url'],
    [{ url, types: ['contact.created', 'contact.lost'] }, '/types/1'],
    [{ url, types: [] }, '/types'],
    [{ url, types: 'contact.*' }, '/types'],
    [{ url, types: Array(101).fill('contact.*') }, '/types'],
  ])('%j', async (body, path) => {
    const refused = await call('POST', '', body);
    const details = [{ path, message: expect.stringMatching(/^(?:must|is required)/) }];
    expect(refused).toMatchObject({ status: 422, body: { error: 'validation_failed', details } });
  });

  test('one webhook more than a team can have, until one is deleted', async () => {
    const full = of(await api.newTeam());
    const made = [];
    for (let count = 0; count < 100; count += 10) {
      const more = Array.from({ length: 10 }, () => full('POST', '', { url, types: ['file.*'] }));
      made.push(...(await Promise.all(more)));
    }
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await full('POST', '', { url })).toMatchObject({ status: 409, body: { error: 'conflict' } });
    expect((await full('DELETE', `/${made[0]!.body.id}`)).status).toBe(204);
    expect((await full('POST', '', { url })).status).toBe(201);
  });

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/test'],
  ])('%s /v1/webhooks/:id%s of another team, as of an id that does not exist', async (method, verb) => {
    const { body: made } = await call('POST', '', { url, types: ['file.*'] });
    const other = of(await api.newTeam());
    const responses = [await other(method, `/${made.id}${verb}`), await other(method, `/${randomUUID()}${verb}`)];
    const [said, usual] = responses.map(({ status, body: { request_id: _, ...body } }) => ({ status, body }));
    expect([said?.status, said]).toEqual([404, usual]);
    expect((await call('GET', `/${made.id}`)).status).toBe(200);
  });
});

test('rotate, test and delete do what the commands do, and are in the audit log with the client', async () => {
  const own = await api.newTeam();
  const receiver = await startReceiver(() => 410);
  const { body: made } = await of(own)('POST', '', { url: receiver.url });
  const act = (method: string, verb: string) => of(own)(method, `/${made.id}${verb}`);
  const rotated = await act('POST', '/rotate');
  expect(rotated).toMatchObject({ status: 200, body: { id: made.id, secret: expect.stringMatching(/^whsec_/) } });
  const tested = await act('POST', '/test');
  const result = { id: made.id, event_id: expect.any(String), received: false, status: 410, error: null };
  expect([tested.status, tested.body]).toEqual([200, result]);
  for (const secret of [made.secret, rotated.body.secret])
    expect(isSignedWith(secret, receiver.received[0]!)).toBe(true);
  expect((await act('GET', '')).body).toMatchObject({ state: 'up' });
  expect((await adminJson('webhook', 'show', made.id)).value.webhook_id).toBe(made.id);
  expect((await act('DELETE', '')).status).toBe(204);
  expect((await act('GET', '')).status).toBe(404);
  expect((await act('DELETE', '')).status).toBe(404);
  const { value } = await adminJson('audit', 'list', '--team', own.teamId, '--who', own.clientId);
  const acts = (value as { what: string; outcome: string; ids: { webhook_id?: string } }[])
    .filter(({ what }) => what.startsWith('webhook '))
    .map(({ what, outcome, ids }) => [what, outcome, ids.webhook_id]);
  expect(acts.reverse()).toEqual([
    ['webhook create', 'begun', undefined],
    ...['create', 'rotate', 'test', 'remove'].flatMap((verb) => [
      ...(verb === 'create' ? [] : [[`webhook ${verb}`, 'begun', made.id]]),
      [`webhook ${verb}`, 'done', made.id],
    ]),
  ]);
});
