import type { Json, Request } from '../../checks/http.ts';
import { holds, keysOf, matches, refused, same } from '../assert.ts';
import { type Row, sectionOf } from '../row.ts';
import type { World } from '../world.ts';

const create = sectionOf('POST /v1/templates/:template_id/journeys');
const list = sectionOf('GET /v1/journeys');
const confirm = sectionOf('PUT /v1/templates/:template_id/journeys/:journey_id');
const templates = sectionOf('GET /v1/templates');
const template = sectionOf('GET /v1/templates/:id');
const messages = sectionOf('GET /v1/templates/:id/template_messages');
const pages = sectionOf('GET /v1/templates/:id/template_pages');
const objectives = sectionOf('GET /v1/objectives');
const idsOf = (list: Json[]): string[] => list.map(({ id }) => id);

/** An unknown template and one of another team are both 404. */
async function hidesOthers({ team, featuredIds }: World, path: string): Promise<void> {
  for (const id of [crypto.randomUUID(), featuredIds.template, 'x']) {
    const { body } = await team.call(404, `GET ${path.replace(':id', id)}` as Request);
    same(body.error, 'not_found', 'the error');
  }
}

export const campaignEndpointRows: readonly Row[] = [
  create.row(
    'It creates a journey for a single contact from a template, with `owner_id`, `name`, `contact` and `source`.',
    'Sends all four: 201, and the list has one journey with the source. The same request again: 200 with the same id.',
    async ({ team, ids }) => {
      const contact = await team.contact();
      const path: Request = `POST /v1/templates/${ids.short}/journeys`;
      const request = { owner_id: 'o', name: 'Mine', contact: { id: contact.id }, source: 'branch' };
      const { body } = await team.call(201, path, request);
      const found = await team.journeysOf(contact);
      same(
        found.map(({ id, source }) => [id, source]),
        [[body.id, 'branch']],
        'the journeys',
      );
      same((await team.call(200, path, request)).body, body, 'the response to the repeated request');
    },
  ),
  create.row(
    'A journey needs a template of the team that is not archived.',
    'An unknown template and one of another team: 404. An archived one: 422.',
    async ({ team, ids, featuredIds }) => {
      const { id } = await team.contact();
      for (const other of [crypto.randomUUID(), featuredIds.template]) {
        await team.call(404, `POST /v1/templates/${other}/journeys`, { contact: { id } });
      }
      await team.call(422, `POST /v1/templates/${ids.archived}/journeys`, { contact: { id } });
      same(await team.journeysOf({ id }), [], 'the journeys');
    },
  ),
  create.row(
    'The response has `id`, `slug`, `template_id` and `web_client_url`, the full URL of the journey.',
    'Compares the keys, and opens the page of the slug, which the URL ends with.',
    async ({ team, ids }) => {
      const { contact: _, ...body } = await team.journey(ids.short);
      same(keysOf(body), ['id', 'slug', 'template_id', 'web_client_url'], 'the fields');
      matches(body.web_client_url, /^https?:\/\/[^/]+\//, 'web_client_url');
      holds(body.web_client_url.endsWith(`/j/${body.slug}`), `web_client_url is ${body.web_client_url}`);
      const { headers } = await team.open(200, `GET /j/${body.slug}`);
      matches(headers.get('content-type'), /^text\/html/, 'the type of the page');
    },
  ),
  list.row(
    'The query parameter `contact_id` is the UUID of the contact, and the response is an array of journeys.',
    'Lists two journeys of a contact, oldest first. No contact with this id: `[]`. No parameter and no UUID: 400.',
    async ({ team, ids }) => {
      const { id: first, contact } = await team.journey(ids.short);
      const path: Request = `POST /v1/templates/${ids.welcome}/journeys`;
      const { body } = await team.call(201, path, { contact: { id: contact.id } });
      same(idsOf(await team.journeysOf(contact)), [first, body.id], 'the journeys');
      same(await team.journeysOf({ id: crypto.randomUUID() }), [], 'the journeys of an unknown contact');
      for (const query of ['', '?contact_id=', '?contact_id=x']) {
        refused(await team.call(400, `GET /v1/journeys${query}`), 'invalid_request', 'contact_id');
      }
    },
  ),
  list.row(
    'A team sees only its own journeys.',
    'Another team lists the journeys of the contact: `[]`.',
    async ({ team, featured, ids }) => {
      const { contact } = await team.journey(ids.short);
      same(await featured.journeysOf(contact), [], 'the journeys');
    },
  ),
  confirm.row(
    'The body has the boolean `is_completion_confirmed`; true sets the completion.',
    'false changes nothing (200, `null`), true sets the time. No boolean and none: 422. Another template and journey: 404.',
    async ({ team, ids }) => {
      const { id } = await team.journey(ids.short);
      const path: Request = `PUT /v1/templates/${ids.short}/journeys/${id}`;
      const { body: before } = await team.call(200, path, { is_completion_confirmed: false });
      same(before.completion_verified_at, null, 'completion_verified_at after false');
      const { body: after } = await team.call(200, path, { is_completion_confirmed: true });
      matches(after.completion_verified_at, /Z$/, 'completion_verified_at after true');
      for (const wrong of [{}, { is_completion_confirmed: 'true' }, { is_completion_confirmed: null }]) {
        refused(await team.call(422, path, wrong), 'validation_failed', '/is_completion_confirmed');
      }
      const right = { is_completion_confirmed: true };
      await team.call(404, `PUT /v1/templates/${ids.welcome}/journeys/${id}`, right);
      await team.call(404, `PUT /v1/templates/${ids.short}/journeys/${crypto.randomUUID()}`, right);
    },
  ),
  confirm.row(
    'The response has `completion_verified_at`, `id`, `inserted_at`, `slug`, `source`, `template_id` and `updated_at`.',
    'Compares the keys, and the values with the listed journey.',
    async ({ team, ids }) => {
      const { id, contact } = await team.journey(ids.short);
      const path: Request = `PUT /v1/templates/${ids.short}/journeys/${id}`;
      const { body } = await team.call(200, path, { is_completion_confirmed: true });
      const own = ['completion_verified_at', 'id', 'inserted_at', 'slug', 'source', 'template_id', 'updated_at'];
      same(keysOf(body), own, 'the fields');
      const [listed] = await team.journeysOf(contact);
      same(body, Object.fromEntries(own.map((field) => [field, listed[field]])), 'the values');
    },
  ),
  templates.row(
    'It returns `templates`, an array of template objects for the team of the caller.',
    'Compares the ids with what was imported (also the archived one), each object with the one read by id; another team has others.',
    async ({ team, featured, ids, featuredIds }) => {
      const { body } = await team.call(200, 'GET /v1/templates');
      same(keysOf(body), ['templates'], 'the fields');
      const { welcome, short, archived, closed, survey, expired, full, bare } = ids;
      const own = [welcome, ids.private, short, archived, closed, survey, expired, full, bare];
      same(idsOf(body.templates).sort(), own.sort(), 'the ids');
      const one = await team.call(200, `GET /v1/templates/${ids.full}`);
      same(
        body.templates.find(({ id }: Json) => id === ids.full),
        one.body.template,
        'the template',
      );
      const { body: other } = await featured.call(200, 'GET /v1/templates');
      same(idsOf(other.templates), [featuredIds.template], 'the ids of the other team');
    },
  ),
  template.row(
    'The response is `template`, a template object.',
    'Reads one; an unknown id and one of another team: 404.',
    async (world) => {
      const { body } = await world.team.call(200, `GET /v1/templates/${world.ids.welcome}`);
      same([keysOf(body), body.template.id], [['template'], world.ids.welcome], 'the fields and the id');
      await hidesOthers(world, '/v1/templates/:id');
    },
  ),
  template.row(
    'The optional query parameter `has_survey_content_blocks` (boolean) asks for the flag, which is true if any content is a survey block.',
    'With `true`: true and false by template; without it and with `false` no such key; another value: 400.',
    async ({ team, ids }) => {
      const flag = async (id: string, query: string) =>
        (await team.call(200, `GET /v1/templates/${id}${query}`)).body.template.has_survey_content_blocks;
      const asked = '?has_survey_content_blocks=true';
      same([await flag(ids.survey, asked), await flag(ids.welcome, asked)], [true, false], 'the flags');
      const absent = [await flag(ids.survey, ''), await flag(ids.survey, '?has_survey_content_blocks=false')];
      same(absent, [undefined, undefined], 'the flags that were not asked for');
      const refusal = await team.call(400, `GET /v1/templates/${ids.survey}?has_survey_content_blocks=yes`);
      refused(refusal, 'invalid_request', 'has_survey_content_blocks');
    },
  ),
  messages.row(
    'The response is an object whose key `templates` has an array of template messages.',
    'Reads the messages of two templates, in order; unknown ids: 404.',
    async (world) => {
      const { team, ids } = world;
      const { body } = await team.call(200, `GET /v1/templates/${ids.full}/template_messages`);
      same(keysOf(body), ['templates'], 'the fields');
      same(idsOf(body.templates), [ids.bareTemplateMessage, ids.fullTemplateMessage], 'the ids');
      const { body: none } = await team.call(200, `GET /v1/templates/${ids.bare}/template_messages`);
      same(none, { templates: [] }, 'the messages of the other template');
      await hidesOthers(world, '/v1/templates/:id/template_messages');
    },
  ),
  pages.row(
    'The response is an array of template pages.',
    'Reads the pages of two templates, in order; unknown ids: 404.',
    async (world) => {
      const { team, ids } = world;
      const { body } = await team.call(200, `GET /v1/templates/${ids.full}/template_pages`);
      same(idsOf(body), [ids.bareTemplatePage, ids.fullTemplatePage], 'the ids');
      same(
        (await team.call(200, `GET /v1/templates/${ids.bare}/template_pages`)).body,
        [],
        'the pages of the other template',
      );
      await hidesOthers(world, '/v1/templates/:id/template_pages');
    },
  ),
  objectives.row(
    'The response is `objectives`, an array of the objectives of the team.',
    'Compares the ids, by key, with what was imported; another team does not see them.',
    async ({ team, featured, ids }) => {
      const { body } = await team.call(200, 'GET /v1/objectives');
      same(keysOf(body), ['objectives'], 'the fields');
      const own = body.objectives.filter(({ team_id }: Json) => team_id === team.teamId);
      same(idsOf(own), [ids.goal, ids.objective], 'the ids');
      same(keysOf(own[0]), ['driver_id', 'id', 'key', 'name', 'team_id'], 'the fields of an objective');
      const { body: other } = await featured.call(200, 'GET /v1/objectives');
      holds(!idsOf(other.objectives).includes(ids.objective), 'the other team sees the objective');
    },
  ),
];
