import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentJsonSchema, membersOf, withoutNull } from '../../../bin/content/document-schema.ts';
import { previewed, viewOf } from '../../../bin/preview/views.ts';
import { contentWarnings } from '../../../bin/warnings/document.ts';
import { readDocument } from '../../../lib/content/read.ts';
import { blockKinds, option, question } from '../../../lib/domain/campaigns/block-types.ts';
import type { Fields } from '../../../lib/domain/campaigns/shape.ts';
import type { JsonSchema } from '../../../lib/domain/values/json-schema.ts';
import { projectRoot, read } from '../../support/architecture/sources.ts';
import { shown } from '../../support/samples/content-documents.ts';

const page = read('docs/campaigns.md');
/** The sections of the guide. The reference after it has documents that show faults on purpose. */
const guide = page.slice(0, page.indexOf('\n## The document'));
const sections = guide
  .split(/^## /m)
  .slice(1)
  .map((text) => [text.split('\n', 1)[0]!, text] as const);

/** The only example of the section, which must have no warnings but that anybody with the link can agree. */
function exampleIn(section: string) {
  const [example, ...others] = [...section.matchAll(/```json content\n(.+?)```/gs)].map(([, text]) =>
    JSON.parse(text!),
  );
  const { errors, document } = readDocument(example);
  const warnings = contentWarnings(example, document!).filter(({ message }) => !/anybody with the link/.test(message));
  expect([errors, warnings, others]).toEqual([[], [], []]);
  return example;
}

test.each(sections)('the example of "%s" has no warnings, and a picture', (_, section) => {
  exampleIn(section);
  expect(section).toMatch(/!\[[^\]]+\]\(images\/campaign-/);
});

test('every picture is there', () => {
  const pictures = [...page.matchAll(/\]\((images\/[^)]+)\)/g)].map(([, path]) => path!);
  expect(pictures.filter((path) => !existsSync(join(projectRoot, 'docs', path)))).toEqual([]);
});

test.each([
  ['channels', 'Show it in other sites', 'Send messages'],
  ['messages', 'Send messages', 'Warnings'],
])('the example of %s has no warnings', (_, first, next) => {
  exampleIn(page.slice(page.indexOf(`\n## ${first}`), page.indexOf(`\n## ${next}`)));
});

test('the example of a fallback shows the value of a person, or else the fallback of the language', () => {
  const section = page.slice(page.indexOf('\n### Placeholders'), page.indexOf('\n## When a change is visible'));
  const content = shown(exampleIn(section));
  const htmlFor = (name_first: string | null, language: string) => {
    const contact = { ...previewed, name_first };
    return viewOf(content, contact, { template: 0, state: 'new', language, page: undefined })!.html;
  };
  expect(htmlFor('Alex', 'en')).toContain('Hello, Alex!');
  expect(htmlFor(null, 'en')).toContain('Hello, friend!');
  expect(htmlFor(null, 'es')).toContain('¡Hola, amiga!');
});

test('the guide names exactly the other names of fields of `data`', () => {
  const [, sentence = ''] = /^Some fields of `data` are also read under other names: (.+)/m.exec(page) ?? [];
  const named = [...sentence.split('. ', 1)[0]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  const all: Fields[] = [...Object.values(blockKinds), question, option].map(({ fields }) => fields);
  const others = all.flatMap(Object.entries<Fields[string]>).filter(([, { also = [] }]) => also.length > 0);
  const names = others.flatMap(([name, { also = [] }]) => [name, ...also]);
  expect([...new Set(named)].sort()).toEqual([...new Set(names)].sort());
});

describe('the table of fields names exactly the fields of the JSON Schema, for', () => {
  const { templates, engagement_channels: channels } = contentJsonSchema().properties as Record<string, JsonSchema>;
  const within = (schema: JsonSchema) => membersOf(withoutNull((withoutNull(schema) as { items: JsonSchema }).items))!;
  const cases = [
    ['a template', within(templates!)],
    ['a page', membersOf(withoutNull(within(within(templates!).template_pages!).page!))!],
    ['a block', within(within(templates!).content_blocks!)],
    [
      'a content container',
      within(membersOf(withoutNull(within(within(templates!).template_pages!).page!))!.content_containers!),
    ],
    ['an engagement channel', within(channels!)],
  ] as const;
  test.each(cases)('%s', (what, members) => {
    const [, table = ''] = page.split(`\n### Fields of ${what}\n`);
    const rows = table
      .split(/\n##/)[0]!
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) => [...row.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
    expect(named.sort()).toEqual(Object.keys(members).sort());
  });
});
