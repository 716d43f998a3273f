import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { contentReference, defaultReference } from '../../lib/auth/content-reference.ts';
import { newSecret } from '../../lib/auth/secrets.ts';
import { lookupField } from '../../lib/domain/lookup.ts';
import { secretsOf, type Team } from '../../lib/domain/team.ts';
import { channelContent } from '../../lib/operations/channel-content.ts';
import { upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { createTeam } from '../../lib/operations/create-team.ts';
import { openContent, recordContentAction, showChannelContent } from '../../lib/operations/show-channel-content.ts';
import { loadContactAggregate, loadResponses } from '../../lib/store/journeys.ts';
import { ProductCache } from '../../lib/store/products.ts';
import { contactDependencies, record } from '../support/contacts.ts';
import { putContent } from '../support/content.ts';
import { importDependencies, postBatch, workAll } from '../support/import-operations.ts';
import { ModelDatabase } from '../support/model-database.ts';

const [app, web] = [randomUUID(), randomUUID()];
const text = (body: string) => ({ id: randomUUID(), type: 'text', data: { body } });
const container = (content_blocks: object[] = [], engagement_channel_id = web) => ({
  id: randomUUID(),
  engagement_channel_id,
  content_blocks,
});
type Container = ReturnType<typeof container>;
type Page = { id: string; content_containers: Container[]; [field: string]: unknown };
const page = (fields: object = {}, content_containers = [container()]): Page => ({
  id: randomUUID(),
  completion_condition: 'view',
  content_containers,
  ...fields,
});
const template = (pages: Page[], fields: object = {}) => ({
  id: randomUUID(),
  name: 'Welcome',
  status: 'live',
  is_cce_enabled: true,
  template_pages: pages.map((each, order) => ({ order, page: each })),
  ...fields,
});
type Template = ReturnType<typeof template>;
const objective = { id: randomUUID(), key: 'opened' };
/** A page that is completed and hidden as soon as the contact has the objective. */
const hidden = () => page({ completion_condition: 'objective', objective_id: objective.id, hide_when_complete: true });

let database: ModelDatabase;
let team: Team;
let contactId: string;
beforeEach(async () => {
  database = new ModelDatabase();
  const dependencies = { database, now: Date.now, newId: () => randomUUID(), newSecret };
  team = await createTeam(dependencies, { name: 'Bank', features: [] });
});

const dependencies = () => ({
  ...contactDependencies(database),
  ...{ productCache: new ProductCache(database), baseUrl: 'https://bank.example', scanUnits: 0 },
});

/** Content with these templates, and a contact with a journey of each. */
async function world(templates: Template[], fields: object = {}): Promise<void> {
  const engagement_channels = [
    { id: app, name: 'App' },
    { id: web, name: 'Web' },
  ];
  await putContent(database, team.team_id, { engagement_channels, objectives: [objective], templates });
  for (const { id } of templates) {
    const sent = record({ unique_id: 'ann', name_first: 'Ann', ...fields, journey: { template_id: id } });
    contactId = (await upsertContact(contactDependencies(database), team.team_id, sent)).contact.id;
  }
}

const aggregate = async () => (await loadContactAggregate(database, team.team_id, contactId))!;
const journeyOf = async ({ id }: Template) =>
  (await aggregate()).journeys.find(({ journey }) => journey.template_id === id)!;

const responsesIn = async (of: Template) =>
  loadResponses(database, team.team_id, { contactId }, (await journeyOf(of)).journey.id);

async function referenceTo(of: Template, { id }: Container): Promise<string> {
  const { journey } = await journeyOf(of);
  const location = { channelId: web, contactId, journeyId: journey.id, containerId: id };
  return contentReference(team.team_id, secretsOf(team), location);
}
const show = async (of: Template, shown: Container) =>
  showChannelContent(dependencies(), web, await referenceTo(of, shown));
async function act(of: Template, shown: Container, action: Parameters<typeof recordContentAction>[2]): Promise<void> {
  const opened = await openContent({ database }, web, await referenceTo(of, shown));
  await recordContentAction(dependencies(), opened, action);
}

describe('the content of a reference', () => {
  test('is that of its channel, journey and container, also if templates share the page', async () => {
    const shared = page({}, [container([], app), container([text('Hello')])]);
    const templates = [template([shared]), template([shared], { name: 'Yearly' })];
    await world(templates);
    for (const each of templates) {
      const { channel, offered } = await show(each, shared.content_containers[1]!);
      expect(channel).toMatchObject({ id: web, name: 'Web' });
      expect(offered!.journey.template_id).toBe(each.id);
      expect(offered!.template.name).toBe(each.name);
      expect(offered!.container.id).toBe(shared.content_containers[1]!.id);
      expect(offered!.around.map(({ isShown }) => isShown)).toEqual(templates.map((other) => other === each));
    }
  });

  test('lists the other content of the channel without completed content that hides, but with itself', async () => {
    const pages = [hidden(), hidden(), page()];
    const campaign = template(pages);
    await world([campaign], { [objective.key]: true });
    const { offered } = await show(campaign, pages[1]!.content_containers[0]!);
    expect(offered!.around.map((each) => [each.page.id, each.isShown])).toEqual([
      [pages[1]!.id, true],
      [pages[2]!.id, false],
    ]);
    for (const { page: around, reference } of offered!.around) {
      const there = await showChannelContent(dependencies(), web, reference);
      expect(there.offered!.shown.page.id).toBe(around.id);
    }
  });

  const nickname = '{{account.nickname}}';
  test.each<[where: string, content: Page, expected: string | undefined]>([
    ['a block', page({}, [container([text(nickname)])]), 'Mine'],
    ['the text after the completion', page({ completion_message: nickname }), 'Mine'],
    ['nothing', page({ content: nickname }, [container([text('{{name_first}}')])]), undefined],
  ])('has an account if %s names one', async (_where, content, expected) => {
    const campaign = template([content]);
    await world([campaign]);
    const imports = importDependencies(database);
    const product = { code: 'CHK', type: 'checking' };
    const account = { account_number: '1', nickname: 'Mine', contact: { unique_id: 'ann' }, product };
    await postBatch(imports, team.team_id, { records: [account] });
    await workAll(imports, team.team_id);
    const { offered } = await show(campaign, content.content_containers[0]!);
    expect(offered!.account?.account.fields.nickname).toBe(expected);
  });

  test('is the default content for the reference of that', async () => {
    await world([template([page()])]);
    const reference = defaultReference(team.team_id, secretsOf(team), web);
    const shown = await showChannelContent(dependencies(), web, reference);
    expect(shown).toMatchObject({ isForAll: true, channel: { id: web } });
    expect(shown.offered).toBeUndefined();
    const opened = await openContent({ database }, web, reference);
    await expect(recordContentAction(dependencies(), opened, { type: 'page_viewed' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('an action in a channel', () => {
  test('is recorded in the journey of the reference', async () => {
    const [first, second] = [template([page()]), template([page()])];
    await world([first, second]);
    const shown = second.template_pages[0]!.page;
    await act(second, shown.content_containers[0]!, { type: 'page_viewed' });
    const kinds = async (each: Template) => (await journeyOf(each)).actions.map(({ kind }) => kind).toSorted();
    expect([await kinds(first), await kinds(second)]).toEqual([[], ['completed', 'finished', 'viewed']]);
    expect((await journeyOf(second)).actions[0]!.page_id).toBe(shown.id);
    await act(first, first.template_pages[0]!.page.content_containers[0]!, { type: 'page_viewed' });
    expect(await kinds(first)).toEqual(['completed', 'finished', 'viewed']);
  });

  test('keeps the answer with the text as it was shown, and without a proof of identity', async () => {
    const agreementText = [
      ...['{{name_first}}', '{{account.nickname}}', '{{team.name}}', '{{template.name}}', '{{greeting}}'],
      '{{journey_url}}',
    ].join('|');
    const agreement = { id: randomUUID(), type: 'agreement', data: { agreementText } };
    const content = page({ completion_condition: 'confirm' }, [container([agreement])]);
    const campaign = template([content]);
    Object.assign(campaign.template_pages[0]!, { content_variables: { greeting: 'Hello' } });
    await world([campaign]);
    const answers = [{ block_id: agreement.id, answer: 'accepted' as const }];
    await act(campaign, content.content_containers[0]!, { type: 'page_completed', answers });
    const { journey } = await journeyOf(campaign);
    const [response] = await responsesIn(campaign);
    expect(response).toMatchObject({
      ...{ block_id: agreement.id, answer: 'accepted', identity_proved: false },
      text: `Ann||Bank|Welcome|Hello|https://bank.example/j/${journey.slug}`,
    });
  });

  test('fills in empty texts if the campaign has no name and the page no variables', async () => {
    const agreement = {
      id: randomUUID(),
      type: 'agreement',
      data: { agreementText: 'A{{template.name}}{{greeting}}' },
    };
    const content = page({ completion_condition: 'confirm' }, [container([agreement])]);
    const campaign = template([content], { name: null });
    await world([campaign]);
    const answers = [{ block_id: agreement.id, answer: 'accepted' as const }];
    await act(campaign, content.content_containers[0]!, { type: 'page_completed', answers });
    expect(await responsesIn(campaign)).toMatchObject([{ text: 'A' }]);
  });
});

describe('a search', () => {
  const search = () => {
    const field = lookupField('unique_id') as { name: 'unique_id' };
    const caller = { teamId: team.team_id, clientId: 'client' };
    return channelContent(dependencies(), caller, web, { field, value: 'ann' });
  };
  const completed = async (of: Template) => (await journeyOf(of)).actions.map(({ page_id }) => page_id);

  test('records the completion of the content that it passes over, in journeys with content for the channel only', async () => {
    const [offering, other] = [template([hidden(), page()]), template([hidden()], { is_muted: true })];
    await world([offering, other], { [objective.key]: true });
    await search();
    const pages = offering.template_pages.map((each) => each.page.id);
    expect([await completed(offering), await completed(other)]).toEqual([[pages[0]], []]);
  });

  test('records nothing if it does not depend on what is completed', async () => {
    const first = page({ completion_condition: 'objective', objective_id: objective.id });
    const campaign = template([first]);
    await world([campaign], { [objective.key]: true });
    await search();
    expect(await completed(campaign)).toEqual([]);
  });

  test('like the content itself, records no completion in other journeys', async () => {
    const [offering, other] = [template([page()]), template([hidden()], { is_muted: true })];
    await world([offering, other], { [objective.key]: true });
    const shown = offering.template_pages[0]!.page;
    await show(offering, shown.content_containers[0]!);
    expect(await completed(other)).toEqual([]);
  });
});
