import fc, { type Arbitrary } from 'fast-check';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { anyCharacter } from '../../support/any-character.ts';

/** The part of JSON Schema that documents of content use. */
export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  enum?: JsonValue[];
  const?: JsonValue;
  anyOf?: Schema[];
};

/** @throws Error for a type or format that it has no values for */
export function valuesOf(schema: Schema): Arbitrary<JsonValue> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 }) as Arbitrary<JsonValue>;
  return fc.oneof(...types.map((type) => valuesOfType(type, schema)));
}

function valuesOfType(type: string, schema: Schema): Arbitrary<JsonValue> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? -100, max: Math.min(schema.maximum ?? 100, 100) });
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  if (type === 'string') return texts(schema);
  if (type === 'array' && schema.items) {
    const { items, minItems = 0, maxItems = 3 } = schema;
    return fc.array(valuesOf(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
  }
  if (type === 'object') return schema.properties ? objects(schema) : freeForm;
  throw new Error(`no values for the type ${type}`);
}

function texts({ format, minLength = 0, maxLength = 30 }: Schema): Arbitrary<JsonValue> {
  if (format === 'uuid') return fc.uuid();
  if (format !== undefined) throw new Error(`no values for the format ${format}`);
  const hasLength = (value: string) => [...value].length <= maxLength && [...value].length >= minLength;
  const odd = fc.constantFrom('', ' ', '__proto__', 'null', '0', '<b>', '\u202e', 'x'.repeat(Math.min(maxLength, 200)));
  return fc.oneof(fc.string({ unit: anyCharacter, maxLength: 30 }), odd).filter(hasLength);
}

function objects({ properties = {}, required = [] }: Schema): Arbitrary<JsonValue> {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const few = fc.subarray(optional, { maxLength: Math.min(4, optional.length) });
  const chosen = fc.oneof({ weight: 9, arbitrary: few }, { weight: 1, arbitrary: fc.constant(optional) });
  return chosen.chain((others) => {
    const fields = [...required, ...others].map((name) => [name, valuesOf(properties[name]!)] as const);
    return fc.record(Object.fromEntries(fields), { noNullPrototype: true });
  });
}

const names = fc.constantFrom('a', 'a.b', '0', '', '.', '__proto__', 'constructor', 'é');
const scalar = fc.oneof(fc.string({ maxLength: 20 }), fc.integer(), fc.boolean(), fc.constant(null));
const inner = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(names, scalar, { maxKeys: 3 }));
const freeForm = fc.dictionary(names, inner, { maxKeys: 4 }) as Arbitrary<JsonValue>;
