import * as z from 'zod';
import { createNaming } from './naming.ts';

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
  const written = new Map<string, string>();
  const withNamedParts = createNaming(components);
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
    const { $schema, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
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

/**
 * The schema as readers and generators like it best, meaning the same. Answers may gain fields without notice, so no
 * client is told to refuse unknown ones; nor does it matter to it what stands where a field of an answer is not set.
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
  // The pattern of a format is hundreds of characters that say the same.
  if (schema.format !== undefined) noise.add('pattern');
  // What a double counts exactly is a limit of what is sent, and no news of what is answered.
  if (io === 'output' && schema.minimum === Number.MIN_SAFE_INTEGER) noise.add('minimum');
  if (io === 'output' && schema.maximum === Number.MAX_SAFE_INTEGER) noise.add('maximum');
  // Of a record: that the names of JSON are strings.
  noise.add('propertyNames');
  return Object.fromEntries(Object.entries(schema).filter(([word]) => !noise.has(word)));
}

/** What a condition such as "not with `contacts`" asks for is a property too, of any kind: tools look for it. */
function named(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.required) || schema.properties !== undefined) return schema;
  return { ...schema, properties: Object.fromEntries(schema.required.map((name) => [name, {}])) };
}

/** An object of which nothing is known may hold anything: said in words, since some generators take it for empty. */
function open(schema: JsonSchema): JsonSchema {
  const { type, ...beside } = schema;
  const types = [type].flat();
  if (!types.includes('object') || 'properties' in schema || 'additionalProperties' in schema) return schema;
  const anything = { type: 'object', additionalProperties: {} };
  return types.includes('null') ? { ...beside, anyOf: [anything, { type: 'null' }] } : { ...beside, ...anything };
}

/**
 * `null` beside one other possibility is a second type of it, and nothing beside "anything". Beside an object or an
 * enumeration it stays apart: of these, written as one, generators lose the `null` or make the same type three times.
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
