import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentJsonSchema, documentStructure, membersOf, withoutNull } from '../../../bin/content/document-schema.ts';
import { blockTypes } from '../../../lib/domain/campaigns/block-types.ts';
import type { JsonSchema } from '../../../lib/domain/values/json-schema.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { errorDetailsOf, id, inMessage, inPage, templateWith } from '../../support/samples/content-documents.ts';

let validate: ValidateFunction;
beforeAll(() => {
  // Fields that may contain any JSON are described without a type. Not every editor checks formats.
  const options = { allErrors: true, allowUnionTypes: true, strictTypes: false, validateFormats: false };
  validate = new Ajv2020(options).compile(contentJsonSchema());
});
const failures = (document: object) => {
  validate(document);
  return [...new Set(validate.errors?.map(({ instancePath }) => instancePath))];
};

test('the schema names itself and its draft, and describes every field', () => {
  const schema = contentJsonSchema();
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:onboarding-service:content-document',
    title: 'Campaign content',
    description: expect.stringContaining('the admin command imports'),
  });
  const undescribed: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && 'type' in value) {
      for (const [name, part] of Object.entries(value.properties as Record<string, object>)) {
        if (!('description' in part) || part.description === '') undescribed.push(`${path}/${name}`);
        look(part, `${path}/${name}`);
      }
    } else for (const [name, part] of Object.entries(value)) look(part, `${path}/${name}`);
    if ('items' in value) look(value.items, path);
  };
  look(schema, '');
  expect(undescribed).toEqual([]);
});

test('the sample is valid', () => {
  expect(failures(JSON.parse(readFileSync(join(projectRoot, 'examples/campaigns.json'), 'utf8')))).toEqual([]);
});

describe('a document that is valid for the import is valid for the schema', () => {
  test.each<[string, object]>([
    ['empty', {}],
    ['with a link to its schema', { $schema: './content.schema.json' }],
    ['with nothing in its lists', { objectives: null, templates: [] }],
    ['with a date alone', { templates: [{ archived_at: '2026-01-02' }] }],
    ['with a time without an offset', { templates: [{ archived_at: '2026-01-02 03:04' }] }],
    ['with an id in upper case', { objectives: [{ id: id(10).replaceAll('0', 'A'), key: 'k' }] }],
    ['with unknown fields', { templates: [{ something: 1 }] }],
    ['with any JSON', { templates: [{ facts: [1, 'a'], theme: 'x' }] }],
  ])('%s', (_what, document) => {
    expect(errorDetailsOf(document)).toEqual([]);
    expect(failures(document)).toEqual([]);
  });
});

describe('a document with an error fails, at the same place as the import:', () => {
  test.each<[string, object, string]>([
    ['a list that is none', { templates: {} }, '/templates'],
    ['an object that is none', { templates: ['x'] }, '/templates/0'],
    ['an unknown value', { templates: [{ status: 'ongoing' }] }, '/templates/0/status'],
    ['a text that is a number', { templates: [{ name: 7 }] }, '/templates/0/name'],
    ['a flag that is a text', templateWith({ is_live: 'yes' }), `${inPage}/is_live`],
    ['a number that is a text', { templates: [{ targeting_order: '1' }] }, '/templates/0/targeting_order'],
    ['styles that are a text', templateWith({ styles: 'red' }), `${inPage}/styles`],
    ['an id that is no UUID', { objectives: [{ id: 'k', key: 'k' }] }, '/objectives/0/id'],
    ['a date that there is not', { templates: [{ archived_at: '2026-02-30' }] }, '/templates/0/archived_at'],
    ['a date that is a word', { templates: [{ archived_at: 'today' }] }, '/templates/0/archived_at'],
    ['an empty key', { objectives: [{ key: '' }] }, '/objectives/0/key'],
    [
      'a message of an unknown kind',
      { templates: [{ template_messages: [{ message: { type: 'fax' } }] }] },
      `${inMessage}/type`,
    ],
    [
      'a block whose data are a text',
      templateWith({ content_blocks: [{ data: 'x' }] }),
      `${inPage}/content_blocks/0/data`,
    ],
  ])('%s', (_what, document, path) => {
    expect(errorDetailsOf(document)).toEqual([path]);
    expect(failures(document)).toContain(path);
  });

  test('a key that lacks', () => {
    expect(errorDetailsOf({ objectives: [{}] })).toEqual(['/objectives/0/key']);
    expect(failures({ objectives: [{}] })).toContain('/objectives/0');
  });
});

type Nested = JsonSchema & { items?: JsonSchema };
/** Open fields are described beside the choice between a value and null. */
const partsOf = (schema: JsonSchema): Nested => ({ ...withoutNull(schema), ...schema });
/** The schema of an object, or of the objects in a list. */
const objectOf = (schema: JsonSchema): Nested => {
  const own = partsOf(schema);
  return own.items ? partsOf(own.items) : own;
};
const at = (path: string, schema: JsonSchema = contentJsonSchema()): Nested =>
  path.split('/').reduce((outer, name) => partsOf(membersOf(objectOf(outer))![name]!), schema);
const namesAt = (path: string): string[] | undefined => {
  const members = membersOf(objectOf(at(path)));
  return members && Object.keys(members);
};

const page = 'templates/template_pages/page';
const theme = ['palette', 'typography', 'button_radius', 'logo_dark_file_id', 'icon_file_id'];
const colors = ['primary', 'secondary', 'background', 'surface', 'text'];
const fonts = ['heading', 'body', 'heading_file_id', 'body_file_id', 'base_size'];

describe('the JSON Schema names what pages read of fields that may contain any JSON:', () => {
  test.each([
    ['templates/theme_base', theme],
    ['templates/theme', theme],
    ['templates/theme_overrides', theme],
    ['templates/theme/palette', [...colors, 'dark']],
    ['templates/theme/palette/dark', colors],
    ['templates/theme/typography', fonts],
    ['templates/styles/palette', [...colors, 'dark']],
    ['templates/styles/typography', fonts],
    ['engagement_channels/theme_styles/palette', [...colors, 'dark']],
    ['templates/footer_content', ['text', 'links']],
    ['templates/footer_content/links', ['text', 'url']],
    ['templates/support_owner_options', ['name', 'text', 'phone', 'email', 'url']],
    ['templates/ending/cta', ['text', 'url']],
    [`${page}/cta`, ['text', 'url']],
    ['templates/facts', undefined],
    ['templates/theme/button_radius', undefined],
  ])('%s', (path, names) => {
    expect(namesAt(path)).toEqual(names);
  });

  test('with descriptions', () => {
    expect(at('templates/theme/palette/primary')).toEqual({
      description: 'Color of buttons and links: #rrggbb, #rgb or rgb(r, g, b)',
    });
    expect(at('templates/footer_content/links')).toMatchObject({ description: 'Links of the footer' });
    expect(at('templates/ending/cta/text')).toEqual({ description: 'Text of the button' });
  });

  test('but only in the schema for editors', () => {
    expect(membersOf(at('templates/theme', documentStructure()))).toBeUndefined();
    expect(documentStructure()).not.toHaveProperty('$defs');
  });
});

describe('the JSON Schema of a block', () => {
  test.each([
    'templates/content_blocks',
    `${page}/content_blocks`,
    `${page}/content_containers/content_blocks`,
    'templates/template_messages/message/content_blocks',
    'engagement_channels/default_content/content_blocks',
  ])('refers to the fields of its type: %s', (path) => {
    expect(at(path).items).toMatchObject({ allOf: [{ $ref: '#/$defs/blockData' }] });
  });

  test('is the only one that does', () => {
    expect(at('templates').items).not.toHaveProperty('allOf');
    expect(at(page)).not.toHaveProperty('allOf');
  });

  type Rule = { if: unknown; then?: { properties: { data: JsonSchema } }; else?: { properties: { data: JsonSchema } } };
  const blockData = () =>
    (contentJsonSchema() as unknown as { $defs: { blockData: { allOf: Rule[] } } }).$defs.blockData;

  test('names the types', () => {
    expect(blockData()).toMatchObject({ properties: { type: { examples: blockTypes } } });
  });

  test('has the fields of each kind', () => {
    const rules = blockData().allOf.filter((each) => each.then);
    expect(rules.map((each) => each.if)).toContainEqual({
      properties: { type: { enum: ['survey'] } },
      required: ['type'],
    });
    const types = rules.flatMap(
      (each) => (each.if as { properties: { type: { enum: string[] } } }).properties.type.enum,
    );
    expect(types).toEqual(blockTypes);
    const survey = membersOf(rules.at(-1)!.then!.properties.data)!;
    expect(survey.heading).toEqual({ description: 'Heading' });
    const { items, description } = survey.questions as { items: JsonSchema; description: string };
    expect(description).toContain('The questions');
    expect(Object.keys(membersOf(items)!)).toEqual([
      ...['text', 'options', 'scale', 'lowestText', 'highestText', 'multiple', 'min', 'max', 'type', 'required'],
      ...['key', 'formerKeys'],
    ]);
    const { items: options } = membersOf(items)!.options as { items: JsonSchema };
    expect(Object.keys(membersOf(options)!)).toEqual(['text', 'image', 'altText', 'key']);
  });

  test('has the texts of a block of another type', () => {
    const [other, ...more] = blockData().allOf.filter((each) => each.else);
    expect(more).toEqual([]);
    expect(other!.if).toEqual({ properties: { type: { enum: blockTypes } }, required: ['type'] });
    expect(Object.keys(membersOf(other!.else!.properties.data)!)).toContain('agreementText');
  });
});
