import fc, { type Arbitrary } from 'fast-check';
import type { JsonValue } from '../../lib/domain/json.ts';
import { anyCharacter } from '../support/any-character.ts';
import { type InterfaceDocument, notBlank, type Schema, typesOf } from './schema.ts';

/** Values of existing objects, by name of the field or parameter. These fields are sent more often than others. */
export type Known = Record<string, readonly JsonValue[]>;

/** Keywords that do not affect which values are valid. */
const annotations = ['description', 'title', 'default', 'example', 'examples', 'deprecated'];
const understood = new Set([
  ...annotations,
  ...['$ref', 'type', 'enum', 'const', 'anyOf', 'not', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'items', 'minItems', 'maxItems', 'properties', 'required', 'additionalProperties'],
  ...['dependentRequired', 'minProperties', 'maxProperties'],
]);

/**
 * Valid values of a JSON Schema of the document.
 * @throws Error for an unknown keyword, type or format, because it cannot generate valid values for it
 */
export function arbitraryOf(document: InterfaceDocument, known: Known): (schema: Schema) => Arbitrary<JsonValue> {
  const made = new Map<Schema, Arbitrary<JsonValue>>();

  const of = (part: Schema): Arbitrary<JsonValue> => {
    const found = made.get(part);
    if (found) return found;
    const schema = document.resolve(part);
    for (const keyword of Object.keys(schema)) {
      if (!understood.has(keyword)) throw new Error(`the fuzz does not know the keyword ${keyword}`);
    }
    const values = schema.anyOf ? fc.oneof(...schema.anyOf.map(of)) : oneOfTypes(schema);
    const isConditional = schema.not ?? schema.dependentRequired ?? schema.minProperties ?? schema.maxProperties;
    const arbitrary = isConditional !== undefined ? values.filter((value) => document.isValid(part, value)) : values;
    made.set(part, arbitrary);
    return arbitrary;
  };

  const oneOfTypes = (schema: Schema): Arbitrary<JsonValue> => {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const types = typesOf(schema);
    if (types.length === 0) return fc.jsonValue({ maxDepth: 2 }) as Arbitrary<JsonValue>;
    return fc.oneof(...types.map((type) => ofType(type, schema)));
  };

  const ofType = (type: string, schema: Schema): Arbitrary<JsonValue> => {
    if (type === 'null') return fc.constant(null);
    if (type === 'boolean') return fc.boolean();
    if (type === 'integer') return integers(schema);
    if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    if (type === 'string') return strings(schema);
    if (type === 'array') return arrays(schema);
    if (type === 'object') return schema.properties ? objects(schema) : freeForm;
    throw new Error(`the fuzz does not know the type ${type}`);
  };

  const arrays = ({ items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema): Arbitrary<JsonValue> => {
    if (!items) throw new Error('the fuzz does not know what the array holds');
    return fc.array(of(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
  };

  const objects = (schema: Schema): Arbitrary<JsonValue> => {
    const { properties = {}, required = [] } = schema;
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    const favoured = optional.filter((name) => name in known);
    const chosen = fc.oneof(
      {
        weight: 9,
        arbitrary: fc.tuple(fc.subarray(optional, { maxLength: Math.min(4, optional.length) }), fc.subarray(favoured)),
      },
      { weight: 1, arbitrary: fc.constant([optional]) },
    );
    const unknown = schema.additionalProperties === false ? fc.constant([]) : unknownFields;
    return fc.tuple(chosen, unknown).chain(([names, others]) => {
      const fields = [...new Set([...required, ...names.flat()])];
      const values = fc.tuple(...fields.map((name) => field(name, properties[name]!)));
      return values.map((each) => Object.fromEntries([...others, ...fields.map((name, at) => [name, each[at]!])]));
    });
  };

  const field = (name: string, schema: Schema): Arbitrary<JsonValue> => {
    const existing = (known[name] ?? []).filter((value) => document.isValid(schema, value));
    if (existing.length === 0) return of(schema);
    return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...existing) }, { weight: 1, arbitrary: of(schema) });
  };

  return of;
}

function integers({ minimum, maximum }: Schema): Arbitrary<JsonValue> {
  const [least, most] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
  return fc.oneof(
    fc.constantFrom(least, most),
    fc.maxSafeInteger().filter((value) => value >= least && value <= most),
    fc.integer({ min: Math.max(least, -100), max: Math.min(most, 100) }),
  );
}

const oddTexts = [
  '',
  ' ',
  '\0',
  '%',
  '%zz',
  '../..',
  '__proto__',
  'null',
  '0',
  '"',
  "'; --",
  '<b>',
  'ß',
  '😀',
  '\u202e',
];

// Created once, because creating one is slow.
const plainText = fc.string({ maxLength: 12 });
const anyText = fc.string({ unit: anyCharacter, maxLength: 30 });
const oddText = fc.constantFrom(...oddTexts);
const anyDay = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('2400') })
  .map((date) => date.toISOString().slice(0, 10));

function strings({ format, pattern, examples = [], minLength = 0, maxLength = 200 }: Schema): Arbitrary<JsonValue> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date') return anyDay;
  if (format !== undefined) throw new Error(`the fuzz does not know the format ${format}`);
  const hasLength = (value: string) => [...value].length <= maxLength && [...value].length >= minLength;
  const fits = (value: string) => hasLength(value) && (pattern === undefined || new RegExp(pattern, 'u').test(value));
  if (pattern !== undefined && pattern !== notBlank) {
    const given = examples.filter((each) => typeof each === 'string').map((each) => fc.constant(each));
    return fc.oneof(fc.stringMatching(new RegExp(pattern, 'u')), ...given).filter(fits);
  }
  const longest = fc.constantFrom('x', 'é', '😀').map((unit) => unit.repeat(maxLength));
  return fc.oneof(
    { weight: 6, arbitrary: plainText.filter(fits) },
    { weight: 4, arbitrary: anyText.filter(fits) },
    { weight: 3, arbitrary: oddText.filter(fits) },
    { weight: 1, arbitrary: longest },
  );
}

// Only a few names, because metadata are merged with stored metadata and their size is limited.
const names = ['a', 'a.b', 'b', 'core_id', '0', '', '.', '__proto__', 'constructor', 'é'];
const scalar = fc.oneof(fc.string({ maxLength: 20 }), fc.integer(), fc.boolean(), fc.constant(null));
const inner = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom(...names), scalar, { maxKeys: 3 }),
);
const freeForm = fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 4 }) as Arbitrary<JsonValue>;

/** Names of fields that the document does not describe. */
export const unknownNames = ['colour', '__proto__', 'constructor', 'shoe size'];
const unknownFields = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.tuple(fc.constantFrom(...unknownNames), fc.jsonValue({ maxDepth: 2 }) as Arbitrary<JsonValue>),
      { maxLength: 2 },
    ),
  },
) as Arbitrary<[string, JsonValue][]>;
