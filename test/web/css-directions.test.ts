import { expect, test } from 'vitest';
import { templateWith } from '../support/content-documents.ts';
import { container, warningsOf } from '../support/content-warnings.ts';

const content_blocks = [{ type: 'text', data: { body: '1', customClass: 'hero' } }];
const arabic = { translations: { ar: {} } };
const withCss = (css: string, fields: object = arabic) => templateWith({ content_blocks }, { css, ...fields });
const said = (documents: object) => warningsOf(documents).filter((each) => each.includes('from right to left'));
const why = 'which has the same side on the pages in `ar`, although they are read from right to left';

test.each<[css: string, written: string, instead: string]>([
  ['.hero { margin-left: 10px }', 'margin-left: 10px', 'margin-inline-start: 10px'],
  ['.hero { margin-right: auto }', 'margin-right: auto', 'margin-inline-end: auto'],
  ['.hero { Padding-Right: 1rem }', 'padding-right: 1rem', 'padding-inline-end: 1rem'],
  [
    '.hero { border-left: 4px solid #123456 }',
    'border-left: 4px solid #123456',
    'border-inline-start: 4px solid #123456',
  ],
  ['.hero { border-left-width: 4px }', 'border-left-width: 4px', 'border-inline-start-width: 4px'],
  ['.hero { text-align: left }', 'text-align: left', 'text-align: start'],
  ['.hero { text-align: Right }', 'text-align: Right', 'text-align: end'],
  ['.hero { float: left }', 'float: left', 'float: inline-start'],
  ['.hero { clear: right }', 'clear: right', 'clear: inline-end'],
  ['.hero { padding: 0 0 0 1rem }', 'padding: 0 0 0 1rem', 'padding-inline: 1rem 0'],
  ['.hero { margin: 0 calc(1rem + 2px) 0 0 }', 'margin: 0 calc(1rem + 2px) 0 0', 'margin-inline: 0 calc(1rem + 2px)'],
  [
    '.hero { margin-left: 8px; margin-right: 8px; padding-left: 8px }',
    'padding-left: 8px',
    'padding-inline-start: 8px',
  ],
  ['.hero { margin-right: 4px; margin-left: 0 }', 'margin-right: 4px', 'margin-inline-end: 4px'],
  ['.hero { float: left } [dir=rtl] .hero { color: #000 }', 'float: left', 'float: inline-start'],
  ['@media (min-width: 768px) { .hero { float: right } }', 'float: right', 'float: inline-end'],
])('has the wrong side in Arabic: %s', (css, written, instead) => {
  expect(said(withCss(css))).toEqual([`/templates/0/css has \`${written}\`, ${why}: write \`${instead}\``]);
});

test.each([
  '.hero { margin-inline-start: 10px; text-align: start; float: inline-end }',
  '.hero { text-align: center; float: none; clear: both }',
  '.hero { margin-left: auto; margin-right: auto }',
  '.hero { padding-left: 0; border-left: none; margin-left: 0px !important }',
  '.hero { padding: 8px 1rem 4px 1rem; margin: 0 auto }',
  '.hero::before { position: absolute; left: 0 }',
  '.hero { border-top-left-radius: 8px; transform-origin: left }',
  '.hero { margin-left: 8px } .hero:dir(rtl) { margin-right: 8px; margin-left: 0 }',
  '.hero { margin-left: 8px } .hero:lang(ar) { margin-left: 0 }',
  '@media print { .hero { float: left } }',
])('has no side, or is meant: %s', (css) => {
  expect(said(withCss(css))).toEqual([]);
});

test.each<[what: string, fields: object, languages: string | undefined]>([
  ['no translations', {}, undefined],
  ['languages from left to right', { language: 'de', translations: { cs: {}, es: {} } }, undefined],
  // Their pages have the layout of English.
  ['a language without words of the page', { translations: { he: {} } }, undefined],
  ['its own language', { language: 'ar-EG' }, '`ar-EG`'],
  ['two', { language: 'ar', translations: { 'ar-MA': {}, es: {} } }, '`ar` and `ar-MA`'],
])('a campaign with %s', (_, fields, languages) => {
  expect(said(withCss('.hero { float: left }', fields))).toEqual(
    languages === undefined ? [] : [expect.stringContaining(`the pages in ${languages}, although`)],
  );
});

test('the content of channels and styles as objects are checked too', () => {
  const styles = { h2: { textAlign: 'left' } };
  const found = said(container({ content_blocks, css: 'p { float: left }' }, arabic, { content_blocks, styles }));
  expect(found.map((each) => each.split(' ', 1)[0])).toEqual([
    '/templates/0/template_pages/0/page/styles',
    '/templates/0/template_pages/0/page/content_containers/0/css',
  ]);
});
