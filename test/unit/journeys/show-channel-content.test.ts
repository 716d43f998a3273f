import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { defaultReference } from '../../../lib/auth/content-reference.ts';
import { secretsOf } from '../../../lib/domain/teams/team.ts';
import {
  openContent,
  recordContentAction,
  showChannelContent,
} from '../../../lib/operations/journeys/show-channel-content.ts';
import { loadResponses } from '../../../lib/store/journeys/journeys.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import {
  app,
  ChannelWorld,
  container,
  hidden,
  objective,
  type Page,
  page,
  type Template,
  template,
  web,
} from './channel-world.ts';

type Container = Page['content_containers'][number];
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
