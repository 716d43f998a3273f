import { beforeAll, describe, expect, test } from 'vitest';
import { targetedJourney } from '../../../lib/domain/journeys/journey.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { insertionsOf } from '../../../lib/store/journeys/journeys.ts';
import { derivedAccountId } from '../../../lib/store/table/ids.ts';
import { noteInsertion } from '../../../lib/store/targeting/notes.ts';
import { putContent } from '../../support/operations/content.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { Bank } from '../../support/service/imports.ts';
import { service } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

/** Journeys about accounts, of a template with the strategy `ONE_FOR_ONE` (contract, section 14). */
const api = await service();
const team = await api.newTeam();
const { token, teamId } = team;
const [templateId, pageId] = [crypto.randomUUID(), crypto.randomUUID()];
const page = { id: pageId, completion_condition: 'confirm', is_live: true, content: 'Your {{account.nickname}}' };
const fields = { name: 'Account welcome', status: 'live', content_block_status: 'published' };
const strategy = { journey_creation_strategy: 'ONE_FOR_ONE' };
let contactId = '';
type Listed = { id: string; analytics_cache: { is_completed: boolean } };
type Started = { id: string; slug: string; account_id: string };
const journeys: Started[] = [];

/** As targeting starts it. The second is newer. */
async function startAbout(accountNumber: string, minute: number): Promise<void> {
  const { contact } = (await loadContact(api.database, teamId, contactId))!;
  const account_id = derivedAccountId(teamId, accountNumber);
  const fresh = { id: crypto.randomUUID(), slug: `${crypto.randomUUID()}a` };
  const now = timestamp(Date.now() + minute * 60_000);
  const context = { ...fresh, contactId, template: { id: templateId, name: fields.name }, now };
  const journey = targetedJourney(context, { account_id, isOneForOne: true, revision: 'r' });
  expect(await api.database.transact(insertionsOf(teamId, journey, contact.inserted_at, undefined))).toBe(true);
  journeys.push({ ...fresh, account_id });
}

beforeAll(async () => {
  const template_pages = [{ order: 1, page }];
  await putContent(api.database, teamId, { templates: [{ id: templateId, ...fields, ...strategy, template_pages }] });
  const bank = new Bank(api, team);
  const records = ['first', 'second'].map((account_number) => ({
    ...{ account_number, nickname: `${account_number} account`, contact: { unique_id: 'p' } },
    product: { code: 'CHK', type: 'checking' },
  }));
  await bank.post({ batch_id: 'b', records });
  await bank.settled('b');
  contactId = (await api.request('POST', '/v1/contacts', { token, body: { unique_id: 'p' } })).body.id;
  await startAbout('first', -1);
  await startAbout('second', 0);
});

const list = async (query: string) => (await api.request('GET', `/v1/journeys?${query}`, { token })).body;
const complete = ({ slug }: Started) =>
  api.request('POST', `/j/${slug}/actions`, { body: { type: 'page_completed', page_id: pageId } });

describe('two journeys of one template about two accounts of a contact', () => {
  test('each show the account that they are about', async () => {
    for (const [index, number] of ['first', 'second'].entries()) {
      expect((await api.request('GET', `/j/${journeys[index]!.slug}`)).body).toContain(`Your ${number} account`);
    }
  });

  test('are completed and counted apart', async () => {
    expect((await complete(journeys[0]!)).status).toBe(204);
    const [first, second] = await list(`contact_id=${contactId}`);
    expect([first, second]).toMatchObject(
      journeys.map(({ id, account_id }) => ({ id, account_id, source: 'automatic-targeting', cancelled_at: null })),
    );
    expect([first, second].map(({ analytics_cache }) => analytics_cache.is_completed)).toEqual([true, false]);
    const counted = async () => {
      const { body } = await api.request('GET', `/v1/templates/${templateId}/results`, { token });
      return [body.journeys.created, body.journeys.completed];
    };
    await until('the results of both', counted, ([created, completed]) => created === 2 && completed === 1);
    const { journeys: listed } = await list(`template_id=${templateId}`);
    const isCompleted = listed.map(({ id, analytics_cache }: Listed) => [id, analytics_cache.is_completed]);
    expect(Object.fromEntries(isCompleted)).toEqual({ [journeys[0]!.id]: true, [journeys[1]!.id]: false });
  });

  test('are what a call for the template means: the newest, and no other', async () => {
    const path = `/v1/templates/${templateId}/journeys`;
    const { id, account_id } = journeys[1]!;
    const called = await api.request('POST', path, { token, body: { contact: { id: contactId }, source: 'branch' } });
    expect([called.status, called.body]).toMatchObject([200, { id, account_id, cancelled_at: null }]);
    const body = { unique_id: 'p', journey: { template_id: templateId } };
    expect((await api.request('POST', '/v1/contacts', { token, body })).status).toBe(200);
    const all = await list(`contact_id=${contactId}`);
    expect(all.map(({ source }: { source: string }) => source)).toEqual(['automatic-targeting', 'branch']);
  });

  test('are each cancelled alone, by a client that the audit log names', async () => {
    const { id, slug } = journeys[1]!;
    const cancelled = await api.request('POST', `/v1/journeys/${id}/cancel`, { token });
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { id, cancelled_at: expect.any(String) }]);
    expect((await api.request('POST', `/v1/journeys/${journeys[0]!.id}/cancel`, { token })).status).toBe(409);
    expect((await api.request('GET', `/j/${slug}`)).status).toBe(410);
    const { value } = await adminJson('audit', 'list', '--team', teamId);
    const entries = value.filter(({ what }: { what: string }) => what === 'journey cancel');
    const ofCancel = { who: team.clientId, ids: { journey_id: id } };
    expect(entries.filter(({ ids }: { ids: { journey_id: string } }) => ids.journey_id === id)).toMatchObject([
      { ...ofCancel, outcome: 'done' },
      { ...ofCancel, outcome: 'begun' },
    ]);
  });

  test('are listed by `contact show`, with account, state and what started them, and beside them what was noted', async () => {
    const { contact } = (await loadContact(api.database, teamId, contactId))!;
    const note = { template_id: templateId, account_id: journeys[0]!.account_id, revision: 'r', at: timestamp(0) };
    await api.database.write([noteInsertion(teamId, contact, note)]);
    const show = ['contact', 'show', '--team', teamId, '--unique-id', 'p'];
    const { value } = await adminJson(...show);
    const [first, second] = journeys.map(({ id, account_id }) => ({ id, account_id, template_id: templateId }));
    expect(value.journeys).toMatchObject([
      { ...first, state: 'completed', source: 'automatic-targeting', rule: { revision: 'r' } },
      { ...second, state: 'cancelled', source: 'branch', rule: { revision: 'r' } },
    ]);
    expect(value.targeted).toEqual([{ ...note, name: fields.name }]);
    const { stdout } = await admin(show);
    expect(stdout).toContain('(completed, account first, by the rule of the campaign)');
    expect(stdout).toMatch(/^targeted +Account welcome \(account first, 1970-01-01T00:00:00.000000Z\)$/m);
  });
});
