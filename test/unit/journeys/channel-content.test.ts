import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { contentReference, defaultReference } from '../../../lib/auth/content-reference.ts';
import type { Template as StoredTemplate } from '../../../lib/domain/campaigns/template.ts';
import { lookupField } from '../../../lib/domain/contacts/lookup.ts';
import { contentPath, offersOf } from '../../../lib/domain/journeys/channel-content.ts';
import { secretsOf, type Team } from '../../../lib/domain/teams/team.ts';
import { channelContent } from '../../../lib/operations/journeys/channel-content.ts';
import { recordPageAction } from '../../../lib/operations/journeys/record-action.ts';
import { journeyKeyOfSlug } from '../../../lib/operations/journeys/show.ts';
import {
  openContent,
  recordContentAction,
  showChannelContent,
} from '../../../lib/operations/journeys/show-channel-content.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { loadContactAggregate, loadResponses } from '../../../lib/store/journeys/journeys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { putContent } from '../../support/operations/content.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import { journeyOf } from '../../support/samples/samples.ts';

const noon = Date.parse('2026-01-01T12:00:00.000Z');
const placed = (id: string, engagement_channel_id = 'web') => ({ id, engagement_channel_id });
const pageWith = (id: string, fields: object = {}) => ({
  page: {
    id,
    is_archived: null,
    is_live: null,
    content_block_status: null,
    content_containers: [placed(id)],
    ...fields,
  },
});
const campaign = (id: string, fields: object = {}) =>
  ({
    id,
    is_archived: null,
    archived_at: null,
    status: 'live',
    is_muted: false,
    is_cce_enabled: true,
    journey_duration_hours: null,
    template_pages: [pageWith(`${id}1`)],
    ...fields,
  }) as unknown as StoredTemplate;
const journeyIn = (each: StoredTemplate, inserted_at = '2026-01-01T00:00:00.000000Z') => ({
  journey: journeyOf({ template_id: each.id, inserted_at }),
  template: each,
});
const offered = (journeys: ReturnType<typeof journeyIn>[], templates: StoredTemplate[]) =>
  offersOf(journeys, templates, 'web', noon).map(({ container }) => container.id);

describe('the content for a channel', () => {
  test('is in the order of the templates, and of the pages of each', () => {
    const [a, b] = [campaign('a', { template_pages: [pageWith('a1'), pageWith('a2')] }), campaign('b')];
    expect(offered([journeyIn(b), journeyIn(a)], [a, b])).toEqual(['a1', 'a2', 'b1']);
    expect(offersOf([journeyIn(b)], [a, b], 'web', noon)).toEqual([
      { journey: journeyIn(b), page: b.template_pages[0]!.page, container: placed('b1') },
    ]);
  });

  const withContainers = (...containers: object[]) => ({
    template_pages: [pageWith('a1', { content_containers: containers })],
  });
  test.each<[string, object, string[]]>([
    ['a live campaign', {}, ['a1']],
    ['a campaign of no status', { status: null }, []],
    ['a muted campaign', { is_muted: true }, []],
    ['a campaign that is not for channels', { is_cce_enabled: false }, []],
    ['a campaign that does not say whether it is for channels', { is_cce_enabled: null }, []],
    ['an archived campaign', { is_archived: true }, []],
    ['a campaign within its time', { journey_duration_hours: 13 }, ['a1']],
    ['a campaign after its time', { journey_duration_hours: 12 }, []],
    ['a page that is not published', { template_pages: [pageWith('a1', { content_block_status: 'draft' })] }, []],
    ['a page that is excluded', { template_pages: [pageWith('a1', { exclude_from_cce: true })] }, []],
    ['a page for another channel', withContainers(placed('x', 'tv')), []],
    ['two containers', withContainers(placed('x'), placed('y')), ['x']],
  ])('of %s', (_, fields, expected) => {
    const each = campaign('a', fields);
    expect(offered([journeyIn(each)], [each])).toEqual(expected);
  });
});

test('the path of the content escapes its reference', () => {
  expect(contentPath('web', 'a/b?c')).toBe('/c/web/a%2Fb%3Fc');
});

const [app, web] = [randomUUID(), randomUUID()];
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

/** A team with the channels App and Web, and a contact with a journey of each template. */
class ChannelWorld {
  readonly database: ModelDatabase;
  readonly team: Team;
  contactId = '';

  private constructor(database: ModelDatabase, team: Team) {
    this.database = database;
    this.team = team;
  }

  static async open(templates: Template[], fields: object = {}): Promise<ChannelWorld> {
    const database = new ModelDatabase();
    const dependencies = serviceOn(database);
    const world = new ChannelWorld(database, await createTeam(dependencies, { name: 'Bank', features: [] }));
    await world.#fill(templates, fields);
    return world;
  }

  async put(templates: Template[]): Promise<void> {
    const engagement_channels = [
      { id: app, name: 'App' },
      { id: web, name: 'Web' },
    ];
    await putContent(this.database, this.team.team_id, { engagement_channels, objectives: [objective], templates });
  }

  async #fill(templates: Template[], fields: object): Promise<void> {
    const { database, team } = this;
    await this.put(templates);
    for (const { id } of templates) {
      const sent = record({ unique_id: 'ann', name_first: 'Ann', ...fields, journey: { template_id: id } });
      this.contactId = (await upsertContact(serviceOn(database), team.team_id, sent)).contact.id;
    }
  }

  /** Dependencies of the operations for channels. No scan is allowed. */
  dependencies() {
    return {
      ...serviceOn(this.database),
      ...{ productCache: new ProductCache(this.database), baseUrl: 'https://bank.example', scanUnits: 0 },
    };
  }

  async journeyOf({ id }: Template) {
    const aggregate = await loadContactAggregate(this.database, this.team.team_id, this.contactId);
    return aggregate!.journeys.find(({ journey }) => journey.template_id === id)!;
  }

  /** The recorded actions in the journey, each with its page. */
  async actionsIn(of: Template) {
    return (await this.journeyOf(of)).actions.map(({ kind, page_id }) => [kind, page_id]);
  }

  async referenceTo(of: Template, { id }: Container): Promise<string> {
    const { journey } = await this.journeyOf(of);
    const location = { channelId: web, contactId: this.contactId, journeyId: journey.id, containerId: id };
    return contentReference(this.team.team_id, secretsOf(this.team), location);
  }
}

const text = (body: string) => ({ id: randomUUID(), type: 'text', data: { body } });

const responsesIn = async (world: ChannelWorld, of: Template) =>
  (
    await loadResponses(world.database, world.team.team_id, world, (await world.journeyOf(of)).journey.id, {
      limit: 100,
    })
  ).responses;
const show = async (world: ChannelWorld, of: Template, shown: Container) =>
  showChannelContent(world.dependencies(), web, await world.referenceTo(of, shown));

type Action = Parameters<typeof recordContentAction>[2];
async function act(world: ChannelWorld, of: Template, shown: Container, action: Action): Promise<void> {
  const opened = await openContent(world, web, await world.referenceTo(of, shown));
  await recordContentAction(world.dependencies(), opened, action);
}

describe('the content of a reference', () => {
  test('is that of its channel, journey and container, also if templates share the page', async () => {
    const shared = page({}, [container([], app), container([text('Hello')])]);
    const templates = [template([shared]), template([shared], { name: 'Yearly' })];
    const world = await ChannelWorld.open(templates);
    for (const each of templates) {
      const { channel, offered } = await show(world, each, shared.content_containers[1]!);
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
    const world = await ChannelWorld.open([campaign], { [objective.key]: true });
    const { offered } = await show(world, campaign, pages[1]!.content_containers[0]!);
    expect(offered!.around.map((each) => [each.page.id, each.isShown])).toEqual([
      [pages[1]!.id, true],
      [pages[2]!.id, false],
    ]);
    for (const { page: around, reference } of offered!.around) {
      const there = await showChannelContent(world.dependencies(), web, reference);
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
    const world = await ChannelWorld.open([campaign]);
    const imports = serviceOn(world.database);
    const product = { code: 'CHK', type: 'checking' };
    const account = { account_number: '1', nickname: 'Mine', contact: { unique_id: 'ann' }, product };
    await postBatch(imports, world.team.team_id, { records: [account] });
    await workAll(imports, world.team.team_id);
    const { offered } = await show(world, campaign, content.content_containers[0]!);
    expect(offered!.account?.account.fields.nickname).toBe(expected);
  });

  test.each([
    ['without a proof of identity is shown', false, 'I, Ann, agree.'],
    ['with a proof of identity is not shown', true, undefined],
  ])('has another text now: the one that was accepted %s', async (_, isProved, expected) => {
    const block = { id: randomUUID(), type: 'agreement', data: { agreementText: 'I, {{name_first}}, agree.' } };
    const content = page({ completion_condition: 'confirm', content_blocks: [block] });
    const campaign = template([content]);
    const world = await ChannelWorld.open([campaign]);
    const key = await journeyKeyOfSlug(world.database, (await world.journeyOf(campaign)).journey.slug);
    const answers = [{ block_id: block.id, answer: 'accepted' as const }];
    const action = { type: 'page_completed', page_id: content.id, answers } as const;
    await recordPageAction(world.dependencies(), key, action, () => isProved);
    // The block moves into the channel.
    content.content_blocks = [];
    content.content_containers[0]!.content_blocks.push({ ...block, data: { agreementText: 'Something else.' } });
    await world.put([campaign]);
    const { offered } = await show(world, campaign, content.content_containers[0]!);
    const { isOfOtherText, text } = offered!.answers.get(block.id)!;
    expect([isOfOtherText, text]).toEqual([true, expected]);
  });

  test('records no completion in journeys without content for the channel', async () => {
    const [offering, other] = [template([page()]), template([hidden()], { is_muted: true })];
    const world = await ChannelWorld.open([offering, other], { [objective.key]: true });
    const shown = offering.template_pages[0]!.page;
    expect((await show(world, offering, shown.content_containers[0]!)).offered).toBeDefined();
    expect(await world.actionsIn(other)).toEqual([]);
  });

  test('is the default content for the reference of that', async () => {
    const world = await ChannelWorld.open([template([page()])]);
    const reference = defaultReference(world.team.team_id, secretsOf(world.team), web);
    const shown = await showChannelContent(world.dependencies(), web, reference);
    expect(shown).toMatchObject({ isForAll: true, channel: { id: web } });
    expect(shown.offered).toBeUndefined();
    const opened = await openContent(world, web, reference);
    await expect(recordContentAction(world.dependencies(), opened, { type: 'page_viewed' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('an action in a channel', () => {
  test('is recorded in the journey of the reference', async () => {
    const [first, second] = [template([page()]), template([page()])];
    const world = await ChannelWorld.open([first, second]);
    const shown = second.template_pages[0]!.page;
    await act(world, second, shown.content_containers[0]!, { type: 'page_viewed' });
    const kinds = async (each: Template) => (await world.journeyOf(each)).actions.map(({ kind }) => kind).toSorted();
    expect([await kinds(first), await kinds(second)]).toEqual([[], ['completed', 'finished', 'viewed']]);
    expect((await world.journeyOf(second)).actions[0]!.page_id).toBe(shown.id);
    await act(world, first, first.template_pages[0]!.page.content_containers[0]!, { type: 'page_viewed' });
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
    const world = await ChannelWorld.open([campaign]);
    const answers = [{ block_id: agreement.id, answer: 'accepted' as const }];
    await act(world, campaign, content.content_containers[0]!, { type: 'page_completed', answers });
    const { journey } = await world.journeyOf(campaign);
    const [response] = await responsesIn(world, campaign);
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
    const world = await ChannelWorld.open([campaign]);
    const answers = [{ block_id: agreement.id, answer: 'accepted' as const }];
    await act(world, campaign, content.content_containers[0]!, { type: 'page_completed', answers });
    expect(await responsesIn(world, campaign)).toMatchObject([{ text: 'A' }]);
  });
});

function search(world: ChannelWorld) {
  const field = lookupField('unique_id') as { name: 'unique_id' };
  const caller = { teamId: world.team.team_id, clientId: 'client' };
  return channelContent(world.dependencies(), caller, web, { field, value: 'ann' });
}
const isCompleted = { [objective.key]: true };

describe('a search for the content of a contact', () => {
  test('records what it passes over as completed, in journeys with content for the channel only', async () => {
    const [offering, other] = [template([hidden(), page()]), template([hidden()], { is_muted: true })];
    const world = await ChannelWorld.open([offering, other], isCompleted);
    await search(world);
    const [first] = offering.template_pages;
    expect(await world.actionsIn(offering)).toEqual([['completed', first!.page.id]]);
    expect(await world.actionsIn(other)).toEqual([]);
  });

  test('records nothing if it does not depend on what is completed', async () => {
    const campaign = template([page({ completion_condition: 'objective', objective_id: objective.id })]);
    const world = await ChannelWorld.open([campaign], isCompleted);
    const { journey_url } = await search(world);
    expect(journey_url).toBe(`https://bank.example/j/${(await world.journeyOf(campaign)).journey.slug}`);
    expect(await world.actionsIn(campaign)).toEqual([]);
  });
});
