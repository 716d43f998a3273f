import type { Json } from '../../checks/http.ts';
import { keysOf, matches, same, timePattern, uuidPattern } from '../assert.ts';
import * as values from '../campaign-fields.ts';
import type { Row } from '../row.ts';
import type { World } from '../world.ts';
import {
  blocksRow,
  derivedRow,
  fixtures,
  ids,
  orderRow,
  type Read,
  read,
  sections,
  setRows,
  teamRow,
} from './campaign-objects.ts';

const placed: readonly [
  kind: 'template' | 'page' | 'message' | 'content_container',
  of: (read: Read) => Json,
  own: (world: World) => Json,
][] = [
  [
    'template',
    ({ full }) => full.template.content_blocks[0],
    (world) => ({ id: ids(world).templateBlock, container_id: ids(world).full, template_id: ids(world).full }),
  ],
  [
    'page',
    ({ pages }) => pages[1].page.content_blocks[0],
    (world) => ({ id: ids(world).pageBlock, container_id: ids(world).fullPage, page_id: ids(world).fullPage }),
  ],
  [
    'message',
    ({ messages }) => messages[1].message.content_blocks[0],
    (world) => ({
      id: ids(world).messageBlock,
      container_id: ids(world).fullMessage,
      message_id: ids(world).fullMessage,
    }),
  ],
  [
    'content_container',
    ({ pages }) => pages[1].page.content_containers[0].content_blocks[0],
    (world) => ({
      id: ids(world).containerBlock,
      container_id: ids(world).fullContainer,
      content_container_id: ids(world).fullContainer,
      page_id: ids(world).fullPage,
    }),
  ],
];

export const campaignRows: readonly Row[] = [
  derivedRow('template', 'Template', 'id', 'is the id of the template.', (world) => ids(world).full),
  ...setRows('template', 'Template', values.templateValues),
  sections.template.row(
    'Template: `content_blocks` is an array of content block objects.',
    'Reads the block of the template, and the template as it is listed.',
    async (world) => {
      const { full } = await read(world);
      same(
        full.template.content_blocks.map((each: Json) => each.id),
        [ids(world).templateBlock],
        'the ids',
      );
    },
  ),
  teamRow('template', 'Template'),
  ...placed.map(([kind, of, own]) =>
    sections.block.row(
      `\`id\`, \`container_id\`, \`container_type\` (\`${kind}\`), \`content_container_id\`, \`message_id\`, \`page_id\` and \`template_id\` say where a block of a ${kind.replace('_', ' ')} is.`,
      'Reads the block and compares its ids with what contains it; those of other containers are `null` or those around it.',
      async (world) => {
        const block = of(await read(world));
        same(block.container_type, kind, 'container_type');
        for (const [field, id] of Object.entries(own(world))) same(block[field], id, field);
        const none = {
          template: ['page_id', 'message_id', 'content_container_id'],
          page: ['message_id', 'content_container_id'],
          message: ['page_id', 'content_container_id'],
          content_container: ['message_id'],
        };
        for (const field of none[kind]) same(block[field], null, field);
      },
    ),
  ),
  ...setRows('block', 'Content block', values.blockValues),
  derivedRow(
    'message',
    'Template message',
    'id',
    'is the id of the template message.',
    (world) => ids(world).fullTemplateMessage,
  ),
  derivedRow(
    'message',
    'Template message',
    'message_id',
    'is the id of the message.',
    (world) => ids(world).fullMessage,
  ),
  derivedRow('message', 'Template message', 'template_id', 'is the id of the template.', (world) => ids(world).full),
  derivedRow(
    'message',
    'Template message',
    'template_page_id',
    'is the id of the template page.',
    (world) => ids(world).fullTemplatePage,
  ),
  ...setRows('message', 'Template message', values.templateMessageValues).filter(
    (each) => !each.demand.includes('`order`'),
  ),
  orderRow('message', 'Template message'),
  sections.message.row('Template message: `message` is a message object.', 'Compares its keys.', async (world) => {
    const [{ message }] = fixtures['Template message'](await read(world));
    const own = ['content_blocks', 'id', 'objective', 'objective_id', ...Object.keys(values.messageValues)];
    same(keysOf(message), own.sort(), 'the fields of the message');
  }),
  derivedRow('message', 'Message', 'id', 'is the id of the message.', (world) => ids(world).fullMessage),
  derivedRow('message', 'Message', 'objective_id', 'is the id of the objective.', (world) => ids(world).objective),
  sections.message.row(
    'Message: `objective` is an object.',
    'Compares it with the listed objective.',
    async (world) => {
      const found = await read(world);
      same(found.messages[1].message.objective, found.objectives[0], 'the objective');
      same(found.messages[0].message.objective, null, 'the objective if not set');
    },
  ),
  blocksRow('message', 'Message', (world) => [ids(world).messageBlock]),
  ...setRows('message', 'Message', values.messageValues),
  derivedRow('page', 'Template page', 'id', 'is the id of the template page.', (world) => ids(world).fullTemplatePage),
  derivedRow('page', 'Template page', 'page_id', 'is the id of the page.', (world) => ids(world).fullPage),
  derivedRow('page', 'Template page', 'template_id', 'is the id of the template.', (world) => ids(world).full),
  ...setRows('page', 'Template page', values.templatePageValues).filter((each) => !each.demand.includes('`order`')),
  orderRow('page', 'Template page'),
  sections.page.row('Template page: `page` is a page object.', 'Compares its keys.', async (world) => {
    const [{ page }] = fixtures['Template page'](await read(world));
    const own = ['completion_product_id', 'completion_product_ids', 'completion_standardized_types', 'content_blocks'];
    const derived = ['content_containers', 'id', 'objective_id', 'team', 'team_id', 'updated_at'];
    same(keysOf(page), [...own, ...derived, ...Object.keys(values.pageValues)].sort(), 'the fields of the page');
  }),
  derivedRow('page', 'Page', 'id', 'is the id of the page.', (world) => ids(world).fullPage),
  derivedRow('page', 'Page', 'completion_product_id', 'is the product for completion.', (world) => ids(world).product),
  derivedRow('page', 'Page', 'objective_id', 'is the id of the objective.', (world) => ids(world).objective),
  derivedRow('page', 'Page', 'team_id', 'is the id of the team.', (world) => world.team.teamId),
  ...setRows('page', 'Page', values.pageValues),
  sections.page.row('Page: `updated_at` is the time of the last update.', 'Reads it.', async (world) => {
    matches(fixtures.Page(await read(world))[0].updated_at, timePattern, 'updated_at');
  }),
  teamRow('page', 'Page'),
  blocksRow('page', 'Page', (world) => [ids(world).pageBlock]),
  sections.page.row(
    'Page: `content_containers` is an array of content containers.',
    'Compares ids and keys.',
    async (world) => {
      const [container] = fixtures['Content container'](await read(world));
      const own = [
        'content_blocks',
        'css',
        'engagement_channel',
        'engagement_channel_id',
        'id',
        'layout_basis',
        'page_id',
      ];
      same(keysOf(container), [...own, 'styles'], 'the fields of a container');
    },
  ),
  sections.page.row(
    'Page: `completion_product_ids` and `completion_standardized_types` are sets, empty when unused.',
    'Reads the pages of the team with both reporting features, each with one of the sets, and pages without.',
    async (world) => {
      const { featured, featuredIds } = world;
      const { body } = await featured.call(200, `GET /v1/templates/${featuredIds.template}/template_pages`);
      same(body[0].page.completion_standardized_types, ['ira_cd', 'heloc'], 'completion_standardized_types');
      same(body[1].page.completion_product_ids, [featuredIds.product], 'completion_product_ids');
      const [page] = fixtures.Page(await read(world));
      same([page.completion_product_ids, page.completion_standardized_types], [[], []], 'the sets when unused');
    },
  ),
  derivedRow('page', 'Content container', 'id', 'is the id of the container.', (world) => ids(world).fullContainer),
  derivedRow(
    'page',
    'Content container',
    'engagement_channel_id',
    'is the id of the channel.',
    (world) => ids(world).channel,
  ),
  derivedRow('page', 'Content container', 'page_id', 'is the id of the page.', (world) => ids(world).fullPage),
  ...setRows('page', 'Content container', values.containerValues),
  blocksRow('page', 'Content container', (world) => [ids(world).containerBlock]),
  sections.page.row(
    'Content container: `engagement_channel` is the channel object.',
    'Compares it with the listed channel.',
    async (world) => {
      const found = await read(world);
      const [full, bare] = fixtures['Content container'](found);
      same([full.engagement_channel, bare.engagement_channel], [found.channels[0], null], 'the channels');
    },
  ),
  derivedRow('page', 'Engagement channel', 'id', 'is the id of the channel.', (world) => ids(world).channel),
  ...setRows('page', 'Engagement channel', values.channelValues),
  derivedRow('objective', 'Objective', 'id', 'is the id of the objective.', (world) => ids(world).objective),
  ...setRows('objective', 'Objective', values.objectiveValues),
  sections.objective.row(
    'Objective: `team_id` is the owning team, `null` if the objective is global.',
    'Reads the objectives: those of the team have its id, all others `null`.',
    async (world) => {
      const { body } = await world.team.call(200, 'GET /v1/objectives');
      const owners = body.objectives.map((each: Json) => each.team_id).filter((each: unknown) => each !== null);
      same(owners, [world.team.teamId, world.team.teamId], 'the owning teams');
      matches(body.objectives[0].id, uuidPattern, 'id');
    },
  ),
  sections.objective.elsewhere(
    'Objective: `team_id` is `null` if the objective is global.',
    'Global objectives would be seen by every team of the installation, so the run makes none.',
    'test/http/templates.test.ts',
  ),
];
