import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentJsonSchema } from '../../../bin/content/document-schema.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { errorDetailsOf, id, inMessage, inPage, templateWith } from '../../support/samples/content-documents.ts';

let validate: ValidateFunction;
beforeAll(() => {
  // Fields that may contain any JSON are described without a type. Not every editor checks formats.
  const options = { allErrors: true, allowUnionTypes: true, strictTypes: false, validateFormats: false };
  validate = new Ajv2020(options).compile(contentJsonSchema());
});
const failures = (document: object) => {
  validate(document);
  return [...new Set(validate.errors?.map(({ instancePath }) => instancePath))];
};

test('the schema names itself and its draft, and describes every field', () => {
  const schema = contentJsonSchema();
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:onboarding-service:content-document',
    title: 'Campaign content',
    description: expect.stringContaining('the admin command imports'),
  });
  const undescribed: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && 'type' in value) {
      for (const [name, part] of Object.entries(value.properties as Record<string, object>)) {
        if (!('description' in part) || part.description === '') undescribed.push(`${path}/${name}`);
        look(part, `${path}/${name}`);
      }
    } else for (const [name, part] of Object.entries(value)) look(part, `${path}/${name}`);
    if ('items' in value) look(value.items, path);
  };
  look(schema, '');
  expect(undescribed).toEqual([]);
});

test('the sample is valid', () => {
  expect(failures(JSON.parse(readFileSync(join(projectRoot, 'examples/campaigns.json'), 'utf8')))).toEqual([]);
});

describe('a document that is valid for the import is valid for the schema', () => {
  test.each<[string, object]>([
    ['empty', {}],
    ['with a link to its schema', { $schema: './content.schema.json' }],
    ['with nothing in its lists', { objectives: null, templates: [] }],
    ['with a date alone', { templates: [{ archived_at: '2026-01-02' }] }],
    ['with a time without an offset', { templates: [{ archived_at: '2026-01-02 03:04' }] }],
    ['with an id in upper case', { objectives: [{ id: id(10).replaceAll('0', 'A'), key: 'k' }] }],
    ['with unknown fields', { templates: [{ something: 1 }] }],
    ['with any JSON', { templates: [{ facts: [1, 'a'], theme: 'x' }] }],
  ])('%s', (_what, document) => {
    expect(errorDetailsOf(document)).toEqual([]);
    expect(failures(document)).toEqual([]);
  });
});

describe('a document with an error fails, at the same place as the import:', () => {
  test.each<[string, object, string]>([
    ['a list that is none', { templates: {} }, '/templates'],
    ['an object that is none', { templates: ['x'] }, '/templates/0'],
    ['an unknown value', { templates: [{ status: 'ongoing' }] }, '/templates/0/status'],
    ['a text that is a number', { templates: [{ name: 7 }] }, '/templates/0/name'],
    ['a flag that is a text', templateWith({ is_live: 'yes' }), `${inPage}/is_live`],
    ['a number that is a text', { templates: [{ targeting_order: '1' }] }, '/templates/0/targeting_order'],
    ['styles that are a text', templateWith({ styles: 'red' }), `${inPage}/styles`],
    ['an id that is no UUID', { objectives: [{ id: 'k', key: 'k' }] }, '/objectives/0/id'],
    ['a date that there is not', { templates: [{ archived_at: '2026-02-30' }] }, '/templates/0/archived_at'],
    ['a date that is a word', { templates: [{ archived_at: 'today' }] }, '/templates/0/archived_at'],
    ['an empty key', { objectives: [{ key: '' }] }, '/objectives/0/key'],
    [
      'a message of an unknown kind',
      { templates: [{ template_messages: [{ message: { type: 'fax' } }] }] },
      `${inMessage}/type`,
    ],
    [
      'a block whose data are a text',
      templateWith({ content_blocks: [{ data: 'x' }] }),
      `${inPage}/content_blocks/0/data`,
    ],
  ])('%s', (_what, document, path) => {
    expect(errorDetailsOf(document)).toEqual([path]);
    expect(failures(document)).toContain(path);
  });

  test('a key that lacks', () => {
    expect(errorDetailsOf({ objectives: [{}] })).toEqual(['/objectives/0/key']);
    expect(failures({ objectives: [{}] })).toContain('/objectives/0');
  });
});
