import * as z from 'zod';
import { contentDocument } from '../../lib/domain/content/document.ts';
import { dateOrDateTime } from '../../lib/domain/fields.ts';
import type { JsonSchema } from '../../lib/domain/json-schema.ts';
import { uuidPattern } from '../../lib/domain/uuid.ts';
import { blockDataSchema, describeOpenFields } from './described-fields.ts';
import { wordsOfLanguageSchema } from './words.ts';

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
