import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../lib/content/read.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { id, inPage, templateWith } from '../../support/samples/content-documents.ts';
import { errorsOf } from './content-imports.ts';

const read = (document: unknown) => readDocument(document as JsonValue);
const unknownObjective = { objective_id: id(7) };
const isUnknown = `${inPage}/objective_id must be the id of an existing objective`;

describe('the valid part of a document with errors', () => {
  test.each([['text'], [[]], [null], [1]])('is nothing if the document is %j', (document) => {
    expect(read(document)).toEqual({ errors: [{ path: '', message: 'must be an object' }], document: undefined });
  });

  test('has no invalid fields, and empty objects in the place of other values', () => {
    const { errors, document } = read({
      objectives: ['x', { name: 1, key: 'k' }, { key: 2 }],
      templates: { a: 1 },
      engagement_channels: null,
    });
    expect(errors.map(({ path }) => path)).toEqual([
      '/objectives/0',
      '/objectives/1/name',
      '/objectives/2/key',
      '/templates',
    ]);
    const unset = { id: null, name: null, team_id: null, driver_id: null };
    const objectives = ['\u00000', 'k', '\u00002'].map((key) => ({ ...unset, key }));
    expect(document).toEqual({ ...noContent, objectives });
  });

  test('has no list in which a value is invalid, if its values have no fields', () => {
    const page = { completion_product_ids: [id(1), 'x', 'y'], completion_standardized_types: ['x', 'cd'] };
    const channel = { lookup_fields: ['email', 'x', 'y'], frame_ancestors: ['http://x'], show_navigation: true };
    const { document } = read({ ...templateWith(page), engagement_channels: [channel] });
    expect(document!.templates[0]!.template_pages[0]!.page).toMatchObject({
      completion_product_ids: [],
      completion_standardized_types: [],
    });
    const [first] = document!.engagement_channels;
    expect(first).toMatchObject({ lookup_fields: [], frame_ancestors: [], show_navigation: true });
  });

  test('is checked with what is valid, so that all errors are reported together', () => {
    const pages = templateWith(unknownObjective);
    const objectives = (...given: unknown[]) => errorsOf(noContent, { ...pages, objectives: given });
    expect(objectives({}, { name: 'A' })).toEqual([isUnknown]);
    expect(objectives({ name: 1, key: 'k' }, { key: 'k' })).toEqual([
      '/objectives/1/key is the key of another objective',
      isUnknown,
      expect.stringMatching('^/objectives/1/id is also'),
    ]);
    expect(errorsOf(noContent, { ...pages, objectives: 1 })).toEqual([isUnknown]);
    expect(errorsOf(noContent, { ...pages, engagement_channels: ['x'] })).toEqual([isUnknown]);
  });

  test('does not change the given document', () => {
    const document = { objectives: [{ name: 1 }], templates: 'x' };
    read(document);
    expect(document).toEqual({ objectives: [{ name: 1 }], templates: 'x' });
  });
});

const sample = JSON.parse(readFileSync(join(projectRoot, 'examples/campaigns.json'), 'utf8'));

/** The places of all values in the document. */
const placesIn = (value: unknown, path: string[] = []): string[][] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, each]) => placesIn(each, [...path, name]))
    : []),
];
const places = placesIn(sample).filter((path) => path.length > 0);

function withValue(document: unknown, [name, ...rest]: string[], value: unknown): unknown {
  const copy = Array.isArray(document) ? [...document] : { ...(document as object) };
  const members = copy as Record<string, unknown>;
  members[name!] = rest.length === 0 ? value : withValue(members[name!], rest, value);
  return copy;
}

test('a document with any values in the wrong places is read, with errors or without', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<JsonValue[]>('\ud800', { '\ud800': 1, a: ['\udc00', {}] }, [{}, 'x', null], { es: { a: 1 } }),
  );
  const damage = fc.array(fc.tuple(fc.constantFrom(...places), value), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(damage, (changes) => {
      const ordered = changes.toSorted(([a], [b]) => b.length - a.length);
      const document = ordered.reduce((before, [path, each]) => withValue(before, path, each), sample);
      const result = read(document);
      expect(result.document).toBeDefined();
      expect(result.errors.every(({ path }) => path.startsWith('/'))).toBe(true);
    }),
  );
});
