import * as z from 'zod';
import { createNaming } from './naming.ts';

export type JsonSchema = { [key: string]: unknown };

export type SchemaWriter = {
  /** The schema of what clients send (`input`) or receive (`output`). Named parts become references. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
  /** The parts that were named by `.meta({ id })`, by name. */
  components: Record<string, JsonSchema>;
};

/** Converts zod schemas to the schemas of one OpenAPI document. */
export function schemaWriter(): SchemaWriter {
  const components: Record<string, JsonSchema> = {};
  const written = new Map<string, string>();
  const withNamedParts = createNaming(components);
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
    const options = { io, unrepresentable: 'any', override: withDefault } as const;
    const { $schema, $defs, ...own } = z.toJSONSchema(schema, options) as JsonSchema;
    for (const [name, part] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      const schema = inDocument(part, io);
      const text = JSON.stringify(schema);
      const isTaken = name in components && !written.has(name);
      if (isTaken || (written.get(name) ?? text) !== text) throw new Error(`two different schemas are called ${name}`);
      if (written.has(name)) continue;
      written.set(name, text);
      components[name] = withNamedParts(name, schema);
    }
    return inDocument(own, io);
  };
  return { schemaOf, components };
}

/** Zod leaves the `default` of a schema with a transform out. Ours is the one of the API, before the transform. */
function withDefault({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const value = z.globalRegistry.get(zodSchema)?.default;
  if (value !== undefined) jsonSchema.default = value;
}

/**
 * The same schema, simplified for readers and code generators. Schemas of responses allow unknown fields, because new
 * ones may be added at any time, and have no `default`, because a response is complete.
 */
function inDocument(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const { $ref, id: _, ...rest } = schema;
  const written = plain(open(named(withoutNoise(rest, io))));
  const inner = Object.entries(written).map(([word, value]) => [word, writtenWithin(word, value, io)] as const);
  const reference = typeof $ref === 'string' ? { $ref: $ref.replace('#/$defs/', '#/components/schemas/') } : {};
  return { ...reference, ...Object.fromEntries(inner) };
}

function writtenWithin(word: string, value: unknown, io: 'input' | 'output'): unknown {
  const write = (each: unknown) => inDocument(each as JsonSchema, io);
  if (word === 'properties') {
    return Object.fromEntries(Object.entries(value as JsonSchema).map(([name, each]) => [name, write(each)]));
  }
  if (word === 'anyOf' || word === 'oneOf' || word === 'allOf') return (value as unknown[]).map(write);
  const isSchema = typeof value === 'object' && (word === 'items' || word === 'additionalProperties' || word === 'not');
  return isSchema ? write(value) : value;
}

function withoutNoise(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const noise = new Set<string>();
  if (io === 'output') noise.add('default');
  if (io === 'output' && schema.additionalProperties === false) noise.add('additionalProperties');
  // The pattern of a format is long and adds no information.
  if (schema.format !== undefined) noise.add('pattern');
  // The range of safe integers limits what is sent. In a response it adds no information.
  if (io === 'output' && schema.minimum === Number.MIN_SAFE_INTEGER) noise.add('minimum');
  if (io === 'output' && schema.maximum === Number.MAX_SAFE_INTEGER) noise.add('maximum');
  // For a record it only says that property names are strings.
  noise.add('propertyNames');
  return Object.fromEntries(Object.entries(schema).filter(([word]) => !noise.has(word)));
}

/** Adds the names in `required` to `properties`, because some tools expect them there. */
function named(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.required) || schema.properties !== undefined) return schema;
  return { ...schema, properties: Object.fromEntries(schema.required.map((name) => [name, {}])) };
}

/** Adds `additionalProperties` to an object without properties. Without it some code generators make an empty type. */
function open(schema: JsonSchema): JsonSchema {
  const { type, ...beside } = schema;
  const types = [type].flat();
  if (!types.includes('object') || 'properties' in schema || 'additionalProperties' in schema) return schema;
  const anything = { type: 'object', additionalProperties: {} };
  return types.includes('null') ? { ...beside, anyOf: [anything, { type: 'null' }] } : { ...beside, ...anything };
}

/**
 * Writes "a type or `null`" as `type: [T, 'null']`, and omits `null` if any value is allowed. Objects and enumerations
 * keep `anyOf`: otherwise code generators lose the `null` or generate the same type several times.
 */
function plain(schema: JsonSchema): JsonSchema {
  const { anyOf, ...beside } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || (anyOf[1] as JsonSchema).type !== 'null') return schema;
  const other = anyOf[0] as JsonSchema;
  if (Object.keys(other).length === 0) return beside;
  const apart = other.type === 'object' || 'enum' in other || 'const' in other;
  if (typeof other.type !== 'string' || apart) return schema;
  return { ...other, ...beside, type: [other.type, 'null'] };
}
