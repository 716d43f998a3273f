import { enumerations, values, withEachValue } from './content.ts';
import { has, holds, keys, matches, same, timePattern } from './expect.ts';
import type { Json } from './http.ts';
import { check, needsMessages, once, shortCheck } from './suite.ts';

const derived: Record<string, string[]> = {
  template: ['id', 'content_blocks', 'has_survey_content_blocks', 'team'],
  block: ['id', 'container_id', 'container_type', 'content_container_id', 'message_id', 'page_id', 'template_id'],
  message: ['id', 'content_blocks', 'objective', 'objective_id'],
  templateMessage: ['id', 'message', 'message_id', 'template_id', 'template_page_id'],
  page: [
    ...['id', 'completion_product_id', 'completion_product_ids', 'completion_standardized_types', 'content_blocks'],
    ...['content_containers', 'objective_id', 'team', 'team_id', 'updated_at'],
  ],
  templatePage: ['id', 'page', 'page_id', 'template_id'],
  container: ['id', 'content_blocks', 'engagement_channel', 'engagement_channel_id', 'page_id'],
  channel: ['id'],
  objective: ['id', 'team_id'],
};
type Kind = keyof typeof values;

/** Each object of the specification: one in which everything is set, and one in which nothing is. */
const read = once(async (world) => {
  const { team, ids } = await world.content();
  const template = async (id: string) =>
    (await team.get(`/v1/templates/${id}?has_survey_content_blocks=true`)).template;
  const [full, bare] = [await template(ids.full), await template(ids.bare)];
  const pages = await team.get(`/v1/templates/${ids.full}/template_pages`);
  const messages = (await team.get(`/v1/templates/${ids.full}/template_messages`)).templates;
  const { engagement_channels: channels } = await team.get('/v1/engagement-channels');
  const { objectives } = await team.get('/v1/objectives');
  const both = (list: Json[], ...wanted: string[]): [Json, Json] =>
    wanted.map((id) => list.find((each) => each.id === id)) as [Json, Json];
  const container = ({ page }: Json) => page.content_containers[0];
  const found: Record<Kind, [full: Json, bare: Json]> = {
    template: [full, bare],
    block: [full.content_blocks[0], bare.content_blocks[0]],
    message: [messages[1].message, messages[0].message],
    templateMessage: [messages[1], messages[0]],
    page: [pages[1].page, pages[0].page],
    templatePage: [pages[1], pages[0]],
    container: [container(pages[1]), container(pages[0])],
    channel: both(channels, ids.channel, ids.bareChannel),
    objective: both(objectives, ids.objective, ids.goal),
  };
  return { ...found, channels, objectives, ids, team };
});

for (const kind of Object.keys(values) as Kind[]) {
  const add = kind === 'template' ? shortCheck : check;
  add(`Contract 7: every field in the specification’s table is present (${kind})`, async (world) => {
    for (const each of (await read(world))[kind]) keys(each, [...Object.keys(values[kind]), ...derived[kind]!], kind);
  });
  check(`Specification: each field of ${kind} that is set is returned as it was set`, async (world) => {
    has((await read(world))[kind][0], values[kind], kind);
  });
  check(`Contract 7: each field of ${kind} that is not set is null`, async (world) => {
    const [, bare] = (await read(world))[kind];
    for (const field of Object.keys(values[kind])) {
      if (['name', 'key', 'inserted_at', 'order'].includes(field)) continue;
      same(bare[field], null, field);
    }
  });
}

check(
  'Specification, Template: team has id, name, privacy_policy_url, terms_of_service_url, updated_at',
  async (world) => {
    const { template, page, team } = await read(world);
    for (const each of [template[0].team, page[0].team]) {
      keys(each, ['id', 'name', 'privacy_policy_url', 'terms_of_service_url', 'updated_at'], 'team');
      has(each, { id: team.credential.team_id, name: 'Acceptance' }, 'team');
    }
    same(page[0].team_id, team.credential.team_id, 'team_id');
    matches(page[0].updated_at, timePattern, 'updated_at of a page');
    matches(template[1].inserted_at, timePattern, 'inserted_at of a template');
  },
);

check('Specification, Content block: ids and container_type say where a block is', async (world) => {
  const { template, page, message, container, ids } = await read(world);
  const [full, fullPage, fullMessage, fullContainer] = [ids.full, ids.fullPage, ids.fullMessage, ids.fullContainer];
  const none = { message_id: null, content_container_id: null };
  const places = [
    [
      template[0],
      ids.templateBlock,
      { ...none, container_type: 'template', container_id: full, template_id: full, page_id: null },
    ],
    [page[0], ids.pageBlock, { ...none, container_type: 'page', container_id: fullPage, page_id: fullPage }],
    [
      message[0],
      ids.messageBlock,
      { ...none, container_type: 'message', container_id: fullMessage, message_id: fullMessage, page_id: null },
    ],
    [
      container[0],
      ids.containerBlock,
      {
        ...none,
        container_type: 'content_container',
        container_id: fullContainer,
        content_container_id: fullContainer,
      },
    ],
  ] as const;
  for (const [{ content_blocks }, id, expected] of places) {
    same(content_blocks.length, 1, 'blocks');
    has(content_blocks[0], { id, ...expected }, 'the block');
  }
});

check('Specification: ids of template pages, messages, containers and channels', async (world) => {
  const { ids, ...found } = await read(world);
  has(
    found.templatePage[0],
    { id: ids.fullTemplatePage, page_id: ids.fullPage, template_id: ids.full },
    'template page',
  );
  has(found.page[0], { id: ids.fullPage, objective_id: ids.objective, completion_product_id: ids.product }, 'page');
  const message = { message_id: ids.fullMessage, template_id: ids.full, template_page_id: ids.fullTemplatePage };
  has(found.templateMessage[0], { id: ids.fullTemplateMessage, ...message }, 'template message');
  has(found.message[0], { id: ids.fullMessage, objective_id: ids.objective }, 'message');
  same(found.message[0].objective, found.objective[0], 'the objective of a message');
  has(
    found.container[0],
    { id: ids.fullContainer, page_id: ids.fullPage, engagement_channel_id: ids.channel },
    'container',
  );
  same(found.container[0].engagement_channel, found.channel[0], 'the channel of a container');
  same([found.container[1].engagement_channel, found.message[1].objective], [null, null], 'objects that are not set');
  same(
    [found.page[1].completion_product_ids, found.page[1].completion_standardized_types],
    [[], []],
    'sets when unused',
  );
  same(
    [found.template[1].id, found.page[1].content_blocks, found.message[1].content_blocks],
    [ids.bare, [], []],
    'the bare ones',
  );
});

check('Specification: each listed value of the enumerations is taken and returned', async (world) => {
  const { team } = await world.content();
  const { templates } = await team.get('/v1/templates');
  for (const [at, fields] of withEachValue(enumerations.template).entries()) {
    const template = templates.find(({ name }: Json) => name === `Values ${at}`);
    has(template, fields, template.name);
    if (at < 5) same(template.journey_title_options.type, enumerations.title[at], 'journey_title_options.type');
    const pages = await team.get(`/v1/templates/${template.id}/template_pages`);
    for (const [order, page] of withEachValue(enumerations.page).entries())
      has(pages[order].page, page, `page ${order}`);
    const layouts = pages[0].page.content_containers.map(({ layout_basis }: Json) => layout_basis);
    same(layouts, enumerations.container.layout_basis, 'layout_basis of containers');
    const messages = (await team.get(`/v1/templates/${template.id}/template_messages`)).templates;
    for (const [order, message] of withEachValue(enumerations.message).entries())
      has(messages[order].message, message, 'message');
  }
});

check(
  'Contract 7: enumerations hold only the listed values; content import reports every fault with its JSON Pointer',
  async (world) => {
    const { team } = await world.content();
    const wrong = (fields: object) => Object.fromEntries(Object.keys(fields).map((field) => [field, 'else']));
    const template = {
      ...{ name: 'Wrong', ...wrong(enumerations.template), journey_title_options: { type: 'else' } },
      template_pages: [
        { order: 1, page: { ...wrong(enumerations.page), content_containers: [wrong(enumerations.container)] } },
      ],
      template_messages: [{ order: 1, message: wrong(enumerations.message) }],
    };
    const { status, body } = await world.tryAdmin(['content', 'import', '-', '--team', team.credential.team_id!], {
      templates: [template],
    });
    same(status, 1, 'the exit status');
    keys(body, ['error', 'details'], 'what it prints');
    const at = (place: string, fields: object) => Object.keys(fields).map((field) => `/templates/0${place}/${field}`);
    const page = '/template_pages/0/page';
    const paths = [
      ...at('', enumerations.template),
      ...['/templates/0/journey_title_options/type', ...at(page, enumerations.page)],
      ...at(`${page}/content_containers/0`, enumerations.container),
      ...at('/template_messages/0/message', enumerations.message),
    ];
    same(body.details.map(({ path }: Json) => path).sort(), paths.sort(), 'the paths');
    holds(!(await team.get('/v1/templates')).templates.some(({ name }: Json) => name === 'Wrong'), 'it was imported');
  },
);

check(
  'Contract 15: at most 50 messages a template, offset or time, and a sender of the team, else 422 at import',
  async (world) => {
    await needsMessages(world);
    const { team_id } = await world.admin(['team', 'create', '--name', 'Senders', '--sandbox']);
    world.teams.push(team_id);
    await world.admin(['team', 'update', '--team', team_id, '--sender', '@bank.example', '--no-earlier-list']);
    const message = { type: 'email' };
    const wrong = [
      { send_offset_hours: -1, message },
      { send_offset_hours: 8760.5, message },
      { send_offset_hours: 1, scheduled_at: '2030-01-01T00:00:00Z', message },
      { send_offset_hours: 1, send_at: '25:00', message },
      { send_offset_hours: 0.5, send_at: '23:59', message },
    ];
    const templates = [
      { name: 'Wrong', email_sender_address: 'news@not-of-the-team.example', template_messages: wrong },
      { name: 'Many', template_messages: Array.from({ length: 51 }, () => ({ message })) },
    ];
    const { status, body } = await world.tryAdmin(['content', 'import', '-', '--team', team_id], { templates });
    same(status, 1, 'the exit status');
    const at = (index: number, field: string) => `/templates/0/template_messages/${index}/${field}`;
    const paths = [
      ...[at(0, 'send_offset_hours'), at(1, 'send_offset_hours'), at(2, 'send_offset_hours'), at(3, 'send_at')],
      ...['/templates/0/email_sender_address', '/templates/1/template_messages'],
    ];
    same(body.details.map(({ path }: Json) => path).sort(), paths.sort(), 'the paths');
  },
);

check('Contract 9: content import reports every fault, however many there are', async (world) => {
  const { team } = await world.content();
  const document = {
    objectives: Array.from({ length: 120 }, () => ({ name: 'Without a key' })),
    engagement_channels: [{ name: 'Framed', frame_ancestors: ['everywhere'] }],
    templates: [{ name: 'Wrong', template_pages: [{ order: 1, page: { objective_id: crypto.randomUUID() } }] }],
  };
  const { status, body } = await world.tryAdmin(
    ['content', 'import', '-', '--team', team.credential.team_id!],
    document,
  );
  same(status, 1, 'the exit status');
  const paths = [
    ...document.objectives.map((_, at) => `/objectives/${at}/key`),
    '/engagement_channels/0/frame_ancestors/0',
    '/templates/0/template_pages/0/page/objective_id',
  ];
  same(body.details.map(({ path }: Json) => path).sort(), paths.sort(), 'the paths');
});

check(
  'Specification, Template page: for a team without the two features, a non-empty completion set is 422',
  async (world) => {
    const [{ team }, other] = [await world.content(), await world.other()];
    const page = (fields: object) => ({
      page: { id: crypto.randomUUID(), completion_condition: 'open', content: 'x', ...fields },
    });
    const document = (...pages: object[]) => ({
      templates: [{ id: crypto.randomUUID(), name: crypto.randomUUID(), template_pages: pages }],
    });
    const [types, products] = [
      { completion_standardized_types: ['cd'] },
      { completion_product_ids: [crypto.randomUUID()] },
    ];
    const check = async (of: typeof team, ...pages: object[]) =>
      world.tryAdmin(['content', 'check', '-', '--team', of.credential.team_id!], document(...pages));
    const refused = await check(
      team,
      page(types),
      page(products),
      page({ completion_standardized_types: [], completion_product_ids: [] }),
    );
    same([refused.status, refused.body.error], [1, 'validation_failed'], 'status and error');
    const pointer = (at: number, field: string) => `/templates/0/template_pages/${at}/page/${field}`;
    const paths = [pointer(0, 'completion_standardized_types'), pointer(1, 'completion_product_ids')];
    same(
      refused.body.details.map(({ path }: Json) => path),
      paths,
      'the paths',
    );
    const feature = ['--feature', 'product_objective_reporting_phase_2'];
    const { team_id } = await world.admin(['team', 'create', '--name', 'One feature', '--sandbox', ...feature]);
    world.teams.push(team_id);
    const half = await world.tryAdmin(['content', 'check', '-', '--team', team_id], document(page(types)));
    same([half.status, half.body.error], [1, 'validation_failed'], 'status and error for a team with one feature');
    same(
      (await check(other.team, page(types), page(products))).status,
      0,
      'the exit status for a team with both features',
    );
    same(
      (await check(other.team, page({ ...types, ...products }))).status,
      1,
      'the exit status for products and standardized types',
    );
    const pages = await other.team.get(`/v1/templates/${other.ids.short}/template_pages`);
    same(pages[0].page.completion_standardized_types, ['ira_cd', 'heloc'], 'completion_standardized_types');
    same(pages[1].page.completion_product_ids, [other.ids.product], 'completion_product_ids');
  },
);

check('Contract 7: GET /v1/templates: in targeting_order, then name, archived ones included', async (world) => {
  const { team, ids } = await world.content();
  const body = await team.get('/v1/templates');
  keys(body, ['templates'], 'the list');
  const order = (id: string) => body.templates.findIndex((each: Json) => each.id === id);
  const places = [ids.welcome, ids.first, ids.second, ids.full, ids.bare, ids.agreement, ids.archived, ids.closed].map(
    order,
  );
  same(
    places,
    places.toSorted((a, b) => a - b),
    'the order',
  );
  same(places.slice(0, 4), [0, 1, 2, 3], 'those with a targeting_order');
  holds(!('has_survey_content_blocks' in body.templates[0]), 'has_survey_content_blocks is in the list');
});

check('Specification, GET /v1/templates/:id: template; 404 for an unknown one', async (world) => {
  const [{ team, ids }, other] = [await world.content(), await world.other()];
  const body = await team.get(`/v1/templates/${ids.short}`);
  keys(body, ['template'], 'the answer');
  for (const tail of ['', '/template_pages', '/template_messages'] as const) {
    const refusal = async (id: string) => (await team.call(404, `GET /v1/templates/${id}${tail}`)).body.message;
    await refusal('x');
    same(await refusal(other.ids.short), await refusal(crypto.randomUUID()), 'the words for one of another team');
  }
});

check('Contract 7: has_survey_content_blocks is in the answer only when the query parameter is true', async (world) => {
  const { team, ids } = await world.content();
  const flag = async (id: string, query: string) =>
    (await team.get(`/v1/templates/${id}${query}`)).template.has_survey_content_blocks;
  for (const query of ['', '?has_survey_content_blocks=false'])
    same(await flag(ids.survey, query), undefined, `with ${query}`);
  const asked = '?has_survey_content_blocks=true';
  for (const id of [ids.survey, ids.surveyInTemplate, ids.surveyInContainer, ids.surveyInMessage])
    same(await flag(id, asked), true, 'of a survey');
  for (const id of [ids.short, ids.agreement]) same(await flag(id, asked), false, 'without a survey');
  for (const value of ['1', 'yes', '']) {
    await team.refuse(
      400,
      ['has_survey_content_blocks'],
      `GET /v1/templates/${ids.survey}?has_survey_content_blocks=${value}`,
    );
  }
});

check('Contract 7: template_messages is {"templates"}, template_pages a bare array, both in order', async (world) => {
  const { team, ids } = await world.content();
  const messages = await team.get(`/v1/templates/${ids.full}/template_messages`);
  keys(messages, ['templates'], 'template_messages');
  same(
    messages.templates.map(({ id }: Json) => id),
    [ids.bareTemplateMessage, ids.fullTemplateMessage],
    'messages',
  );
  const pages = await team.get(`/v1/templates/${ids.full}/template_pages`);
  same(
    pages.map(({ id }: Json) => id),
    [ids.bareTemplatePage, ids.fullTemplatePage],
    'pages',
  );
});

shortCheck('Contract 7: GET /v1/objectives: the team’s own and the global ones, by key', async (world) => {
  const { team, ids } = await world.content();
  const body = await team.get('/v1/objectives');
  keys(body, ['objectives'], 'the answer');
  // Another check adds objectives of its own.
  const own = body.objectives.filter(
    ({ team_id, key }: Json) => team_id === team.credential.team_id && !key.startsWith('goal_'),
  );
  same(
    own.map(({ key }: Json) => key),
    ['__proto__', 'app_installed', 'city', 'online_banking_enrolled'],
    'the keys',
  );
  holds(
    body.objectives.every((each: Json) => [null, team.credential.team_id].includes(each.team_id)),
    'an objective of another team',
  );
  const keysInOrder = body.objectives.map(({ key }: Json) => key);
  same(keysInOrder, keysInOrder.toSorted(), 'the order');
  same(own[1].id, ids.goal, 'id');
});

check('Contract 7: GET /v1/engagement-channels: {"engagement_channels"}, by name', async (world) => {
  const { channels, ids } = await read(world);
  same(
    channels.map(({ id }: Json) => id),
    [ids.bareChannel, ids.channel],
    'the channels',
  );
});
