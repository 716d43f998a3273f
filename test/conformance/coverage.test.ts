import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conformancePage } from '../../bin/conformance/page.ts';
import { placeNames } from '../../bin/conformance/places.ts';
import { readResults } from '../../bin/conformance/results.ts';
import { keyOf } from '../../bin/conformance/row.ts';
import { rows, sections } from '../../bin/conformance/rows.ts';
import { problems } from '../../lib/http/errors.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { projectRoot, read } from '../architecture/sources.ts';

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  [limit: string]: unknown;
};
type Operation = { parameters?: { name: string; in: string; schema: Schema }[] };

const document = openApiDocument('https://api.example.com');
const { schemas } = document.components as { schemas: Record<string, Schema> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, each]) => ({ ...each, path, method })),
);
const partners = operations.filter(({ path }) => /^\/(v1|oauth2)\//.test(path));

const demands = rows.map(({ demand }) => demand);
const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
/** What is in backticks, whole and by the last part of a path such as `contact.role`. */
const named = new Set(demands.flatMap(namesIn).flatMap((name) => [name, name.split('.').at(-1)!]));
const headings = sections.join('\n');

/** Schemas of which the pages of a journey or other documents are made, and not what partners send and receive. */
const properties = Object.entries(schemas).flatMap(([schema, { properties: own = {} }]) =>
  Object.entries(own).map(([name, field]) => ({ schema, name, field })),
);

/** The field without the reference or the alternative of `null`. */
const resolved = (field: Schema): Schema => {
  const inner = field.anyOf?.length === 2 ? { ...field.anyOf[0], ...field } : field;
  return inner.$ref === undefined ? inner : { ...schemas[inner.$ref.split('/').at(-1)!], ...inner };
};

const limitWords = ['maxLength', 'maxItems', 'maximum', 'default'] as const;
const limits = [
  ...partners.flatMap(({ parameters = [] }) => parameters.map(({ name, schema }) => ({ name, field: schema }))),
  ...properties,
].flatMap(({ name, field }) =>
  limitWords.flatMap((word) => {
    const value = resolved(field)[word];
    return value === undefined || Array.isArray(value) ? [] : [{ name, word, value: String(value) }];
  }),
);

/** Limits of the pages of the service and of its content; and the range of all whole numbers. */
const unnamed = [
  'offset maximum 9007199254740991',
  'chunk_index maximum 9007199254740991',
  'key maxLength 1024',
  'values maxItems 100',
  'answers maxItems 40',
  'typed_name maxLength 200',
  'value maxLength 4000',
  'question maxLength 1024',
];

describe('the rows', () => {
  test('are each there once, in a section that is known', () => {
    const keys = rows.map(keyOf);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    expect(sections.filter((section) => !rows.some((row) => row.section === section))).toEqual([]);
  });

  test('name tests that exist', () => {
    const missing = rows.flatMap((row) =>
      'test' in row && !existsSync(join(projectRoot, row.test)) ? [row.test] : [],
    );
    expect(missing).toEqual([]);
  });

  test('name every operation', () => {
    const shown = (method: string, path: string) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    const missing = operations
      .map(({ method, path }) => shown(method, path))
      .filter((operation) => !headings.includes(operation) && !demands.some((demand) => demand.includes(operation)));
    expect(missing).toEqual([]);
  });

  test('name every parameter', () => {
    const names = new Set(operations.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name)));
    const headers = ['If-Match', 'If-None-Match'];
    const missing = [...names].filter(
      (name) => !named.has(name) && !headings.includes(`:${name}`) && !named.has(`:${name}`) && !headers.includes(name),
    );
    expect(missing).toEqual([]);
  });

  test('name every field', () => {
    expect([...new Set(properties.map(({ name }) => name))].filter((name) => !named.has(name))).toEqual([]);
  });

  test('name every value of an enumeration', () => {
    const values = properties.flatMap(({ name, field }) =>
      (resolved(field).enum ?? []).filter((value) => value !== null).map((value) => ({ name, value: String(value) })),
    );
    expect(values.filter(({ value }) => !named.has(value))).toEqual([]);
  });

  test('name every error code', () => {
    expect(Object.keys(problems).filter((code) => !named.has(code))).toEqual([]);
  });

  test('name every limit and default, with its field', () => {
    const missing = limits.filter(({ name, value }) => {
      const digits = new RegExp(`(?<![\\d])${value}(?![\\d])`);
      return !demands.some((demand) => namesIn(demand).includes(name) && digits.test(demand));
    });
    const texts = new Set(missing.map(({ name, word, value }) => `${name} ${word} ${value}`));
    expect([...texts].filter((text) => !unnamed.includes(text))).toEqual([]);
  });
});

describe('docs/conformance.md', () => {
  const results = readResults();

  test('is what the command writes, with the rows of the code and no other', () => {
    expect(Object.keys(results.rows)).toEqual(rows.map(keyOf));
    expect(read('docs/conformance.md')).toBe(conformancePage(results));
  });

  test('has no failed check', () => {
    const failed = Object.entries(results.rows).filter(([, each]) => Object.values(each).includes('failed'));
    expect(failed).toEqual([]);
  });

  test('has the result of every check in each place where the checks ran', () => {
    const missing = rows.flatMap((row) =>
      'test' in row
        ? []
        : placeNames
            .filter((place) => results.run_on[place] !== undefined && results.rows[keyOf(row)]?.[place] === undefined)
            .map((place) => `${place}: ${keyOf(row)}`),
    );
    // Run `npm run conformance -- --write PLACE` for each place.
    expect(missing).toEqual([]);
  });
});
