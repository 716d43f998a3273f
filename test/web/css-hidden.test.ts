import { expect, test } from 'vitest';
import { templateWith } from '../support/content-documents.ts';
import { container, warningsOf } from '../support/content-warnings.ts';

const text = { type: 'text', data: { body: 'A', customClass: 'hero' } };
const withCss = (css: string, content_blocks: object[] = [text]) => templateWith({ content_blocks }, { css });
const start = '/templates/0/css has';
const everything = 'so people see nothing of the content: delete it, or write a class of your own in place of';

test.each<[css: string, found: string]>([
  [
    'p {display:none}',
    '`display: none` for `p`, so no `p` is visible: delete it, or write a class of your own in place of `p`',
  ],
  ['p { margin: 0; Display: NONE !important }', '`display: none` for `p`, so no `p`'],
  ['h2, p { visibility: hidden }', '`visibility: hidden` for `h2`, so no `h2`'],
  ['body{visibility:hidden}', `\`visibility: hidden\` for \`body\`, ${everything} \`body\``],
  [':root { opacity: 0 }', `\`opacity: 0\` for \`:root\`, ${everything}`],
  ['* { font-size: 0 }', `\`font-size: 0\` for \`*\`, ${everything}`],
  ['html p { font-size: 0.01rem }', '`font-size: 0.01rem` for `html p`, so no `p`'],
  ['p { font-size: 1px }', '`font-size: 1px` for `p`, so people cannot read any `p`'],
  ['body { font-size: 7.5px }', '`font-size: 7.5px` for `body`, so people cannot read the content'],
  ['dd { font-size: .4rem }', '`font-size: .4rem` for `dd`, so people cannot read any `dd`'],
  ['dl { display: none }', '`display: none` for `dl`, so no `dl`'],
  ['.terms { display: none }', '`display: none` for `.terms`'],
  ['dt { visibility: hidden }', '`visibility: hidden` for `dt`'],
  ['legend { display: none }', '`display: none` for `legend`'],
  ['textarea { display: none }', '`display: none` for `textarea`'],
  ['p { transform: scale(0) }', '`transform: scale(0)` for `p`, so no `p` is visible'],
  ['.card { transform: translateY(1px) scaleY(0.0) }', '`transform: translateY(1px) scaleY(0.0)`'.toLowerCase()],
  ['p { text-indent: -9999px }', '`text-indent: -9999px` for `p`'],
  ['.block { clip-path: inset(100%) }', '`clip-path: inset(100%)` for `.block`'],
  ['.block { clip-path: circle(0) }', '`clip-path: circle(0)`'],
  ['.block { opacity: 0.09 }', '`opacity: 0.09`'],
  ['.block { opacity: 9% }', '`opacity: 9%`'],
  ['button { pointer-events: none }', '`pointer-events: none` for `button`, so people cannot press any `button`'],
  ['body { pointer-events: none }', '`pointer-events: none` for `body`, so people can press nothing'],
  ['.block { opacity: 0.01 }', '`opacity: 0.01` for `.block`, so no `.block`'],
  ['.block > p { opacity: 0% }', '`opacity: 0%` for `.block > p`'],
  ['.button { display: none }', '`display: none` for `.button`'],
  ['@media screen { .card p { display: none } }', '`display: none` for `.card p`'],
  ['p { display: none } .hero { display: flex }', '`display: none` for `p`'],
  ['p { display: none } @media print { p { display: block } }', '`display: none` for `p`'],
  ['p { display: none } p { visibility: visible }', '`display: none` for `p`'],
  [
    '.hero { opacity: 0; animation: show 1s forwards } @keyframes show { to { opacity: 1 } }',
    '`opacity: 0` for `.hero`, so people who ask for less motion see nothing of it, because they see no animation: write `opacity: 0` into the first step of the animation only',
  ],
])('hides what people should see: %s', (css, found) => {
  const [first] = warningsOf(withCss(css));
  expect(first?.slice(0, `${start} ${found}`.length)).toBe(`${start} ${found}`);
});

test.each([
  '.hero { display: none }',
  'p { font-size: 8px } dl { font-size: 0.5rem } dd { opacity: 0.1 } dt { opacity: 10% }',
  'p { transform: scale(0.9); text-indent: -2em; clip-path: inset(2%) } h2 { transform: rotate(0) scale(.5) }',
  'label, p, img { pointer-events: none }',
  'button:disabled { pointer-events: none }',
  'button { pointer-events: none } .hero button { pointer-events: auto }',
  '.card { transform: scale(0); animation: grow 1s forwards } @keyframes grow { to { transform: none } }',
  '.card { transform: scale(0); transition: 1s } .card:hover { transform: none }',
  '.hero { clip-path: inset(100%) }',
  '.hero p { visibility: hidden }',
  'p { display: block; opacity: 0.7; font-size: 0.9rem }',
  'p { font-size: 10px } h2 { font-size: 1em }',
  'p { opacity: .5; font-size: 100% }',
  'img, hr, small, .lead { display: none }',
  '@media print { p { display: none } }',
  '@media (max-width: 600px) { .card { display: none } }',
  'p:empty { display: none }',
  'p + p { display: none }',
  'p.lead { display: none }',
  '.block:has(img) p { display: none }',
  'p[hidden] { display: none }',
  '.block { display: none } .hero { display: block }',
  'p { display: none } .hero p { display: block }',
  'body { visibility: hidden } .hero { visibility: visible }',
  '.block { opacity: 0; transition: opacity 1s } .block:hover { opacity: 1 }',
  '.hero { opacity: 0; animation: show 1s } @media (prefers-reduced-motion: reduce) { .hero { opacity: 1 } } @keyframes show { to { opacity: 1 } }',
  '@media (prefers-reduced-motion: no-preference) { .hero { opacity: 0; animation: show 1s } } @keyframes show { to { opacity: 1 } }',
  '.hero:hover { opacity: 0; animation: show 1s } @keyframes show { to { opacity: 1 } }',
  '@keyframes show { from { opacity: 0 } } .hero { animation: show 1s }',
])('hides nothing, or what is meant: %s', (css) => {
  expect(
    warningsOf(withCss(css)).filter((each) => /visible|see nothing|cannot read any|cannot read the|press/.test(each)),
  ).toEqual([]);
});

test('a block can be hidden by its own CSS, but not its texts', () => {
  expect(warningsOf(withCss('', [{ ...text, styles: { display: 'none' } }])).join()).not.toContain('see nothing');
  expect(warningsOf(withCss('', [{ ...text, css: 'p { display: none }' }])).join()).toContain('no `p` is visible');
});

test('styles of a page, containers and default content are checked too', () => {
  const css = 'p { display: none }';
  const channel = { default_content: { content_blocks: [text], css } };
  const found = warningsOf({
    engagement_channels: [channel],
    ...container({ content_blocks: [text], css }, {}, { content_blocks: [text], styles: { display: 'none' } }),
  }).filter((each) => /visible|see nothing/.test(each));
  expect(found.map((each) => each.split(' ', 1)[0])).toEqual([
    '/engagement_channels/0/default_content/css',
    '/templates/0/template_pages/0/page/styles',
    '/templates/0/template_pages/0/page/content_containers/0/css',
  ]);
});
