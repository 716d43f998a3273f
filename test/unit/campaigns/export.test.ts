import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyContent } from '../../../bin/content/apply.ts';
import { contentJsonSchema } from '../../../bin/content/document-schema.ts';
import { exportedDocument } from '../../../bin/content/export.ts';
import { readDocument } from '../../../bin/content/read.ts';
import { type StoredDocument, storedDocument } from '../../../lib/domain/campaigns/document.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { id, teamId } from '../../support/samples/content-documents.ts';
import { type Schema, valuesOf } from './schema-values.ts';

const otherTeam = id(99);
let clock = 0;
function imported(value: JsonValue, stored: StoredDocument = noContent, team = teamId) {
  const { errors, document } = readDocument(value);
  expect(errors).toEqual([]);
  const now = new Date(Date.UTC(2026, 0, 1) + clock++).toISOString();
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
  const { content } = imported(value);
  const exported = JSON.parse(JSON.stringify(exportedDocument(content)));
  const again = imported(exported, content);
  for (const counts of Object.values(again.counts)) expect(counts).toMatchObject({ created: 0, updated: 0 });
  expect(again.content).toEqual(content);
  const elsewhere = imported(exported, noContent, otherTeam).content;
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
