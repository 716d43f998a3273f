import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { previewContent } from '../../../bin/admin/campaigns/content-preview.ts';
import { contentToExport } from '../../../bin/admin/operations/campaigns/content.ts';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { exportedDocument } from '../../../bin/content/export.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { noDetails } from '../../../lib/domain/contacts/contact.ts';
import { teamFeatures } from '../../../lib/domain/teams/team.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { loadStoredContent, saveContent } from '../../../lib/store/campaigns/content.ts';
import { globalTeam, identityKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

let database: ModelDatabase;
let team: string;
const dependencies = (fits: (response: unknown) => boolean = () => true) => ({
  ...serviceOn(database, { pause: async () => {} }),
  fits,
});
beforeEach(async () => {
  database = new ModelDatabase();
  team = (await createTeam(dependencies(), { name: 'Bank', features: [], language: 'cs' })).team_id;
});

const pages = [{ page: { content_name: 'First' } }, { page: { content_name: 'Second' } }];
const template = {
  name: 'Welcome',
  template_pages: pages,
  template_messages: [{ message: { content_name: 'Hello', type: 'email' } }],
};
const exportContent = async (from: ModelDatabase, owner: string | null) =>
  exportedDocument((await contentToExport(from, owner))!);
const put = (document: object, teamId: string | null = team, fits?: (response: unknown) => boolean) =>
  importContent(dependencies(fits), teamId, document as JsonValue);

describe('an import', () => {
  test.each<[what: string, path: string, isMeant: (response: object) => boolean]>([
    ['the list of objectives', '/objectives', (response) => 'objectives' in response],
    [
      'the list of templates',
      '/templates',
      (response) => 'templates' in response && 'name' in first(response.templates),
    ],
    ['the list of pages of the template', '/templates', (response) => Array.isArray(response)],
    [
      'the list of messages of the template',
      '/templates',
      (response) => 'templates' in response && 'message' in first(response.templates),
    ],
  ])('is refused if %s would be too large for a response', async (what, path, isMeant) => {
    const fits = (response: unknown) => !isMeant(response as object);
    const document = {
      templates: [template],
      objectives: [{ name: 'Open', key: 'open' }],
    };
    await expect(put(document, team, fits)).rejects.toMatchObject({
      code: 'validation_failed',
      details: [
        { path, message: expect.stringMatching(new RegExp(`^${what}.* would be larger than a response can be$`)) },
      ],
    });
    expect((await exportContent(database, team)).templates).toBeUndefined();
  });
  const first = (values: unknown): object => (values as object[])[0] ?? {};

  test('measures the responses of the team', async () => {
    const measured: unknown[] = [];
    const document = { templates: [template], objectives: [{ name: 'Open', key: 'open' }] };
    await put(document, team, (response) => measured.push(response) > 0);
    expect(measured).toMatchObject([
      { objectives: [{ key: 'open', team_id: team }] },
      { templates: [{ name: 'Welcome', team: null }] },
      [{ page: { content_name: 'First', team_id: team } }, { page: { content_name: 'Second' } }],
      { templates: [{ message: { content_name: 'Hello' } }] },
    ]);
    expect(measured).toHaveLength(4);
  });

  test('can name global objectives', async () => {
    const objective = { id: crypto.randomUUID(), name: 'Global', key: 'global' };
    await put({ objectives: [objective] }, null);
    const page = { content_name: 'First', completion_condition: 'objective', objective_id: objective.id };
    expect((await put({ templates: [{ name: 'Welcome', template_pages: [{ page }] }] })).counts.templates.created).toBe(
      1,
    );
  });

  test('can name completion product sets if the team has the features', async () => {
    const page = { content_name: 'First', completion_product_ids: [crypto.randomUUID()] };
    const document = { templates: [{ name: 'Welcome', template_pages: [{ page }] }] };
    await expect(put(document)).rejects.toMatchObject({ code: 'validation_failed' });
    const reporting = await createTeam(dependencies(), { name: 'Bank', features: [...teamFeatures] });
    expect((await put(document, reporting.team_id)).counts.templates.created).toBe(1);
  });

  test('that changes nothing does not measure the responses again', async () => {
    await put({ templates: [template] });
    const { counts } = await put({ templates: [template] }, team, () => false);
    expect(counts.templates).toMatchObject({ unchanged: 1 });
  });

  test('is given up on if another import always is first', async () => {
    const conflicting = { ...dependencies(), database: Object.assign(Object.create(database), refusing()) };
    const importing = importContent(conflicting, team, { templates: [template] } as unknown as JsonValue);
    await expect(importing).rejects.toMatchObject({
      code: 'unavailable',
      message: 'too many conflicts on the content',
    });
  });
  const refusing = () => ({
    get: (keys: Parameters<ModelDatabase['get']>[0]) => database.get(keys),
    query: (input: Parameters<ModelDatabase['query']>[0]) => database.query(input),
    write: async (writes: readonly unknown[]) => writes.map(() => false),
    transact: async () => false,
  });
});

describe('a preview', () => {
  const preview = (document: object, uniqueId?: string) =>
    previewContent(dependencies(), team, document as JsonValue, uniqueId);
  const archived = { page: { content_name: 'Archived', is_archived: true } };

  test('shows the pages of the document in its order, without archived pages, and stores nothing', async () => {
    await put({ templates: [{ name: 'Stored', template_pages: [{ page: { content_name: 'Stored' } }] }] });
    const other = { name: 'Other', language: 'de', template_pages: [archived, { page: { content_name: 'Third' } }] };
    const before = await exportContent(database, team);
    const shown = await preview({ templates: [template, other] });
    expect(
      shown.map(({ templateNumber, pageNumber, language, template: { name }, shown: { page } }) => {
        return [templateNumber, pageNumber, language, name, page.content_name];
      }),
    ).toEqual([
      [1, 1, 'cs', 'Welcome', 'First'],
      [1, 2, 'cs', 'Welcome', 'Second'],
      [2, 1, 'de', 'Other', 'Third'],
    ]);
    expect(shown.map(({ pages, published }) => [pages.length, published.length])).toEqual([
      [2, 2],
      [2, 2],
      [1, 1],
    ]);
    expect(await exportContent(database, team)).toEqual(before);
  });

  test('is that of a new journey of a sample person, whose identity is proved', async () => {
    const [shown] = await preview({ templates: [template] });
    const { contact, journey, analytics, answers, account, isIdentityValidated, identityNeed } = shown!;
    expect([answers, account, isIdentityValidated, identityNeed]).toEqual([[], undefined, true, undefined]);
    expect(contact).toEqual({
      ...noDetails,
      id: 'sample',
      unique_id: 'sample',
      name_first: 'Alex',
      name_last: 'Sample',
      address: '1 Sample Street',
      city: 'Sampleton',
      post_code: '00000',
      email: 'alex@example.com',
      phone_mobile: '+15550100100',
      birthdate: '1990-01-31',
      inserted_at: shown!.journey.inserted_at,
      updated_at: shown!.journey.inserted_at,
    });
    expect(shown!.template.team).toMatchObject({ id: team, name: 'Bank' });
    expect(shown!.shown.page.team_id).toBe(team);
    expect(journey).toMatchObject({
      id: 'preview',
      slug: 'preview',
      contact_id: 'sample',
      template_id: shown!.template.id,
    });
    expect(analytics).toMatchObject({ pages_viewed: [], pages_completed: [] });
  });

  test('says for each page whether an identity is needed in a journey', async () => {
    const footer = { content_blocks: [{ type: 'text', data: { body: '{{account.balance}}' } }] };
    const needs = async (fields: object) =>
      (await preview({ templates: [{ ...template, ...fields }] })).map((each) => each.identityNeed);
    expect(await needs(footer)).toEqual(['page', undefined]);
    expect(await needs({ is_auth_required: true })).toEqual(['journey', 'journey']);
  });

  test('shows the values and accounts of a contact', async () => {
    await upsertContact(serviceOn(database), team, record({ unique_id: 'ann', name_first: 'Ann' }));
    const product = { code: 'CHK', type: 'checking' };
    const imports = serviceOn(database);
    await postBatch(imports, team, {
      records: [{ account_number: '1', nickname: 'Mine', contact: { unique_id: 'ann' }, product }],
    });
    await workAll(imports, team);
    const opened = {
      page: { content_name: 'Open', completion_condition: 'open', completion_product_type: 'checking' },
    };
    const [shown] = await preview({ templates: [{ name: 'Welcome', template_pages: [opened] }] }, 'ann');
    expect(shown!.contact).toMatchObject({ unique_id: 'ann', name_first: 'Ann' });
    expect(shown!.account?.account.fields.nickname).toBe('Mine');
  });

  test('is not found without the contact or the team', async () => {
    await expect(preview({ templates: [template] }, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
    const bob = await upsertContact(serviceOn(database), team, record({ unique_id: 'bob' }));
    const renamedMeanwhile = { ...identityKey(team, 'ann'), contact_id: bob.contact.id };
    await database.write([{ kind: 'insert', item: renamedMeanwhile }]);
    await expect(preview({ templates: [template] }, 'ann')).rejects.toMatchObject({ code: 'not_found' });
    team = crypto.randomUUID();
    await expect(preview({ templates: [template] })).rejects.toMatchObject({ code: 'not_found' });
  });
});

const [ownTeam, first, second, global] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const objective = (key: string) => ({ id: randomUUID(), team_id: null, key, name: null, driver_id: null });

async function stored(): Promise<ModelDatabase> {
  const database = new ModelDatabase();
  for (const [owner, revision, key] of [
    [ownTeam, first, 'first'],
    [ownTeam, second, 'second'],
    [globalTeam, global, 'global'],
  ] as const) {
    const before = await loadStoredContent(database, owner);
    await saveContent(database, owner, { ...noContent, objectives: [objective(key)] }, { before, revision, now: 0 });
  }
  return database;
}

test.each([
  ['the current', ownTeam, second, 'second'],
  ['an earlier', ownTeam, first, 'first'],
  ['the global', null, global, 'global'],
])('the export of a revision can be that of %s content', async (_, owner, revision, key) => {
  expect(await contentToExport(await stored(), owner, revision)).toMatchObject({ objectives: [{ key }] });
});

test.each([
  ['another team', randomUUID(), first],
  ['no team', null, first],
  ['a team that has not had it', ownTeam, global],
])('a revision of %s is not exported', async (_, owner, revision) => {
  expect(await contentToExport(await stored(), owner, revision)).toBeUndefined();
});

test.each(['', 'x'.repeat(3000), first.toUpperCase()])('%j is no revision, and is not read', async (revision) => {
  const database = await stored();
  database.query = () => Promise.reject(new Error('a read'));
  expect(await contentToExport(database, ownTeam, revision)).toBeUndefined();
});
