import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import { appendEvents } from '../../../lib/operations/events/append-events.ts';
import { insertWebhook } from '../../../lib/store/events/webhook-subscriptions.ts';
import { startReceiver } from '../../support/http/webhook-receiver.ts';
import { isSignedWith, numbersOf } from '../../support/operations/webhooks.ts';
import { publisher } from '../../support/samples/events.ts';
import { admin, adminJson, atTerminal } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const api = await service();
const team = await api.newTeam();

const create = async (url: string, ...args: string[]) =>
  (await adminJson('webhook', 'create', '--team', team.teamId, '--url', url, ...args)).value;
const show = async (id: string) => (await adminJson('webhook', 'show', id)).value;

/** Events with the numbers of the test. */
const publish = (...numbers: number[]) => {
  const events = numbers.map((number): ServiceEvent => {
    const end = String(number).padStart(12, '0');
    const at = '2026-03-01T12:00:00.000000Z';
    return {
      id: `11111111-1111-5111-8111-${end}`,
      type: 'contact.updated',
      at,
      team_id: team.teamId,
      contact_id: `22222222-2222-5222-8222-${end}`,
    };
  });
  return appendEvents(publisher(api.database), team.teamId, events);
};

describe('webhook create', () => {
  test('prints the id and, once, the secret', async () => {
    const { url } = await startReceiver();
    const made = await create(url, '--type', 'journey.*', '--type', 'contact.created');
    expect(made).toEqual({
      webhook_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      team_id: team.teamId,
      url,
      types: ['journey.*', 'contact.created'],
      inserted_at: expect.any(String),
    });
    const printed = [await admin(['webhook', 'list']), await admin(['webhook', 'show', made.webhook_id])];
    printed.push(await admin(['webhook', 'show', made.webhook_id, '--json']));
    for (const { stdout } of printed) {
      expect(stdout).toContain(made.webhook_id);
      expect(stdout).not.toMatch(/whsec_|secret"/);
    }
  });

  test('refuses another URL, an unknown type, and a team that does not exist', async () => {
    const url = 'https://169.254.169.254/latest/meta-data';
    expect(await create(url)).toMatchObject({ error: 'validation_failed', details: [{ path: '--url' }] });
    expect((await create('https://example.com', '--type', 'x.*')).error).toBe('invalid_arguments');
    const other = await adminJson('webhook', 'create', '--team', randomUUID(), '--url', 'https://example.com');
    expect([other.status, other.value.error]).toEqual([1, 'not_found']);
  });
});

describe('webhook test', () => {
  test('sends one signed event through the service, and says that it was received', async () => {
    const receiver = await startReceiver();
    const { webhook_id, secret } = await create(receiver.url);
    const { status, value } = await adminJson('webhook', 'test', webhook_id);
    expect([status, value]).toEqual([
      0,
      { webhook_id, event_id: expect.any(String), received: true, status: 204, error: null },
    ]);
    expect(receiver.received).toHaveLength(1);
    const [request] = receiver.received;
    expect(isSignedWith(secret, request!)).toBe(true);
    expect(JSON.parse(request!.body)).toEqual({
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { id: value.event_id, type: 'webhook.test', at: expect.any(String), team_id: team.teamId },
    });
  });

  test('says the status of a receiver that refuses it, and why there is none', async () => {
    const receiver = await startReceiver(() => 503);
    const { webhook_id } = await create(receiver.url);
    const refused = await adminJson('webhook', 'test', '--webhook', webhook_id, '--team', team.teamId);
    expect(refused).toMatchObject({ status: 1, value: { received: false, status: 503, error: null } });
    receiver.stop();
    expect(await adminJson('webhook', 'test', webhook_id)).toMatchObject({
      status: 1,
      value: { received: false, status: null, error: 'connection_failed' },
    });
    const text = await admin(['webhook', 'test', webhook_id]);
    expect([text.status, text.stderr]).toEqual([1, '']);
    expect(text.stdout).toContain('did not answer (connection_failed)');
  });

  test('of a receiver that answers 410 ends nothing; an event that it answers so does, as list and audit say', async () => {
    const own = await api.newTeam();
    const { url } = await startReceiver(() => 410);
    const { webhook_id } = (await adminJson('webhook', 'create', '--team', own.teamId, '--url', url)).value;
    expect(await adminJson('webhook', 'test', webhook_id)).toMatchObject({
      status: 1,
      value: { received: false, status: 410 },
    });
    expect(await show(webhook_id)).toMatchObject({ webhook_id, state: 'up' });
    await api.request('POST', '/v1/contacts', { token: own.token, body: { unique_id: 'ends' } });
    const list = async () => (await adminJson('webhook', 'list', '--team', own.teamId)).value;
    const [ended] = await until('it ends', list, ([{ state }]) => state === 'ended');
    const cause = 'the receiver responded 410';
    expect(ended).toEqual({ ...ended, webhook_id, url, state: 'ended', cause, ended_at: expect.any(String) });
    expect((await admin(['webhook', 'list', '--team', own.teamId])).stdout).toContain(cause);
    expect((await admin(['webhook', 'show', webhook_id])).stderr).toContain(`has ended at ${ended.ended_at}: ${cause}`);
    const { value } = await adminJson('audit', 'list', '--team', own.teamId, '--what', 'webhook ended');
    expect(value).toMatchObject([{ team_id: own.teamId, ids: { webhook_id }, outcome: cause }]);
  });
});

test('webhook rotate prints a new secret; for a day both sign, and a third ends the first', async () => {
  const receiver = await startReceiver();
  const { webhook_id, secret } = await create(receiver.url);
  const { value } = await adminJson('webhook', 'rotate', webhook_id);
  expect(value).toEqual({
    ...{ webhook_id, secret: expect.stringMatching(/^whsec_/), old_secret_until: expect.any(String) },
  });
  const day = Date.parse(value.old_secret_until) - Date.now();
  expect(Math.abs(day - 86_400_000)).toBeLessThan(60_000);
  expect((await show(webhook_id)).old_secret_until).toBe(value.old_secret_until);
  await adminJson('webhook', 'test', webhook_id);
  const third = (await adminJson('webhook', 'rotate', webhook_id, '--yes')).value;
  await adminJson('webhook', 'test', webhook_id);
  const signedWith = [secret, value.secret, third.secret].map((each) =>
    receiver.received.map((request) => isSignedWith(each, request)),
  );
  expect(signedWith).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ]);
});

test('of a webhook that was rotated long ago, rotate asks nothing, and redeliver begins where events are kept', async () => {
  const { teamId: team_id } = await api.newTeam();
  const webhook = { webhook_id: randomUUID(), team_id, url: (await startReceiver()).url, types: null };
  const up = { failures: 0, failing_since: null, up_since: null, next_at: null, paused_until: null, is_slow: false };
  const progress = { position: { seq: 1, index: 0 }, ...up, last_attempt: null, given_up_until: null };
  const at = '2026-01-01T00:00:00.000000Z';
  const secrets = [null, at].map((valid_until) => ({ secret: `whsec_${btoa('a secret')}`, valid_until }));
  await insertWebhook(api.database, { ...webhook, inserted_at: at }, progress, secrets);
  const { value } = await adminJson('webhook', 'redeliver', webhook.webhook_id, '--since', at);
  expect(Math.round((Date.now() - Date.parse(value.since)) / 86_400_000)).toBe(30);
  atTerminal();
  const rotate = () => adminJson('webhook', 'rotate', webhook.webhook_id);
  expect((await rotate()).status).toBe(0);
  expect(await rotate()).toMatchObject({ status: 1, value: { error: 'confirmation_required' } });
});

test('webhook show and redeliver: what waits, what failed, and sending it again', async () => {
  let status = 500;
  const receiver = await startReceiver(() => status);
  const { webhook_id } = await create(receiver.url);
  expect(await show(webhook_id)).toMatchObject({ state: 'up', last_attempt: null, backlog: { waiting: 0, unread: 0 } });
  const since = new Date().toISOString();
  await publish(1, 2, 3);
  // The command wakes it, unless the schedule is faster.
  const { backlog } = await show(webhook_id);
  expect(backlog.waiting + backlog.unread).toBe(3);
  await adminJson('webhook', 'redeliver', webhook_id, '--since', since);
  const failing = await until(
    'it fails',
    () => show(webhook_id),
    ({ state, backlog }) => state === 'failing' && backlog.waiting === 3,
  );
  expect(failing).toMatchObject({ last_attempt: { result: 500 }, failed: [], given_up_until: null });
  const [began, last, next] = [failing.failing_since, failing.last_attempt.at, failing.next_attempt_at].map(Date.parse);
  // A wait is as long as those before it, and five seconds at least.
  expect(next! - last!).toBeGreaterThan(0);
  expect(next! - last!).toBeLessThanOrEqual(Math.max(last! - began!, 5000) + 5000);
  const { stdout } = await admin(['webhook', 'show', webhook_id]);
  expect(stdout).toMatch(/state +failing since/);
  expect(stdout).toMatch(/waiting +3 events/);

  status = 204;
  receiver.received.length = 0;
  const event = '11111111-1111-5111-8111-000000000002';
  const one = await adminJson('webhook', 'redeliver', webhook_id, '--event', event);
  expect(one).toEqual({ status: 0, value: { webhook_id, event_id: event } });
  const isUpToDate = async () => {
    const { backlog } = await show(webhook_id);
    return backlog.waiting + backlog.unread === 0;
  };
  await until('all are received', isUpToDate);
  expect(await show(webhook_id)).toMatchObject({ state: 'up', failing_since: null, next_attempt_at: null });
  expect(new Set(numbersOf(receiver))).toEqual(new Set([1, 2, 3]));

  receiver.received.length = 0;
  await adminJson('webhook', 'redeliver', webhook_id, '--event', event, '--since', since);
  await until('it is sent again', () => receiver.received.length === 1);
  expect(numbersOf(receiver)).toEqual([2]);
  await until('what was sent is stored', isUpToDate);
  await adminJson('webhook', 'redeliver', webhook_id, '--since', since);
  await until('all are sent again', () => receiver.received.length === 4);
  expect(numbersOf(receiver).slice(1).sort()).toEqual([1, 2, 3]);

  for (const args of [[], ['--event', randomUUID()]]) {
    expect((await adminJson('webhook', 'redeliver', webhook_id, ...args)).status).toBe(1);
  }
});

test('what happens in the team arrives, once and signed, and what happens in another team does not', async () => {
  const receiver = await startReceiver();
  const { secret } = await create(receiver.url, '--type', 'contact.*');
  const other = await api.newTeam();
  const upsert = async ({ token }: TestTeam, name_first: string) => {
    const body = { unique_id: 'arrives', name_first };
    return (await api.request('POST', '/v1/contacts', { token, body })).body.id;
  };
  await upsert(other, 'Karel');
  const contact_id = await upsert(team, 'Jana');
  await upsert(team, 'Marie');
  await until('both are sent', () => receiver.received.length >= 2);
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'contact.created', data: { type: 'contact.created', team_id: team.teamId, contact_id } },
    { type: 'contact.updated', data: { type: 'contact.updated', team_id: team.teamId, contact_id } },
  ]);
  for (const request of receiver.received) {
    expect(isSignedWith(secret, request)).toBe(true);
    expect(request.body).not.toMatch(/Jana|Marie|arrives/);
  }
});

test('webhook remove ends a webhook; other teams and unknown ids are not found', async () => {
  const { webhook_id } = await create((await startReceiver()).url);
  const other = await api.newTeam();
  for (const args of [
    ['--team', other.teamId],
    ['--webhook', randomUUID()],
  ]) {
    expect((await adminJson('webhook', 'remove', webhook_id, ...args)).status).toBe(1);
  }
  const listed = async () => (await adminJson('webhook', 'list', '--team', team.teamId)).value;
  expect((await listed()).map((each: { webhook_id: string }) => each.webhook_id)).toContain(webhook_id);
  expect(await adminJson('webhook', 'remove', webhook_id)).toEqual({ status: 0, value: { webhook_id, removed: true } });
  expect((await listed()).map((each: { webhook_id: string }) => each.webhook_id)).not.toContain(webhook_id);
  expect((await adminJson('webhook', 'remove', webhook_id)).value.error).toBe('not_found');
});
