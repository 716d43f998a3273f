import { holds, keys, same } from './expect.ts';
import type { Json } from './http.ts';
import { check, shortCheck } from './suite.ts';
import { read } from './templates.ts';

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
