import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { applyContent } from '../../bin/content/apply.ts';
import { readDocument } from '../../bin/content/read.ts';
import { storedDocument } from '../../lib/domain/content/document.ts';
import { noContent } from '../../lib/domain/content/link.ts';
import { isJsonObject, type JsonValue } from '../../lib/domain/json.ts';
import { storedContentOf } from '../../lib/store/stored-content.ts';
import { projectRoot } from '../architecture/sources.ts';
import { id, now, teamId } from '../support/content-documents.ts';

/** What the import of an example stores. */
function storedOf(example: string): JsonValue {
  const { document } = readDocument(JSON.parse(readFileSync(`${projectRoot}/examples/${example}`, 'utf8')));
  let count = 0;
  const context = { teamId, features: [], globalObjectives: [], idOf: () => id(++count), now };
  const applied = applyContent(noContent, document!, context);
  if ('errors' in applied) throw new Error(JSON.stringify(applied.errors));
  return JSON.parse(JSON.stringify(applied.content));
}

const examples = ['campaigns.json', 'mortgage.json', 'sandbox.json'].map((name) => [name, storedOf(name)] as const);

/** The content as a release would store it that has none of the unset fields. */
function withoutUnset(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutUnset);
  if (!isJsonObject(value)) return value;
  const set = Object.entries(value).filter(([, each]) => each !== null && !(Array.isArray(each) && each.length === 0));
  return Object.fromEntries(set.map(([name, each]) => [name, withoutUnset(each)]));
}

/** One object of each kind, with as little as it can have. */
const block = { id: id(1), data: {}, grid: {} };
const bare = {
  objectives: [{ id: id(2), key: 'signed_up' }],
  engagement_channels: [{ id: id(3), properties: {}, theme_styles: {}, default_content: { content_blocks: [block] } }],
  templates: [
    {
      id: id(4),
      ...{ editor_styles: {}, journey_title_options: {}, styles: {}, translations: {}, ending: {} },
      content_blocks: [block],
      template_pages: [
        { id: id(5), page: { id: id(6), content_containers: [{ id: id(7), content_blocks: [block] }] } },
      ],
      template_messages: [{ id: id(8), message: { id: id(9), content_blocks: [block] } }],
    },
  ],
};

/** The JSON text has the fields in their order, which the import compares. */
const expectAsParsed = (content: JsonValue) =>
  expect(JSON.stringify(storedContentOf(content))).toBe(JSON.stringify(storedDocument.parse(content)));

describe('stored content is read as the schema of the import would parse it', () => {
  test.each(examples)('%s', (_, content) => expectAsParsed(content));
  test.each(examples)('%s without its unset fields', (_, content) => expectAsParsed(withoutUnset(content)));
  test('objects with no field but those that are required', () => expectAsParsed(bare));
  test('what a block may have beside the known fields, and what other objects may not', () => {
    const unknown = { other: 1, ['__proto__']: 2 };
    expectAsParsed({
      ...bare,
      templates: [{ ...bare.templates[0]!, ...unknown, content_blocks: [{ ...block, data: { other: [1] } }] }],
    });
  });
});

type Path = readonly (string | number)[];
const pathsIn = (value: unknown, path: Path = []): Path[] => [
  ...(path.length > 0 ? [path] : []),
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, each]) =>
        pathsIn(each, [...path, Array.isArray(value) ? Number(name) : name]),
      )
    : []),
];

type Members = Record<string | number, unknown>;
function withValue(content: object, path: Path, value: JsonValue): JsonValue {
  const copy = structuredClone(content);
  const parent = path.slice(0, -1).reduce<Members>((inner, name) => inner[name] as Members, copy as Members);
  parent[path.at(-1)!] = value;
  return copy as JsonValue;
}

const complete = JSON.parse(JSON.stringify(storedDocument.parse(bare)));

const places = Map.groupBy(pathsIn(complete), (path) =>
  path
    .filter((name) => typeof name === 'string')
    .slice(0, 2)
    .join('.'),
);
test.each([...places])('the types in %s are checked as by the schema', (_, paths) => {
  for (const path of paths) {
    for (const value of [true, 1, [], [true], {}, null]) {
      const content = withValue(complete, path, value);
      if (storedDocument.safeParse(content).success) expectAsParsed(content);
      else
        expect(() => storedContentOf(content)).toThrow(
          `a stored content revision is invalid: document.${path.join('.')}`,
        );
    }
    // The schema also checks what is in a text.
    const content = withValue(complete, path, 'text');
    if (storedDocument.safeParse(content).success) expectAsParsed(content);
  }
});

test('an error names no value', () => {
  const reading = () => storedContentOf({ ...complete, objectives: [{ id: id(1), key: ['a stored value'] }] });
  expect(reading).toThrow('a stored content revision is invalid: document.objectives.0.key');
  expect(reading).not.toThrow('a stored value');
});
