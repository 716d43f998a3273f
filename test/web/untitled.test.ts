import { expect, test } from 'vitest';
import { id } from '../support/content-documents.ts';
import { warningsOf } from '../support/content-warnings.ts';

const page = (fields: object, heading = 'Our rates') => ({
  page: {
    content_blocks: [
      { type: 'text', data: { body: 'A' } },
      { type: 'text', data: { heading } },
    ],
    ...fields,
  },
});
const titled = (title: string) => page({ navigation_title: title });
const at = '/templates/0/template_pages/1/page/navigation_title is not set, so the list of steps shows';
const warned = (template_pages: object[], fields: object = {}) =>
  warningsOf({ templates: [{ template_pages, ...fields }] });

test.each<[what: string, pages: object[], found: string]>([
  ['with a heading', [titled('A'), page({})], `${at} "Untitled": write a title, such as "Our rates"`],
  ['with a long heading', [titled('A'), page({}, 'A'.repeat(41))], `${at} "Untitled": write a title`],
  ['with a value in its heading', [titled('A'), page({}, 'Hello, {{name_first}}')], `${at} "Untitled": write a title`],
  ['without blocks', [titled('A'), { page: { content: 'A' } }], `${at} "Untitled": write a title`],
  ['beside a stored page', [{ page_id: id(5) }, page({})], `${at} "Untitled": write a title, such as "Our rates"`],
])('a page without a title, %s', (_what, pages, found) => {
  expect(warned(pages)).toEqual([found]);
});

test('the word is that of the language', () => {
  expect(warned([titled('A'), page({})], { language: 'cs' })).toEqual([expect.stringContaining('shows "Bez názvu"')]);
});

test.each<[what: string, pages: object[]]>([
  ['the only page, which has no list of steps', [page({})]],
  ['beside a draft', [page({}), page({ content_block_status: 'draft' })]],
  ['that is a draft', [titled('A'), titled('B'), page({ content_block_status: 'draft' })]],
  ['that has a content_name', [titled('A'), page({ content_name: 'B' })]],
  ['with a title', [titled('A'), titled('B')]],
])('is none for a page %s', (_what, pages) => {
  expect(warned(pages)).toEqual([]);
});

test('a field that is not known can have the titles', () => {
  const found = warned([titled('A'), page({ steps: [{ title: 'A' }] })]);
  expect(found).toEqual([expect.stringContaining('/steps is not a known field')]);
});
