import * as z from 'zod';

export type JsonSchema = { [key: string]: unknown };

export type SchemaWriter = {
  /** What clients send (`input`) or get (`output`), as JSON Schema; named parts become references. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
  /** The parts that were named by `.meta({ id })`, by name. */
  components: Record<string, JsonSchema>;
};

/** Writes zod schemas as the schemas of one OpenAPI document. */
export function schemaWriter(): SchemaWriter {
  const components: Record<string, JsonSchema> = {};
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
    const { $schema, $defs, ...own } = inDocument(z.toJSONSchema(schema, { io, unrepresentable: 'any', override }));
    for (const [name, part] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      if (name in components && JSON.stringify(components[name]) !== JSON.stringify(part)) {
        throw new Error(`two different schemas are called ${name}`);
      }
      components[name] = part;
    }
    return own;
  };
  return { schemaOf, components };
}

/** Answers may gain fields without notice, so a client must not be told to refuse unknown ones. */
function override({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

function inDocument(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
}
