import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import { noCounts } from '../../../lib/domain/messages/pause.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import type { OutboxMail } from '../../../lib/email/outbox-mail.ts';
import { messageCountsWrite } from '../../../lib/store/messages/state.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const api = await service();
const outbox = join(dirname(api.local.drop_box_folder), 'outbox');

const ids = { template: '5e0d0000-0000-4000-8000-000000000001', page: '5e0d0000-0000-4000-8000-000000000002' };
const message = (number: number, timing: object, more: object = {}) => ({
  id: `5e0d0000-0000-4000-8000-00000000001${number}`,
  ...timing,
  message: {
    ...{ id: `5e0d0000-0000-4000-8000-00000000002${number}`, type: 'email', content_block_status: 'published' },
    payload: { subject: `Message ${number}` },
    content_blocks: [],
    ...more,
  },
});
const marketing = (number: number, timing: object = { send_offset_hours: 0 }) => message(number, timing);
const transactional = (number: number, timing: object = { send_offset_hours: 0 }) =>
  message(number, timing, { is_transactional: true });

/** A team that may send, with a campaign of these messages. */
async function teamWith(messages: object[], ...settings: string[]) {
  const team = await api.newTeam();
  const own = ['--sender', '@bank.example', '--postal-address', '1 Main Street', '--no-earlier-list'];
  const updated = await adminJson(
    'team',
    'update',
    '--team',
    team.teamId,
    ...own,
    '--quiet-hours',
    'none',
    ...settings,
  );
  expect(updated.status, JSON.stringify(updated)).toBe(0);
  await content(team, messages);
  return team;
}
async function content(team: TestTeam, messages: object[], more: object = {}) {
  const template = { id: ids.template, name: 'Welcome', status: 'live', email_sender_address: 'hello@bank.example' };
  const document = { templates: [{ ...template, ...more, template_messages: messages }] };
  const imported = await adminJson('content', 'import', fileOf(document), '--team', team.teamId);
  expect(imported.status, JSON.stringify(imported)).toBe(0);
}

const asks = ({ token }: TestTeam, method: string, path: string, body?: object) =>
  api.request(method, path, { token, ...(body ? { body } : {}) });

/** A contact with a journey. @returns the ids of both */
async function journeyOf(team: TestTeam, unique_id: string, fields: object = {}) {
  const flags = { email: `${unique_id}@example.com`, email_opted_in: true, email_verified: true };
  const posted = await asks(team, 'POST', '/v1/contacts', { unique_id, ...flags, ...fields });
  const asked = { contact: { unique_id } };
  const { body } = await asks(team, 'POST', `/v1/templates/${ids.template}/journeys`, asked);
  return { contactId: String(posted.body.id), journeyId: String(body.id) };
}

const messagesOf = async (team: TestTeam, journeyId: string) =>
  (await asks(team, 'GET', `/v1/journeys/${journeyId}/messages`)).body.messages as Record<string, string>[];
const states = async (team: TestTeam, journeyId: string) =>
  (await messagesOf(team, journeyId)).map(({ state, reason }) => [state, reason]);
const settled = (team: TestTeam, journeyId: string) =>
  until(
    'every message decided',
    () => states(team, journeyId),
    (all) => all.length > 0 && all.every(([state]) => state !== 'scheduled'),
  );
const mails = (team: TestTeam): OutboxMail[] =>
  (existsSync(outbox) ? readdirSync(outbox) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(outbox, name), 'utf8')) as OutboxMail)
    .filter(({ tags }) => tags.team === team.teamId);

const queue = new SQSClient({
  ...{ endpoint: api.local.sqs_endpoint, region: 'us-east-1', useQueueUrlAsEndpoint: false },
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
const QueueUrl = new URL('/000000000000/feedback', api.local.sqs_endpoint).href;
const report = ({ tags }: OutboxMail, type: string, permanent = true) =>
  queue.send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: JSON.stringify({ type, permanent, tags, at: new Date().toISOString() }),
    }),
  );
const events = async (team: TestTeam) =>
  (await asks(team, 'GET', '/v1/events?type=message.*&limit=1000')).body.events as Record<string, string>[];

describe('a message of a journey', () => {
  test('is sent within a minute of its time, once, as a mail program reads it, and is told', async () => {
    const team = await teamWith([marketing(1), transactional(2), marketing(3, { send_offset_hours: 100 })]);
    const began = Date.now();
    const { journeyId, contactId } = await journeyOf(team, 'ann');
    await until(
      'both sent',
      () => mails(team).length,
      (count) => count === 2,
    );
    expect(Date.now() - began).toBeLessThan(60_000);
    // The transactional one comes first.
    const [first, second] = mails(team).sort((a, b) => (a.sent_at < b.sent_at ? -1 : 1));
    expect([first?.subject, second?.subject]).toEqual(['Message 2', 'Message 1']);
    const read = await simpleParser(second!.source);
    expect(read).toMatchObject({ subject: 'Message 1', from: { value: [{ address: 'hello@bank.example' }] } });
    expect(second!.headers).toMatchObject({ 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' });
    expect(first!.headers).not.toHaveProperty('list-unsubscribe');
    // What became of a message is recorded after the sender has taken it.
    const listed = await until(
      'both recorded',
      () => messagesOf(team, journeyId),
      (all) => all.every(({ sent_at }, at) => at === 2 || sent_at !== null),
    );
    expect(listed.map(({ state }) => state)).toEqual(['sent', 'sent', 'scheduled']);
    expect(Object.keys(listed[0]!)).toEqual([
      ...['id', 'template_message_id', 'channel', 'state', 'reason', 'due_at', 'sent_at', 'delivered_at'],
    ]);
    const told = await until(
      'told',
      () => events(team),
      (all) => all.length === 2,
    );
    expect(told[0]).toMatchObject({
      ...{
        type: 'message.sent',
        message_id: first!.id,
        journey_id: journeyId,
        contact_id: contactId,
        channel: 'email',
      },
    });
    // Nothing is sent again, though the journey is planned again.
    await content(team, [marketing(1), transactional(2), marketing(3, { send_offset_hours: 99 })]);
    expect(mails(team)).toHaveLength(2);
  });

  test('goes only to those who may get it, and says to the others why not', async () => {
    const team = await teamWith([marketing(1), message(2, { send_offset_hours: 0 }, { type: 'sms' })]);
    const cases: [object, string][] = [
      [{ email_opted_in: false }, 'not_opted_in'],
      [{ email_verified: false }, 'not_verified'],
      [{ email: null }, 'no_address'],
    ];
    const journeys = await Promise.all(cases.map(([fields], index) => journeyOf(team, `c${index}`, fields)));
    for (const [index, { journeyId }] of journeys.entries()) {
      const found = await settled(team, journeyId);
      expect(found).toContainEqual(['not_sent', cases[index]![1]]);
      expect(found).toContainEqual(['not_sent', 'channel_off']);
    }
    expect(mails(team)).toEqual([]);
    const results = ['template', 'results', '--team', team.teamId, '--template', 'Welcome'];
    await expect
      .poll(async () => (await admin(results)).stdout, { timeout: 20_000 })
      .toMatch(/: 3 due\n {2}sent +0 +0%\n/);
  });

  test('is not sent to whoever left or after the journey was cancelled, though it was due', async () => {
    const team = await teamWith([marketing(1)]);
    expect((await adminJson('message', 'pause', '--team', team.teamId)).status).toBe(0);
    const [left, cancelled, kept] = await Promise.all(['ann', 'bob', 'cid'].map((each) => journeyOf(team, each)));
    // The mover has moved what is due, and nothing goes out in the pause.
    await new Promise((resolve) => setTimeout(resolve, 25_000));
    expect(mails(team)).toEqual([]);
    expect((await asks(team, 'POST', `/v1/contacts/${left!.contactId}/opt-outs`, { channel: 'email' })).status).toBe(
      204,
    );
    expect((await asks(team, 'POST', `/v1/journeys/${cancelled!.journeyId}/cancel`)).status).toBe(200);
    expect((await adminJson('message', 'resume', '--team', team.teamId)).status).toBe(0);
    expect(await settled(team, left!.journeyId)).toEqual([['not_sent', 'not_opted_in']]);
    expect(await settled(team, cancelled!.journeyId)).toEqual([['not_sent', 'cancelled']]);
    expect(await settled(team, kept!.journeyId)).toEqual([['sent', null]]);
  });

  test('of above the cap waits, counted for everybody with the address', async () => {
    const team = await teamWith([marketing(1), marketing(2)], '--max-messages-a-week', '1');
    const one = await journeyOf(team, 'ann', { email: 'home@example.com' });
    await until('one sent', () => mails(team).length);
    const held = ['scheduled', 'held_back'];
    await until(
      'the other held back',
      () => states(team, one.journeyId),
      (all) => all.some(([, why]) => why === 'held_back'),
    );
    expect((await states(team, one.journeyId)).sort()).toEqual([held, ['sent', null]]);
    const other = await journeyOf(team, 'bob', { email: 'Home@Example.com ' });
    await until(
      'all held back',
      () => states(team, other.journeyId),
      (all) => all.every(([, why]) => why === 'held_back'),
    );
    expect(mails(team)).toHaveLength(1);
  });
});

test('a contact that opted in verifies its address by a link that is sent by itself, and the message follows', async () => {
  const team = await teamWith([marketing(1)], '--verify', 'email');
  const { journeyId, contactId } = await journeyOf(team, 'ann', { email_verified: false });
  const [link] = await until(
    'the link',
    () => mails(team),
    (all) => all.length > 0,
  );
  expect(await states(team, journeyId)).toEqual([['scheduled', 'not_verified']]);
  const path = /\/m\/[\w-]+/.exec(link!.text)![0];
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await api.request('POST', path, { headers, body: 'act=verify' })).status).toBe(200);
  expect((await asks(team, 'GET', `/v1/contacts/${contactId}`)).body.email_verified).toBe(true);
  expect(await settled(team, journeyId)).toEqual([['sent', null]]);
  expect(mails(team)).toHaveLength(2);
});

describe('what the provider reports', () => {
  test('comes in any order and twice, and a state never goes back', async () => {
    const team = await teamWith([transactional(1)]);
    const { journeyId, contactId } = await journeyOf(team, 'ann');
    const [mail] = await until(
      'sent',
      () => mails(team),
      (all) => all.length > 0,
    );
    const state = () => states(team, journeyId).then(([first]) => first?.[0]);
    await report(mail!, 'complained');
    await until('complained', state, (now) => now === 'complained');
    await report(mail!, 'delivered');
    await report(mail!, 'bounced', false);
    await report(mail!, 'complained');
    // Nothing is sent to the address any more, whoever has it.
    const other = await journeyOf(team, 'bob', { email: 'ANN@example.com' });
    expect(await settled(team, other.journeyId)).toEqual([['not_sent', 'suppressed']]);
    expect(await state()).toBe('complained');
    const told = await until(
      'both told',
      async () => (await events(team)).filter(({ contact_id }) => contact_id === contactId),
      (all) => all.length >= 2,
    );
    expect(told.map(({ type }) => type)).toEqual(['message.sent', 'message.complained']);
  });

  test('of too many bounces pauses the team, and again only with the next one after somebody has resumed', async () => {
    const team = await teamWith([transactional(1)]);
    const counts = {
      ...noCounts,
      blocks: [{ sent: 100, bounced: 10, complained: 0 }],
      bounced_at: timestamp(Date.now()),
    };
    await api.database.write([messageCountsWrite(team.teamId, counts, 0)]);
    const paused = async () => (await admin(['morning', '--team', team.teamId])).stdout.includes('are paused since');
    const { journeyId } = await journeyOf(team, 'ann');
    await until('paused', paused);
    await adminJson('message', 'resume', '--team', team.teamId);
    const other = await journeyOf(team, 'bob');
    for (const id of [journeyId, other.journeyId]) expect(await settled(team, id)).toEqual([['sent', null]]);
    expect(await paused()).toBe(false);
    await report(mails(team)[0]!, 'bounced');
    await until('paused again', paused);
  });

  test('of a permanent bounce takes the verification from the address, and the consent stays', async () => {
    const team = await teamWith([transactional(1)]);
    const { contactId, journeyId } = await journeyOf(team, 'ann');
    const [mail] = await until(
      'sent',
      () => mails(team),
      (all) => all.length > 0,
    );
    await report(mail!, 'bounced');
    await until(
      'bounced',
      () => states(team, journeyId),
      ([first]) => first?.[0] === 'bounced',
    );
    const { body } = await asks(team, 'GET', `/v1/contacts/${contactId}`);
    expect([body.email_verified, body.email_opted_in]).toEqual([false, true]);
  });
});

test('the messages of a journey are those of the team alone', async () => {
  const team = await teamWith([marketing(1, { send_offset_hours: 10 })]);
  const { journeyId } = await journeyOf(team, 'ann');
  const other = await api.newTeam();
  expect((await asks(other, 'GET', `/v1/journeys/${journeyId}/messages`)).status).toBe(404);
  expect(await states(team, journeyId)).toEqual([['scheduled', null]]);
});
