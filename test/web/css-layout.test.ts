import { expect, test } from 'vitest';
import { templateWith } from '../support/content-documents.ts';
import { container, warningsOf } from '../support/content-warnings.ts';

const text = { type: 'text', data: { body: 'A', customClass: 'hero' } };
const withCss = (css: string) => templateWith({ content_blocks: [text] }, { css });

test.each<[css: string, message: RegExp]>([
  ['.hero { width: 600px }', /has `width: 600px`, which is wider than a phone of 320 px.*write `max-width: 600px`/],
  ['.hero { width: 24rem }', /`width: 24rem`/],
  ['.hero { inline-size: 20.5em }', /`inline-size: 20.5em`/],
  ['.hero { min-width: 400px; max-width: 100% }', /write it into `@media \(min-width: 768px\)`/],
  ['@media (max-width: 600px) { .hero { width: 400px } }', /`width: 400px`/],
  ['.hero { position: fixed; top: 0 }', /does not keep content on the screen/],
  ['.hero { position: sticky }', /does not scroll/],
  ['.hero p { position: absolute }', /write `position: relative` for the block around it/],
  ['.hero { margin: 0 -3rem }', /a negative margin that is larger than the padding/],
  ['.hero { margin-top: -40px }', /`margin-top: -40px`/],
  ['.hero { margin-inline-start: -30px }', /`margin-inline-start: -30px`/],
])('is a warning: %s', (css, message) => {
  expect(warningsOf(withCss(css))).toEqual([expect.stringMatching(message)]);
  expect(warningsOf(withCss(css))[0]).toMatch(/^\/templates\/0\/css has /);
});

test.each([
  '.hero { width: 320px }',
  '.hero { width: 600px; max-width: 100% }',
  '.hero { max-width: 600px; width: 100% }',
  '.hero { width: 50% } .hero p { min-width: 10em }',
  '.hero img { width: 600px }',
  '@media (min-width: 768px) { .hero { width: 600px } }',
  '@media (width >= 768px) { .hero { min-width: 600px } }',
  '@media print { .hero { position: fixed } }',
  '.hero { position: relative } .hero p { position: absolute; right: 0 }',
  '.hero::before { content: ""; position: absolute }',
  '.hero { margin: -8px 0 calc(-1 * 40px) auto }',
  '.hero { margin: -1rem; text-indent: -999px }',
])('is none: %s', (css) => {
  expect(warningsOf(withCss(css))).toEqual([]);
});

test('styles as objects, of containers and of default content are checked too', () => {
  const styles = { 'p, h2': { width: 500 } };
  const channel = { default_content: { content_blocks: [text], css: '.hero { position: fixed }' } };
  const found = warningsOf({ engagement_channels: [channel], ...container({ content_blocks: [text], styles }) });
  expect(found.map((each) => each.split(' ', 1)[0])).toEqual([
    '/engagement_channels/0/default_content/css',
    '/templates/0/template_pages/0/page/content_containers/0/styles',
  ]);
});
