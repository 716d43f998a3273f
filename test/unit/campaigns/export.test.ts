import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentJsonSchema } from '../../../bin/content/document-schema.ts';
import { exportedDocument } from '../../../bin/content/export.ts';
import { applyContent } from '../../../lib/content/apply.ts';
import { readDocument } from '../../../lib/content/read.ts';
import { type StoredDocument, storedDocument } from '../../../lib/domain/campaigns/document.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { id, teamId } from '../../support/samples/content-documents.ts';

/** The part of JSON Schema that documents of content use. */
type Schema = {
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
function valuesOf(schema: Schema): Arbitrary<JsonValue> {
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

const memberNames = fc.constantFrom('a', 'a.b', '0', '', '.', '__proto__', 'constructor', 'é');
const scalar = fc.oneof(fc.string({ maxLength: 20 }), fc.integer(), fc.boolean(), fc.constant(null));
const inner = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(memberNames, scalar, { maxKeys: 3 }));
const freeForm = fc.dictionary(memberNames, inner, { maxKeys: 4 }) as Arbitrary<JsonValue>;

const otherTeam = id(99);
let clock = 0;
function imported(value: JsonValue, stored: StoredDocument = noContent, team = teamId, time = clock++) {
  const { errors, document } = readDocument(value);
  expect(errors).toEqual([]);
  const now = new Date(Date.UTC(2026, 0, 1) + time).toISOString();
  const context = { teamId: team, features: [], globalObjectives: [], idOf: (name: string) => uuidOf(name), now };
  const applied = applyContent(stored, document!, context);
  if ('errors' in applied) throw new Error(JSON.stringify(applied.errors));
  // As it comes back from the store.
  return { ...applied, content: storedDocument.parse(JSON.parse(JSON.stringify(applied.content))) };
}

/** An id for a name, always the same. */
const names: string[] = [];
function uuidOf(name: string): string {
  if (!names.includes(name)) names.push(name);
  return id(1000 + names.indexOf(name));
}

function expectRoundTrip(value: JsonValue): void {
  const time = clock++;
  const { content } = imported(value, noContent, teamId, time);
  const exported = JSON.parse(JSON.stringify(exportedDocument(content)));
  const again = imported(exported, content);
  for (const counts of Object.values(again.counts)) expect(counts).toMatchObject({ created: 0, updated: 0 });
  expect(again.content).toEqual(content);
  // Its messages go live at the time of the import.
  const elsewhere = imported(exported, noContent, otherTeam, time).content;
  const objectives = content.objectives.map((each) => ({ ...each, team_id: otherTeam }));
  expect(elsewhere).toEqual({ ...content, objectives });
  expect(JSON.parse(JSON.stringify(exportedDocument(elsewhere)))).toEqual(exported);
}

test('the sample comes back as it was, into the same team and into a new one', () => {
  expectRoundTrip(JSON.parse(readFileSync(join(projectRoot, 'examples/campaigns.json'), 'utf8')));
});

test('an empty member of a field that may contain any JSON comes back', () => {
  const styles = { palette: { dark: null, text: '' }, typography: { heading: null } };
  expectRoundTrip({ templates: [{ styles, theme: { palette: { primary: null } }, footer_content: { text: null } }] });
});

test('a shared page or message is given once, and stays shared', () => {
  const shared = {
    templates: [
      {
        name: 'A',
        template_pages: [{ page: { id: id(1), content_name: 'P' } }],
        template_messages: [{ message: { id: id(2) } }],
      },
      { name: 'B', template_pages: [{ page_id: id(1) }], template_messages: [{ message_id: id(2) }] },
    ],
  };
  expectRoundTrip(shared);
  const exported = exportedDocument(imported(shared).content);
  expect(exported).toMatchObject({ templates: [{}, { template_pages: [{ page_id: id(1) }] }] });
  expect(JSON.stringify(exported).split('"content_name"')).toHaveLength(2);
});

test('what is unset is left out, but not from what may hold any JSON', () => {
  const block = { id: id(3), data: { heading: null, list: [], other: null } };
  const { content } = imported({ templates: [{ id: id(4), facts: [], theme: { a: null }, content_blocks: [block] }] });
  expect(exportedDocument(content)).toEqual({
    templates: [
      {
        id: id(4),
        facts: [],
        theme: { a: null },
        content_blocks: [{ id: id(3), data: { list: [], other: null } }],
        inserted_at: expect.any(String),
      },
    ],
  });
});

describe('whatever the document', () => {
  /** Fields that name something else, or that the schema does not bound as the import does. */
  const leftOut = ['$schema', 'id', 'team_id', 'page_id', 'message_id', 'template_page_id', 'objective_id', 'order'];
  const unbounded = ['engagement_channel_id', 'lookup_fields', 'frame_ancestors', 'language'];
  const sets = ['completion_product_ids', 'completion_standardized_types', 'completion_product_id'];
  const omitted = new Set([...leftOut, ...unbounded, ...sets]);

  /** The schema of documents whose objects are independent of each other. */
  function simplified(schema: Schema): Schema {
    if (schema.pattern !== undefined) return { enum: ['2026-01-02', '2026-01-02T03:04:05Z'] };
    // `allOf` only describes the fields of blocks.
    const { properties, items, anyOf, allOf, ...rest } = schema as Schema & { allOf?: unknown };
    const kept = Object.entries(properties ?? {}).filter(([name]) => !omitted.has(name));
    return {
      ...rest,
      ...(properties ? { properties: Object.fromEntries(kept.map(([name, part]) => [name, simplified(part)])) } : {}),
      ...(properties && ('page' in properties || 'message' in properties)
        ? { required: kept.map(([name]) => name) }
        : {}),
      ...(items ? { items: simplified(items) } : {}),
      ...(anyOf ? { anyOf: anyOf.map(simplified) } : {}),
    };
  }

  const { $schema, $id, $defs, ...schema } = contentJsonSchema();
  const documents = valuesOf(simplified(schema as Schema));

  test('its export changes nothing, and makes the same content in a new team', () => {
    let taken = 0;
    fc.assert(
      fc.property(documents, (document) => {
        const { errors, document: read } = readDocument(document);
        fc.pre(read !== undefined && errors.length === 0);
        const context = {
          teamId,
          features: [],
          globalObjectives: [],
          idOf: uuidOf,
          now: '2026-01-01T00:00:00.000000Z',
        };
        fc.pre(!('errors' in applyContent(noContent, read!, context)));
        expectRoundTrip(document);
        taken += 1;
      }),
      { numRuns: 100 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});
