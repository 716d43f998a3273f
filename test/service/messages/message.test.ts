import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newRecord, type SendRecord } from '../../../lib/domain/messages/record.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { loadRecord, recordWrites } from '../../../lib/store/messages/records.ts';
import { loadMessageState } from '../../../lib/store/messages/state.ts';
import { derivedMessageId } from '../../../lib/store/table/ids.ts';
import { admin, adminJson, atTerminal, fileOf } from '../../support/service/admin.ts';
import { service, type TestTeam } from '../../support/service/service.ts';

/** The commands for messages (contract, section 15, "Commands"). */

const api = await service();
const [templateId, invitation, reminder] = [randomUUID(), randomUUID(), randomUUID()];
const due = (minutes: number) => `2026-03-01T12:${String(minutes).padStart(2, '0')}:00.000000Z`;

let team: TestTeam;
const run = (verb: string, ...args: string[]) => adminJson('message', verb, ...args, '--team', team.teamId);
const message = (id: string, order: number, content_name: string) => ({
  ...{ id, order, scheduled_at: '2020-01-01T00:00:00Z' },
  message: {
    ...{
      content_name,
      type: 'email',
      content_block_status: 'published',
      payload: { subject: `${content_name}, {{name_first|friend}}` },
    },
    content_blocks: [{ type: 'text', data: { body: 'Hello {{name_first}}' } }],
  },
});

beforeAll(async () => {
  team = await api.newTeam();
  const set = ['--sender', 'hello@bank.example', '--no-earlier-list', '--postal-address', '1 Main Street'];
  expect((await adminJson('team', 'update', '--team', team.teamId, ...set)).status).toBe(0);
  await importCampaign('Invitation');
});

async function importCampaign(name: string) {
  const template_messages = [message(invitation, 1, name), message(reminder, 2, 'Reminder')];
  const file = fileOf({ templates: [{ id: templateId, name: 'Campaign', status: 'draft', template_messages }] });
  expect((await adminJson('content', 'import', file, '--team', team.teamId)).status).toBe(0);
}

/** A contact with a journey, and a record of its message as the sending function leaves it. */
async function sent(templateMessageId: string, fields: Partial<SendRecord>) {
  const unique_id = randomUUID();
  const request = async (path: string, body: object) =>
    (await api.request('POST', path, { token: team.token, body })).body;
  const contact = await request('/v1/contacts', { unique_id });
  const journey = await request(`/v1/templates/${templateId}/journeys`, { contact: { unique_id } });
  const place = { contactId: contact.id, journeyId: journey.id, templateMessageId };
  const id = derivedMessageId(team.teamId, journey.id, templateMessageId);
  const ids = { id, journey_id: journey.id, template_id: templateId, template_message_id: templateMessageId };
  const record = { ...newRecord({ ...ids, channel: 'email', due_at: due(0) }), ...fields };
  expect(await api.database.transact(recordWrites(team.teamId, place, record, 0))).toBe(true);
  return { id, unique_id, read: async () => (await loadRecord(api.database, team.teamId, place))?.record };
}
const claimed = (claimed_at: string) => ({ state: 'claimed', claimed_at, attempt: 1 }) as const;
const idsOf = ({ value }: { value: { id: string }[] }) => value.map(({ id }) => id);

describe('message list', () => {
  test('has what became of the messages of one contact or of all, newest first, by state and time', async () => {
    const one = await sent(invitation, { state: 'delivered', sent_at: due(1), delivered_at: due(2), due_at: due(1) });
    const other = await sent(reminder, { state: 'not_sent', reason: 'not_verified', due_at: due(5) });
    const own = await run('list', '--unique-id', one.unique_id);
    expect(own.value).toEqual([
      expect.objectContaining({
        ...{
          id: one.id,
          unique_id: one.unique_id,
          name: 'Invitation',
          template_message_id: invitation,
          channel: 'email',
        },
        ...{ state: 'delivered', reason: null, due_at: due(1), sent_at: due(1), delivered_at: due(2) },
      }),
    ]);
    expect(idsOf(await run('list'))).toEqual([other.id, one.id]);
    expect(idsOf(await run('list', '--state', 'delivered'))).toEqual([one.id]);
    expect(idsOf(await run('list', '--since', '2026-03-01T12:04:00Z'))).toEqual([other.id]);
    const { stdout } = await admin(['message', 'list', '--team', team.teamId]);
    expect(stdout).toContain('not_sent: not_verified');
  });

  test('names the states if another is asked for, and a contact that is unknown', async () => {
    const wrong = await run('list', '--state', 'lost');
    expect(wrong).toMatchObject({ status: 1, value: { error: 'invalid_arguments' } });
    expect(wrong.value.details[0].message).toContain('unconfirmed');
    expect((await run('list', '--unique-id', 'nobody')).value).toMatchObject({ details: [{ path: '--unique-id' }] });
  });
});

test('message show has what was sent, also after the campaign has changed', async () => {
  const { revision } = await new ContentCache(api.database, Date.now).current(team.teamId);
  const { id } = await sent(invitation, { state: 'sent', sent_at: due(1), revision, values: { name_first: 'Ann' } });
  await importCampaign('Another invitation');
  const shown = await run('show', '--id', id);
  expect(shown.value).toMatchObject({
    ...{ id, state: 'sent', revision },
    content: { subject: 'Invitation, Ann', from: 'hello@bank.example', text: expect.stringContaining('Hello Ann') },
  });
  expect((await run('show', '--id', randomUUID())).value).toMatchObject({
    ...{ error: 'not_found', details: [{ path: '--id' }] },
  });
  const not = await sent(invitation, { state: 'not_sent', reason: 'suppressed' });
  expect((await admin(['message', 'show', '--team', team.teamId, '--id', not.id])).stdout).toMatch(
    /\nNothing was sent\.\n$/,
  );
});

test('message show has a message that is still to come if its contact is given', async () => {
  const [id, coming, unique_id] = [randomUUID(), randomUUID(), randomUUID()];
  const template_messages = [{ ...message(coming, 1, 'Coming'), scheduled_at: '2099-01-01T00:00:00Z' }];
  const file = fileOf({ templates: [{ id, name: 'Later', status: 'live', template_messages }] });
  expect((await adminJson('content', 'import', file, '--yes', '--team', team.teamId)).status).toBe(0);
  const request = { token: team.token, body: { unique_id, email: 'later@bank.example' } };
  await api.request('POST', '/v1/contacts', request);
  await api.request('POST', `/v1/templates/${id}/journeys`, { ...request, body: { contact: { unique_id } } });
  const [listed] = (await run('list', '--unique-id', unique_id)).value;
  expect(listed).toMatchObject({ state: 'scheduled', name: 'Coming' });
  expect((await run('show', '--id', listed.id)).value.details[0].message).toContain('--unique-id');
  const shown = await run('show', '--id', listed.id, '--unique-id', unique_id);
  expect(shown.value).toEqual({ ...listed, is_paused: false, obstacle: 'not_verified' });
  const args = ['--team', team.teamId, '--id', listed.id, '--unique-id', unique_id];
  const { stdout } = await admin(['message', 'show', ...args]);
  expect(stdout).toMatch(/^due_at +2099-01-01/m);
  expect(stdout).toContain('As things are, it is not sent: not verified.');
  const { value: other } = await run('show', '--id', randomUUID(), '--unique-id', unique_id);
  expect(other).toMatchObject({ error: 'not_found', details: [{ path: '--id' }] });
});

describe('message pause', () => {
  const state = () => loadMessageState(api.database, team.teamId);

  test('stops all messages of the team, or those of a campaign, until they are resumed', async () => {
    expect((await run('pause')).value).toMatchObject({ paused: true, changed: true });
    expect((await run('pause')).value).toMatchObject({ changed: false });
    expect((await state()).paused).toMatchObject({ reason: 'administrator', by: expect.any(String) });
    expect((await admin(['message', 'list', '--team', team.teamId])).stderr).toContain('All messages are paused since');
    atTerminal();
    expect((await run('resume')).value).toMatchObject({ error: 'confirmation_required' });
    expect((await run('resume', '--yes')).value).toMatchObject({ paused: false, changed: true });
    expect((await state()).paused).toBeNull();

    expect((await run('pause', '--template', 'Campaign')).value).toMatchObject({ template_id: templateId });
    expect(Object.keys((await state()).templates)).toEqual([templateId]);
    expect((await state()).paused).toBeNull();
    expect((await run('resume', '--template', templateId)).value).toMatchObject({ changed: true });
    expect((await state()).templates).toEqual({});
  });

  test('names the campaigns of the team if there is none of this name', async () => {
    const refused = await run('pause', '--template', 'Other');
    expect(refused.value.details[0]).toMatchObject({
      path: '--template',
      message: expect.stringContaining('Campaign'),
    });
  });
});

describe('message resend', () => {
  test.each([
    ['failed', { state: 'failed', attempt: 1 } as const],
    ['unconfirmed', claimed(due(1))],
  ])('makes a message that is %s due again', async (_, fields) => {
    const { id, read } = await sent(invitation, fields);
    expect(await run('resend', '--id', id)).toMatchObject({ status: 0, value: { id, state: 'scheduled' } });
    expect(await read()).toMatchObject({ resent_at: expect.any(String) });
  });

  test.each([
    ['sent', { state: 'sent', sent_at: due(1) } as const],
    ['bounced', { state: 'bounced', sent_at: due(1) } as const],
    ['not_sent', { state: 'not_sent', reason: 'suppressed' } as const],
    // It was claimed just now, and may be on its way.
    ['scheduled', claimed(new Date().toISOString())],
  ])('refuses a message that is %s, and says so', async (state, fields) => {
    const { id, read } = await sent(invitation, fields);
    const before = await read();
    const refused = await run('resend', '--id', id);
    expect(refused).toMatchObject({ status: 1, value: { error: 'conflict', details: [{ path: '--id' }] } });
    expect(refused.value.details[0].message).toContain(state);
    expect(await read()).toEqual(before);
  });
});

test('the audit log has all of it, by ids', async () => {
  const { id, unique_id } = await sent(invitation, { state: 'failed', attempt: 1 });
  await run('show', '--id', id);
  await run('resend', '--id', id);
  await run('pause', '--template', 'Campaign');
  await run('resume', '--template', 'Campaign');
  const { value: entries } = await adminJson('audit', 'list', '--team', team.teamId);
  for (const what of ['message show', 'message resend']) {
    const ids = expect.objectContaining({ message_id: id });
    expect(entries).toContainEqual(expect.objectContaining({ what, outcome: 'done', ids }));
  }
  for (const what of ['message pause', 'message resume', 'message list']) {
    expect(entries).toContainEqual(expect.objectContaining({ what, outcome: 'done' }));
  }
  expect(JSON.stringify(entries)).not.toContain(unique_id);
});
