import { audiences, titleTypes, useCases } from '../../../lib/domain/content/template.ts';
import type { Json } from '../../checks/http.ts';
import { keysOf, matches, same, timePattern } from '../assert.ts';
import * as values from '../campaign-fields.ts';
import { once, quoted, type Row, sectionOf } from '../row.ts';
import type { World } from '../world.ts';

export const sections = {
  template: sectionOf('Template (campaign)'),
  block: sectionOf('Content block'),
  message: sectionOf('Template message'),
  page: sectionOf('Template page'),
  objective: sectionOf('Objective'),
};
type Kind = keyof typeof fixtures;

/** Each object of the specification: one in which everything is set, and one in which nothing is. */
export const fixtures = {
  Template: ({ full, bare }: Read) => [full.template, bare.template],
  'Content block': ({ full, bare }: Read) => [full.template.content_blocks[0], bare.template.content_blocks[0]],
  'Template message': ({ messages }: Read) => [messages[1], messages[0]],
  Message: ({ messages }: Read) => [messages[1].message, messages[0].message],
  'Template page': ({ pages }: Read) => [pages[1], pages[0]],
  Page: ({ pages }: Read) => [pages[1].page, pages[0].page],
  'Content container': ({ pages }: Read) => [pages[1].page.content_containers[0], pages[0].page.content_containers[0]],
  'Engagement channel': ({ channels }: Read) => channels,
  Objective: ({ objectives }: Read) => objectives,
} satisfies Record<string, (read: Read) => [full: Json, bare: Json]>;

export type Read = {
  full: Json;
  bare: Json;
  messages: Json[];
  pages: Json[];
  channels: [Json, Json];
  objectives: [Json, Json];
};

export const read = once(async ({ team, ids }): Promise<Read> => {
  const get = async (path: string) => (await team.call(200, `GET ${path}` as `GET /${string}`)).body;
  const byId = (list: Json[], ...wanted: string[]) => wanted.map((id) => list.find((each) => each.id === id));
  const { engagement_channels } = await get('/v1/engagement-channels');
  const { objectives } = await get('/v1/objectives');
  return {
    full: await get(`/v1/templates/${ids.full}`),
    bare: await get(`/v1/templates/${ids.bare}`),
    messages: (await get(`/v1/templates/${ids.full}/template_messages`)).templates,
    pages: await get(`/v1/templates/${ids.full}/template_pages`),
    channels: byId(engagement_channels, ids.channel, ids.bareChannel) as [Json, Json],
    objectives: byId(objectives, ids.objective, ids.goal) as [Json, Json],
  };
});

const enumerations: Partial<Record<Kind, Record<string, readonly string[]>>> = {
  Template: {
    audience: audiences,
    content_block_status: ['draft', 'published'],
    journey_creation_strategy: ['ONE_FOR_ONE', 'ONE_FOR_ALL', 'NO_JOURNEY'],
    status: ['archived', 'draft', 'live'],
    targeting_group_logical_operator: ['AND', 'OR'],
    type: ['standard', 'tactical'],
    use_case: useCases,
  },
  Message: { content_block_status: ['draft', 'published'], type: ['email', 'sms'] },
  Page: {
    completion_condition: ['action', 'confirm', 'objective', 'open', 'view'],
    content_block_status: ['draft', 'published'],
    layout_basis: ['grid', 'none'],
  },
  'Content container': { layout_basis: ['grid', 'table', 'none'] },
};

/** What is returned if it is not `null`. */
const unset: Record<string, string> = { inserted_at: 'by default the time of the import', key: 'always' };

/** Further words on a field of the specification. */
const notes: Record<string, string> = {
  'Template editor_styles': ' It has `branding_styles` and `template_styles`.',
  'Template styles': ' It has `custom`, `overrides`, `palette` and `typography`.',
  'Engagement channel theme_styles': ' It has `custom`, `overrides`, `palette` and `typography`.',
  'Engagement channel properties': ' It has `height` and `width`.',
  'Template journey_title_options': ` It has \`type\`, one of ${quoted(titleTypes)}, and \`custom\`.`,
  'Content block data': ` It has the texts ${quoted(Object.keys(values.blockTexts))}.`,
  'Content block grid': ` It has the sizes ${quoted(Object.keys(values.blockGrid))}.`,
};

/** A field that the administrator sets. */
const setRow = (section: keyof typeof sections, kind: Kind, field: string, value: unknown): Row => {
  const listed = enumerations[kind]?.[field];
  const choice = listed ? ` It is one of ${quoted(listed)}.` : '';
  return sections[section].row(
    `${kind}: \`${field}\` is returned, ${unset[field] ?? '`null` if it is not set'}.${choice}${notes[`${kind} ${field}`] ?? ''}`,
    `Reads one with the field and one without.${listed ? ' The OpenAPI document lists exactly these values.' : ''}`,
    async (world) => {
      const [full, bare] = fixtures[kind](await read(world));
      same(full[field], value, field);
      if (field === 'inserted_at') matches(bare[field], timePattern, 'the time of the import');
      else same(bare[field], field === 'key' ? 'app_installed' : null, `${field} if not set`);
      if (listed) same(await documentedValues(world, kind, field), [...listed].sort(), 'the documented values');
    },
  );
};

async function documentedValues({ team }: World, kind: Kind, field: string): Promise<string[]> {
  const { body } = await team.open(200, 'GET /openapi.json');
  const { schemas } = body.components;
  const named = kind.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
  const found: string[] = [];
  const visit = (schema: Json): void => {
    if (schema.$ref) visit(schemas[schema.$ref.split('/').at(-1)]);
    for (const each of schema.anyOf ?? []) visit(each);
    found.push(...(schema.enum ?? []).filter((each: unknown) => each !== null));
  };
  visit(schemas[named].properties[field]);
  return found.sort();
}

export const setRows = (section: keyof typeof sections, kind: Kind, fields: object): Row[] =>
  Object.entries(fields).map(([field, value]) => setRow(section, kind, field, value));

/** A field that the service derives: from the ids of the import, or from what contains the object. */
export const derivedRow = (
  section: keyof typeof sections,
  kind: Kind,
  field: string,
  demand: string,
  of: (world: World) => unknown,
): Row =>
  sections[section].row(
    `${kind}: \`${field}\` ${demand}`,
    'Reads it and compares it with what the administrator imported.',
    async (world) => {
      const [full] = fixtures[kind](await read(world));
      same(full[field], of(world), field);
    },
  );

export const ids = (world: World) => world.ids;

const teamFields = ['id', 'name', 'privacy_policy_url', 'terms_of_service_url', 'updated_at'];
export const teamRow = (section: keyof typeof sections, kind: Kind): Row =>
  sections[section].row(
    `${kind}: \`team\` is an object with ${quoted(teamFields)}.`,
    'Compares its keys, id and name with the team of the credential.',
    async (world) => {
      const [{ team }] = fixtures[kind](await read(world));
      same(keysOf(team), teamFields, 'the fields of the team');
      same([team.id, team.name], [world.team.teamId, 'Conformance'], 'id and name');
    },
  );

export function orderRow(section: 'message' | 'page', kind: 'Template message' | 'Template page'): Row {
  return sections[section].row(
    `${kind}: \`order\` is the position.`,
    'Reads the list, which is in this order.',
    async (world) => {
      const found = await read(world);
      const list = kind === 'Template page' ? found.pages : found.messages;
      same(
        list.map(({ order }) => order),
        [1, 2],
        'the order',
      );
    },
  );
}

export function blocksRow(section: 'message' | 'page', kind: Kind, of: (world: World) => string[]): Row {
  return sections[section].row(
    `${kind}: \`content_blocks\` is an array of content blocks.`,
    'Reads the ids; it is empty without blocks.',
    async (world) => {
      const [full, bare] = fixtures[kind](await read(world));
      same(
        full.content_blocks.map((each: Json) => each.id),
        of(world),
        'the ids',
      );
      same(bare.content_blocks, [], 'the blocks if there are none');
    },
  );
}
