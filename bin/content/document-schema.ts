import * as z from 'zod';
import { wordsOfLanguageSchema, wordsSchema } from '../../lib/content/words.ts';
import { blockKinds, blockTypes, unknownBlock } from '../../lib/domain/campaigns/block-types.ts';
import { contentDocument } from '../../lib/domain/campaigns/document.ts';
import type { ObjectShape, Shape } from '../../lib/domain/campaigns/shape.ts';
import { dateOrDateTime } from '../../lib/domain/values/fields.ts';
import type { JsonSchema } from '../../lib/domain/values/json-schema.ts';
import { uuidPattern } from '../../lib/domain/values/uuid.ts';
import { endingCall, footer, pageCall, palette, support, theme, typography } from './open-fields.ts';

const identifier = 'urn:onboarding-service:content-document';
const schemaLink = { type: 'string', description: 'The JSON Schema of this document, for editors' };

/**
 * The JSON Schema (draft 2020-12) of the document that `content import` takes. It accepts every document that the import
 * accepts. Rules between objects, such as two objectives with one key, are checked by the import alone.
 */
export const contentJsonSchema = (): JsonSchema => {
  described ??= describedSchema();
  return described;
};
let described: JsonSchema | undefined;

function describedSchema(): JsonSchema {
  const { $schema, properties, ...rest } = schemaWith(describeFormat, describeOpenFields);
  return {
    $schema,
    $id: identifier,
    title: 'Campaign content',
    description: 'Objectives, engagement channels and templates, as the admin command imports them',
    ...rest,
    properties: { $schema: schemaLink, ...properties },
    $defs: { blockData: blockDataSchema(), words: wordsOfLanguageSchema() },
  };
}

/** The schema without the members of fields that may contain any JSON: what these contain is stored as it is. */
export const documentStructure = (): JsonSchema => {
  structure ??= schemaWith();
  return structure;
};
let structure: JsonSchema | undefined;

const schemaWith = (...describe: ((schema: JsonSchema) => void)[]) =>
  z.toJSONSchema(contentDocument, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      for (const each of describe) each(jsonSchema);
    },
  }) as JsonSchema & { properties: JsonSchema };

/** The import takes a date alone, and ids in either case; a `format` would refuse the one and not check the other. */
function describeFormat(schema: JsonSchema): void {
  delete schema.default;
  if (schema.format === 'date-time') {
    delete schema.format;
    schema.pattern = dateOrDateTime.source;
  } else if (schema.format === 'uuid') schema.pattern = `^${uuidPattern.replaceAll('a-f', 'a-fA-F')}$`;
}

/** The schema of a value that is set: without the `null` after it. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema as { anyOf?: JsonSchema[] };
  return anyOf?.[0] ?? schema;
}

/** The schemas of an object's named members; nothing where the schema names none, so that any member may be there. */
export const membersOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined =>
  schema.properties as Record<string, JsonSchema> | undefined;

const objectOf = (of: ObjectShape): Shape => ({ is: 'object', of });

/**
 * The fields of templates, channels and pages that may contain any JSON, by their names. The schema names what pages read
 * of them, so that editors complete it, and allows every value, because the import does too.
 */
const openFields: Readonly<Record<string, Shape>> = {
  theme_base: objectOf(theme),
  theme: objectOf(theme),
  theme_overrides: objectOf(theme),
  palette: objectOf(palette),
  typography: objectOf(typography),
  footer_content: footer,
  support_owner_options: objectOf(support),
};

function describeOpenFields(schema: JsonSchema): void {
  const members = schema.properties as Record<string, JsonSchema> | undefined;
  if (!members) return;
  for (const [name, shape] of Object.entries(openFields)) {
    if (members[name]) Object.assign(members[name], schemaOf(shape));
  }
  if (members.cta) Object.assign(members.cta, schemaOf(members.completion_condition ? pageCall : objectOf(endingCall)));
  if (members.words) Object.assign(members.words, wordsSchema());
  if (members.data) schema.allOf = [{ $ref: '#/$defs/blockData' }];
}

/** The fields of `data` for each type of block. */
const blockDataSchema = (): JsonSchema => ({
  properties: { type: { examples: [...blockTypes] } },
  allOf: [
    ...Object.values(blockKinds).map((kind) => ({
      if: { properties: { type: { enum: [...kind.types] } }, required: ['type'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { properties: { data: schemaOf(objectOf(kind)) } },
    })),
    {
      if: { properties: { type: { enum: [...blockTypes] } }, required: ['type'] },
      else: { properties: { data: schemaOf(objectOf(unknownBlock)) } },
    },
  ],
});

function schemaOf(shape: Shape): JsonSchema {
  switch (shape.is) {
    case 'list':
      return { items: schemaOf(shape.of) };
    case 'object':
      return propertiesOf(shape.of);
    case 'either':
      return propertiesOf(shape.object);
    default:
      return {};
  }
}

const propertiesOf = ({ fields }: ObjectShape): JsonSchema => ({
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, { shape, description }]) => [name, { description, ...schemaOf(shape) }]),
  ),
});
