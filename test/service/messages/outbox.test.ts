import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerOutbox } from '../../../bin/local/outbox/outbox.ts';
import { OutboxSender } from '../../../lib/email/outbox.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { temporaryDirectory } from '../../support/service/process.ts';
import { service } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

/** The outbox of the local service (contract, section 15, "Locally"), and the commands that show a message. */

const api = await service();
const json = { accept: 'application/json' };
const [template, message, page] = [randomUUID(), randomUUID(), randomUUID()];

let teamId: string;
let token: string;
let mail: Mail;
let slug: string;
type Mail = { id: string; channel: string; to: string; subject: string; sent_at: string; state: string };

const blocks = [
  {
    type: 'heading',
    order: 1,
    data: { heading: 'Dear {{name_first}}', body: 'Born {{birthdate}}, plan {{meta_private.plan}}' },
  },
  { type: 'button', order: 2, data: { text: 'Go on', url: '{{page_url}}' } },
];
const campaign = (more: object = {}) => ({
  templates: [
    {
      ...{ id: template, name: 'Welcome', status: 'live' },
      template_pages: [{ order: 1, page: { id: page, is_live: true, completion_condition: 'confirm' } }],
      template_messages: [
        {
          ...{ id: message, order: 1, send_offset_hours: 0 },
          message: {
            ...{ type: 'email', is_transactional: true, content_name: 'First' },
            ...{ payload: { subject: 'Hello {{name_first}}', reply_to: 'help@bank.example' }, content_blocks: blocks },
            ...more,
          },
        },
      ],
    },
  ],
});

const request = (method: string, path: string, headers = {}, body?: object | string) =>
  api.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
const listed = async (): Promise<Mail[]> => (await request('GET', '/outbox', json)).body.messages;
const sentTo = (to: string) =>
  until(
    'a message in the outbox',
    async () => (await listed()).find((each) => each.to === to),
    Boolean,
  ) as Promise<Mail>;
const unique = () => `${randomUUID()}@example.org`;
const play = (id: string, body: object, headers = {}) => request('POST', `/outbox/${id}/events`, headers, body);

async function person(email: string): Promise<{ journeyId: string; uniqueId: string }> {
  const unique_id = randomUUID();
  const values = { name_first: 'Maria', birthdate: '1980-02-03', meta_private: { plan: 'PLANTED' } };
  const body = { unique_id, email, ...values, journey: { template_id: template } };
  const { body: contact } = await api.request('POST', '/v1/contacts', { token, body });
  const { body: journeys } = await api.request('GET', `/v1/journeys?contact_id=${contact.id}`, { token });
  slug = journeys[0].slug;
  return { journeyId: journeys[0].id, uniqueId: unique_id };
}
const statesOf = async (journeyId: string) => {
  const { body } = await api.request('GET', `/v1/journeys/${journeyId}/messages`, { token });
  return body.messages.map(({ state }: Mail) => state);
};

const address = unique();
let journeyId: string;
let uniqueId: string;
beforeAll(async () => {
  teamId = (await adminJson('team', 'create', '--name', 'Bank')).value.team_id;
  const { value } = await adminJson('client', 'create', '--team', teamId);
  token = await api.tokenFor(value.client_id, value.client_secret);
  await adminJson('content', 'import', fileOf(campaign()), '--team', teamId);
  ({ journeyId, uniqueId } = await person(address));
  mail = await sentTo(address);
});

describe('GET /outbox', () => {
  test('lists what was sent to whoever accepts JSON, newest first', async () => {
    const { status, headers, body } = await request('GET', '/outbox', json);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(['messages']);
    expect(mail).toEqual({
      ...{ id: expect.stringMatching(/^[\da-f-]{36}$/), channel: 'email', to: address, subject: 'Hello Maria' },
      ...{ sent_at: expect.stringMatching(/^\d{4}-.*Z$/), state: 'sent' },
    });
    const times = body.messages.map(({ sent_at }: Mail) => sent_at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('is a page for people, and so is each message, with its HTML in a frame that runs nothing', async () => {
    const list = await request('GET', '/outbox');
    expect(list.headers.get('content-type')).toMatch(/^text\/html/);
    expect(list.body).toContain(`<a href="/outbox/${mail.id}">Hello Maria</a>`);
    const shown = await request('GET', `/outbox/${mail.id}`);
    expect(shown.body).toContain(`<iframe title="The message as HTML" src="/outbox/${mail.id}/html" sandbox="`);
    for (const { body, headers } of [list, shown]) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(body).not.toContain('<script');
    }
    const frame = await request('GET', `/outbox/${mail.id}/html`);
    expect(frame.headers.get('content-security-policy')).toMatch(/sandbox allow-popups/);
    expect(frame.body).toContain('Dear Maria');
  });
});

describe('GET /outbox/:id', () => {
  test('has HTML, text, headers and the MIME text, with nothing private', async () => {
    const { status, body } = await request('GET', `/outbox/${mail.id}`, json);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([...Object.keys(mail), 'html', 'text', 'headers', 'source']);
    const pageUrl = `${api.baseUrl}/j/${slug}?page=${page}`;
    expect(body.html).toContain(`href="${pageUrl}"`);
    expect(body.text).toContain(`Go on\n${pageUrl}`);
    expect(body.text).toContain('Born •••, plan •••');
    expect(body.headers).toMatchObject({ subject: 'Hello Maria', to: address, 'reply-to': 'help@bank.example' });
    const parsed = await simpleParser(body.source);
    expect(parsed.text?.trim()).toBe(body.text.trim());
    expect(parsed.html).toBe(body.html);
    expect(JSON.stringify(body)).not.toMatch(/PLANTED|1980/);
  });

  test.each([
    ['an unknown message', `/outbox/${randomUUID()}`],
    ['no id', '/outbox/nothing'],
    ['a path out of the folder', '/outbox/..%2Flocal'],
    ['something else of it', `/outbox/${randomUUID()}/other`],
  ])('404 for %s', async (_what, path) => {
    const { status, body } = await request('GET', path, json);
    expect([status, body.error]).toEqual([404, 'not_found']);
  });
});

describe('POST /outbox/:id/events', () => {
  test('plays what a provider reports, and no later report of less takes it back', async () => {
    const to = unique();
    const { journeyId: id } = await person(to);
    const sent = await sentTo(to);
    for (const [type, states] of [
      ['delivered', ['delivered']],
      ['complained', ['complained']],
    ] as const) {
      expect((await play(sent.id, { type })).status).toBe(204);
      await until(
        `a journey with a message that is ${type}`,
        () => statesOf(id),
        (found) => found[0] === states[0],
      );
    }
    expect((await play(sent.id, { type: 'delivered' })).status).toBe(204);
    expect((await request('GET', `/outbox/${sent.id}`, json)).body.state).toBe('complained');
  });

  test('takes the form of its page, and leads back there', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status, headers: got } = await request('POST', `/outbox/${mail.id}/events`, headers, 'type=delivered');
    expect([status, got.get('location')]).toEqual([303, `/outbox/${mail.id}`]);
    await until(
      'the message is delivered',
      () => statesOf(journeyId),
      (states) => states[0] === 'delivered',
    );
  });

  test.each([[{ type: 'opened' }], [{}], ['"text"']])('422 for %j', async (body) => {
    const { status, body: got } = await request('POST', `/outbox/${mail.id}/events`, {}, body);
    expect([status, got.error, got.details?.[0].path]).toEqual([422, 'validation_failed', '/type']);
  });

  test('400 for what is no JSON, 404 for an unknown message', async () => {
    expect((await request('POST', `/outbox/${mail.id}/events`, {}, 'no JSON')).status).toBe(400);
    expect((await play(randomUUID(), { type: 'bounced' })).status).toBe(404);
  });
});

describe('the outbox is for this machine only', () => {
  test('a name that leads here from elsewhere sees nothing', async () => {
    const { hostname, port } = new URL(api.baseUrl);
    const asked = get({ hostname, port, path: '/outbox', headers: { ...json, host: 'evil.example' } });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(403);
  });

  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another site of an older browser', { origin: 'https://evil.example' }],
  ])('a page %s changes nothing', async (_what, headers) => {
    expect((await play(mail.id, { type: 'bounced' }, headers)).status).toBe(403);
    expect((await request('DELETE', '/outbox', headers)).status).toBe(403);
    expect(await listed()).toContainEqual(expect.objectContaining({ id: mail.id }));
  });

  test('a method that there is not', async () => {
    expect((await request('PUT', '/outbox')).status).toBe(405);
    expect((await request('GET', `/outbox/${mail.id}/events`)).status).toBe(405);
  });
});

describe('the commands', () => {
  const of = (id: string = message) => ['--team', teamId, '--template', 'Welcome', '--message', id];

  test('message preview shows it with the values of a contact, and says how many there are and how long they take', async () => {
    const html = join(temporaryDirectory(), 'message.html');
    const { status, value } = await adminJson('message', 'preview', ...of(), '--unique-id', uniqueId, '--html', html);
    expect(status).toBe(0);
    expect(value).toMatchObject({ subject: 'Hello Maria', messages_a_second: 10, reply_to: 'help@bank.example' });
    expect(value.text).toContain(`/j/`);
    expect(value.seconds).toBe(Math.ceil(value.open_journeys / 10));
    expect(readFileSync(html, 'utf8')).toBe(value.html);
    expect(JSON.stringify(value)).not.toMatch(/PLANTED|1980/);
    const { stdout, stderr } = await admin(['message', 'preview', ...of()]);
    expect(stdout).toMatch(/^Subject: Hello Alex\nFrom: /);
    expect(stderr).toMatch(/open journeys? of the campaign can get it; at 10 a second, all of them take/);
    expect((await admin(['message', 'preview', ...of('none')])).stderr).toContain(`it has ${message} (`);
  });

  test('message test sends it to an address, marked, and is counted nowhere', async () => {
    const to = unique();
    const { status, value } = await adminJson('message', 'test', ...of(), '--to', to);
    expect([status, value.subject]).toEqual([0, '[Test] Hello Alex']);
    const sent = await sentTo(to);
    expect(sent).toMatchObject({ id: value.id, subject: '[Test] Hello Alex' });
    expect((await request('GET', `/outbox/${sent.id}`, json)).body.headers).not.toHaveProperty('list-unsubscribe');
    expect((await adminJson('message', 'list', '--team', teamId)).value.map(({ id }: Mail) => id)).not.toContain(
      sent.id,
    );
  });

  test('message show says what was sent, also after the campaign has changed', async () => {
    const before = (await request('GET', `/outbox/${mail.id}`, json)).body;
    await adminJson('content', 'import', fileOf(campaign({ payload: { subject: 'Changed' } })), '--team', teamId);
    const { value } = await adminJson('message', 'show', '--team', teamId, '--id', mail.id);
    expect(value.content).toMatchObject({ subject: before.subject, text: before.text, html: before.html });
  });

  test.each([
    ['an address that is none', 'test', message, ['--to', 'nobody'], '--to'],
    ['an unknown message', 'preview', randomUUID(), [], '--message'],
    ['an unknown contact', 'preview', message, ['--unique-id', 'nobody'], '--unique-id'],
  ])('say what is wrong: %s', async (_what, verb, id, args, path) => {
    const { status, value } = await adminJson('message', verb, ...of(id), ...args);
    expect(status).toBe(1);
    expect(value.details[0].path).toBe(path);
  });
});

test('DELETE /outbox empties it', async () => {
  // Other tests have messages in the outbox of the shared service.
  const folder = temporaryDirectory();
  const tags = { message: randomUUID(), address: '', team: teamId };
  const from = { name: 'Bank', address: 'hello@bank.example' };
  await new OutboxSender(folder, Date.now).send({
    ...{ from, to: address, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello', headers: {}, tags },
  });
  const ask = async (method: string, headers: Record<string, string>) => {
    const outbox = { folder, now: Date.now, report: async () => {} };
    const asked = {
      method,
      path: [],
      headers: { host: 'localhost:3000', ...headers },
      body: Buffer.of(),
      requestId: 'r',
    };
    const { status, body } = await answerOutbox(outbox, asked);
    return { status, text: body.toString() };
  };
  expect((await ask('GET', json)).text).toContain(tags.message);
  expect(await ask('DELETE', {})).toEqual({ status: 204, text: '' });
  expect(await ask('GET', json)).toEqual({ status: 200, text: '{"messages":[]}' });
  expect((await ask('GET', {})).text).toContain('No message was sent yet');
});
