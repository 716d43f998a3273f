import { beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../bin/admin/operations/access/clients.ts';
import { exportedObjects } from '../../../bin/admin/operations/teams/export-team.ts';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { withAnswer } from '../../../lib/domain/journeys/given-answer.ts';
import { saveAttempts } from '../../../lib/store/journeys/identity-checks.ts';
import { insertionOf, insertionsOf, responseInsertions } from '../../../lib/store/journeys/journeys.ts';
import { derivedAccountId } from '../../../lib/store/table/ids.ts';
import { clientKey } from '../../../lib/store/table/keys.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { putContent } from '../../support/operations/content.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import { journeyOf } from '../../support/samples/samples.ts';

let database: ModelDatabase;
let team: string;
let client: string;
const dependencies = () => serviceOn(database, { newSecret: () => 'hidden' });
beforeEach(async () => {
  database = new ModelDatabase();
  team = (await createTeam(dependencies(), { name: 'Bank', features: [] })).team_id;
  client = (await createClient(dependencies(), team, null, { name: 'CRM' })).client_id;
});

/** The team's objects of this kind, as the export writes them. */
const exported = async (kind: string) =>
  (await exportedObjects(database, team, [...database.items.values()])).filter((each) => each.kind === kind);

const post = (fields: object) => upsertContact(serviceOn(database), team, record(fields));

async function importAccount(account_number: string, unique_id: string): Promise<void> {
  const imports = serviceOn(database);
  const product = { code: 'CHK', type: 'checking', name: 'Checking' };
  await postBatch(imports, team, { records: [{ account_number, nickname: 'Mine', contact: { unique_id }, product }] });
  await workAll(imports, team);
}

describe('the export of a team has', () => {
  test('the team, without its secrets', async () => {
    const { secret, previous_secret, ...shown } = (await loadTeam(database, team))!;
    expect([secret, previous_secret]).toEqual(['hidden', null]);
    expect(await exported('team')).toEqual([{ kind: 'team', ...shown }]);
  });

  test('its clients, without their secrets and versions', async () => {
    const [shown, ...others] = await exported('client');
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ kind: 'client', client_id: client, name: 'CRM', team_id: team });
    expect(shown).not.toHaveProperty('secrets');
    expect(shown).not.toHaveProperty('version');
  });

  test('no client whose item is missing', async () => {
    database.damage(clientKey(client));
    expect(await exportedObjects(database, team, [...database.items.values()])).toMatchObject([{ kind: 'team' }]);
  });

  test('its accounts with their numbers, its products and the links of contacts', async () => {
    const contact_id = (await post({ unique_id: 'ann' })).contact.id;
    await importAccount('4711', 'ann');
    expect(await exported('account')).toEqual([
      expect.objectContaining({
        ...{ kind: 'account', id: derivedAccountId(team, '4711'), account_number: '4711' },
        fields: { nickname: 'Mine' },
      }),
    ]);
    expect(await exported('product')).toEqual([expect.objectContaining({ kind: 'product', name: 'Checking' })]);
    expect(await exported('link')).toEqual([
      expect.objectContaining({ kind: 'link', contact_id, account_number: '4711' }),
    ]);
  });

  test('its whole campaign content as one object', async () => {
    await putContent(database, team, { objectives: [{ name: 'Open', key: 'open' }], templates: [{ name: 'Welcome' }] });
    expect(await exported('content')).toEqual([
      {
        kind: 'content',
        objectives: [expect.objectContaining({ key: 'open' })],
        engagement_channels: [],
        templates: [expect.objectContaining({ name: 'Welcome' })],
      },
    ]);
  });

  test('its contacts with their former values', async () => {
    const contact_id = (await post({ unique_id: 'ann', name_first: 'Ann' })).contact.id;
    expect(await exported('contact')).toEqual([
      expect.objectContaining({
        kind: 'contact',
        id: contact_id,
        name_first: 'Ann',
        former_unique_ids: [],
        identity_facts_changed: null,
      }),
    ]);
    expect(await exported('identity_attempts')).toEqual([]);
  });

  test('the journeys of contacts without the secrets of their URLs, and all that people did in them', async () => {
    const { contact } = await post({ unique_id: 'ann' });
    const contact_id = contact.id;
    const [template_id, page_id, block_id, id] = Array.from({ length: 4 }, () => crypto.randomUUID()) as [
      ...[string, string, string, string],
    ];
    const at = '2026-03-01T12:00:00.000000Z';
    const names = { name: 'Welcome', owner_id: null, source: 'api' };
    const times = { completion_verified_at: null, inserted_at: at, updated_at: at };
    const { slug, ...journey } = journeyOf({ id, contact_id, template_id, ...names, ...times });
    await database.transact(insertionsOf(team, { ...journey, slug: 'hidden-slug' }, at, undefined));
    const key = { contactId: contact_id, templateId: template_id };
    await database.write([insertionOf(team, journey, { kind: 'viewed', page_id, at })]);
    const block = { block_id, block_type: 'signature', content_revision: null, identity_proved: true };
    const given = { answer: 'accepted' as const, typed_name: 'Ann', values: [], text: 'I agree' };
    const facts = { shows_private: false, identity_facts_changed_at: at, identity_facts_changed_by: 'import' };
    const response = { id: crypto.randomUUID(), page_id, ...block, ...given, ...facts, at };
    const answers = { responses: [response], given: withAnswer([], response) };
    await database.transact(responseInsertions(team, key, { journey: { id }, given: { number: undefined } }, answers));
    const attempts = { count: 2, pausedUntil: null };
    await saveAttempts(database, team, contact, attempts, { attempts: { ...attempts, count: 0 }, version: 0 });

    expect(await exported('journey')).toEqual([{ kind: 'journey', ...journey }]);
    expect(await exported('action')).toEqual([
      expect.objectContaining({ kind: 'action', contact_id, template_id, action: 'viewed', page_id, at }),
    ]);
    expect(await exported('answer')).toEqual([
      expect.objectContaining({ kind: 'answer', contact_id, template_id, page_id, block_id, answer: 'accepted' }),
    ]);
    expect(await exported('response')).toEqual([
      expect.objectContaining({
        kind: 'response',
        contact_id,
        id: response.id,
        typed_name: 'Ann',
        text: 'I agree',
        ...facts,
      }),
    ]);
    expect(await exported('identity_attempts')).toEqual([{ kind: 'identity_attempts', contact_id, ...attempts }]);
  });

  test('nothing of another team, and nothing that is only needed for the work of the service', async () => {
    await post({ unique_id: 'ann' });
    await importAccount('4711', 'ann');
    const items = [...database.items.values()];
    const kinds = (await exportedObjects(database, team, items)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['account', 'client', 'contact', 'link', 'product', 'team']);
    expect(await exportedObjects(database, crypto.randomUUID(), items)).toEqual([]);
  });
});
