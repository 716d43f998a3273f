import { describe, expect, test } from 'vitest';
import { reasonIgnored } from '../../lib/web/warnings/css-values.ts';
import { id, inPage, templateWith } from '../support/content-documents.ts';
import { container, inBlock, warningsOf } from '../support/content-warnings.ts';

const text = (customClass?: string, rest: object = {}) => ({ type: 'text', data: { body: 'A', customClass }, ...rest });
const withCss = (css: string, blocks: object[] = [text('hero')], rest: object = {}) =>
  templateWith({ content_blocks: blocks }, { css, ...rest });
const css = '/templates/0/css';
const dark = { theme: { palette: { dark: {} } } };

test.each<[property: string, value: string, reason: RegExp | undefined]>([
  ['magin', '0', /`magin` is not a property of CSS: did you mean `margin`/],
  ['mso-line-height-rule', 'exactly', /not a property/],
  ['Margin', '0 auto', undefined],
  ['-webkit-line-clamp', '2', undefined],
  ['--gap', '12', undefined],
  ['color', 'rde', /`rde` is not a value of `color`: did you mean `red`/],
  ['color', 'CurrentColor', undefined],
  ['color', 'rgb(0 0 0 / 50%)', undefined],
  ['border', '1px solid #12345', /`#12345` is not a color/],
  ['background', '#fff', undefined],
  ['color', '0b5d4e', /write `#0b5d4e`/],
  ['color', '$brand', /a variable of Sass/],
  ['background-image', 'logo.png', /pages load no images/],
  ['text-align', 'centre', /did you mean `center`/],
  ['display', '-webkit-box', undefined],
  ['content', 'x', /not a value of `content`/],
  ['padding', '20', /`20` has no unit: write `20px`/],
  ['font-size', '1.2 rem', /`1.2 rem` has a space before its unit: write `1.2rem`/],
  ['margin', '0 -.5em', undefined],
  ['margin', 'calc(2 * 4px)', undefined],
  ['line-height', '1.4', undefined],
  ['border-image-width', '2', undefined],
  ['padding', '10px !importent', /only `!important`/],
  ['font-family', '“Georgia”', /typographic quotes/],
  ['content', '"“A”"', undefined],
  ['margin', '0\u00a0auto', /invisible character/],
  ['font-family', 'Lato', /few devices have the font `Lato`/],
  ['font-family', '"Lato", Georgia, serif', undefined],
  ['font-family', 'var(--body-font)', undefined],
  ['font-family', 'inherit', undefined],
])('the value of %s: %s', (property, value, reason) => {
  const found = reasonIgnored(property, value);
  if (reason) expect(found).toMatch(reason);
  else expect(found).toBeUndefined();
});

describe('CSS that browsers ignore, that matches nothing or that cannot be read is a warning:', () => {
  const cases: [what: string, document: object, path: string, message: RegExp][] = [
    ['a property', withCss('.hero { margn: 0 }'), css, /`margn: 0`, which browsers ignore/],
    [
      'a property of an object',
      withCss('.hero {}', [text('hero', { styles: { fontsize: 18 } })]),
      `${inBlock}/styles/fontsize`,
      /ignored by browsers.*`font-size`/,
    ],
    ['a pseudo-class', withCss('.hero:hovr { margin: 0 }'), css, /did you mean `:hover`/],
    [
      'a missing colon of a media query',
      withCss('@media (max-width 600px) { .hero { margin: 0 } }'),
      css,
      /`:` is missing after `max-width`/,
    ],
    [
      'a media query without a unit',
      withCss('@media (max-width: 600) { .hero { margin: 0 } }'),
      css,
      /`600` has no unit/,
    ],
    ['a kind of device', withCss('@media mobile { .hero { margin: 0 } }'), css, /`@media mobile`/],
    ['a media feature', withCss('@media (device: phone) { .hero { margin: 0 } }'), css, /do not know `device`/],
    ['an equals sign', withCss('@media (max-width=600px) { .hero { margin: 0 } }'), css, /instead of the `=`/],
    ['a variable', withCss('.hero { color: var(--primry) }'), css, /`--primry` is not set.*`--primary`/],
    [
      'a preference',
      withCss('@media (prefers-reduced-motion: yes) { .hero { margin: 0 } }'),
      css,
      /the value is `reduce` or/,
    ],
    ['the id of a block that there is not', withCss('#b2, .hero { margin: 0 }'), css, /no block has the id `b2`/],
    [
      'a class of another page',
      {
        templates: [
          {
            template_pages: [
              { page: { navigation_title: 'A', css: '.hero { margin: 0 }', content_blocks: [text()] } },
              { page: { navigation_title: 'B', css: '.hero p { margin: 0 }', content_blocks: [text('hero')] } },
            ],
          },
        ],
      },
      `${inPage}/css`,
      /matches nothing here/,
    ],
    [
      'a class of a container',
      {
        ...container(
          { content_blocks: [text('offer')], css: '.offer h2 { margin: 0 }' },
          { css: '.offer { margin: 0 }' },
        ),
      },
      css,
      /matches nothing here/,
    ],
    [
      'a class without a rule',
      withCss('', [text('hero')]),
      `${inBlock}/data/customClass`,
      /no CSS of the document has a rule for `\.hero`/,
    ],
    [
      'a color on the background of the page',
      withCss('.hero { color: #eee }', undefined, { theme: { palette: { dark: false } } }),
      css,
      /#eeeeee on #ffffff has a contrast of 1.1:1, and texts need 4.5:1\. Write a `background`/,
    ],
    [
      'a background behind the text of the page',
      withCss('.hero { background: navy }'),
      css,
      /Write a `color` into the same rule/,
    ],
    [
      'both in one rule',
      withCss('.hero h2 { color: #777; background-color: #999 }'),
      css,
      /cannot be read: #777777 on #999999/,
    ],
    ['a background of a button', withCss('.button { background: yellow }', [text()]), css, /#ffffff on #ffff00/],
    [
      'styles of a block',
      templateWith({ content_blocks: [text(undefined, { styles: { color: '#f5f5f5' } })] }),
      `${inBlock}/styles`,
      /cannot be read/,
    ],
    [
      'a color on dark devices',
      withCss('.hero { color: #102030 }', undefined, dark),
      css,
      /on devices that ask for dark colors/,
    ],
    [
      'a background on dark devices',
      withCss('.hero { background: #ffeecc }', undefined, dark),
      css,
      /on devices that ask for dark colors/,
    ],
    [
      'a transparent color',
      withCss('.hero { color: rgba(0, 0, 0, .3) }', undefined, { theme: { palette: { dark: false } } }),
      css,
      /#b3b3b3 on #ffffff has a contrast of 2\.[01]:1/,
    ],
    [
      'a transparent background',
      withCss('.hero { color: #fff; background: rgb(0 51 102 / 40%) }'),
      css,
      /#ffffff on #99adc2/,
    ],
    [
      'a background of an HSL color',
      withCss('.hero { color: #fff; background: hsla(60, 100%, 50%, 1) }'),
      css,
      /#ffffff on #ffff00/,
    ],
    [
      'a transparent background of a button',
      withCss('.button { background: #003366aa; color: #003366 }', [text()]),
      css,
      /#003366 on #5577/,
    ],
    [
      'one color of a gradient',
      withCss('.hero { color: #fff; background: linear-gradient(to right, #036, hsl(48 100% 67%) 80%) }'),
      css,
      /#ffffff on #ffdd57/,
    ],
    [
      'a gradient over a color',
      withCss(
        '.hero { color: #fff; background-color: white; background-image: linear-gradient(#000, rgba(0,0,0,.1)) }',
      ),
      css,
      /#ffffff on #e6e6e6/,
    ],
    [
      'a color on the background around it',
      withCss('.hero { background: #036 } .hero h2 { color: #024 }'),
      css,
      /#002244 on #003366, the background of `\.hero`,/,
    ],
    [
      'a color on the background of the same elements',
      withCss('.hero { color: #024 } .hero { background: #036 }'),
      css,
      /the background of `\.hero`/,
    ],
    ['a color of everything', withCss('* { color: #ddd }', [text()]), css, /#dddddd on #ffffff/],
    ['a color of everything in it', withCss('body > * { color: #ddd }', [text()]), css, /#dddddd on #ffffff/],
    [
      'a background with the color around it',
      withCss('p { color: inherit; background: #111 }', [text()]),
      css,
      /the text of `p` in a color that cannot be read: #[\da-f]{6} on #111111/,
    ],
    [
      'both in a container',
      container({ content_blocks: [text('offer')], css: '.offer { color: red; background: #f00 }' }),
      `${inPage}/content_containers/0/css`,
      /contrast of 1.0:1/,
    ],
  ];
  test.each(cases)('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.slice(0, path.length + 1))).toEqual([`${path} `]);
    expect(found[0]).toMatch(message);
  });
});

describe('none is a warning:', () => {
  const button = { type: 'button', data: { text: 'A', url: 'https://a.example', customClass: 'hero' } };
  const cases: [what: string, document: object][] = [
    ['a color with its background', withCss('.hero { color: #fff; background: #036 }')],
    [
      'a color with a background of another rule',
      withCss('.hero { background: #036 } .hero h2, .hero p { color: #fff }'),
    ],
    [
      'a color with a background of another class of the block',
      withCss('.hero { background: #036 } .bright { color: white }', [text('hero bright')]),
    ],
    [
      'a color with the background of its block',
      withCss('.hero { color: #fff }', [text('hero', { css: ':root { background: #036 }' })]),
    ],
    ['a background that is not one color', withCss('.hero { color: #fff; background: linear-gradient(#036, #069) }')],
    ['a background of several images', withCss('.hero { color: #fff; background: linear-gradient(#fff, #eee), #fff }')],
    ['a gradient with a variable', withCss('.hero { color: #fff; background: linear-gradient(var(--tint), #eee) }')],
    [
      'a readable gradient',
      withCss('.hero { color: #fff; background: radial-gradient(circle at top, #036 0%, #024 100%) }'),
    ],
    [
      'a transparent background on another that is not certain',
      withCss('.hero { background: #036; color: #fff } .hero .soft { background: rgba(255,255,255,.1); color: #fff }', [
        text('hero soft'),
      ]),
    ],
    [
      'a color on the background of a card in a block',
      withCss('.hero { background: #036 } .hero h2 { color: #024 }', [
        { type: 'card', data: { heading: 'A', customClass: 'hero' } },
      ]),
    ],
    [
      'a color on one of two backgrounds',
      withCss('.hero { background: #036 } .hero h2 { color: #024 } .hero h2 { background: #fff }'),
    ],
    [
      'a color for dark devices too',
      withCss(
        '.hero { color: #102030 } @media (prefers-color-scheme: dark) { .hero { color: #fff } }',
        undefined,
        dark,
      ),
    ],
    [
      'variables',
      withCss(':root { --own: 0 } .hero { margin: var(--own); color: var(--text); top: var(--x, 0) }', undefined, {
        theme: { palette: { dark: false } },
      }),
    ],
    ['a button with the color around it', withCss('.button { color: inherit; background: #fff }', [text()])],
    [
      'a color around it',
      withCss('.hero { color: #fff; background: #036 } .hero p { color: inherit; background: #024 }'),
    ],
    ['a color of everything on a background', withCss('* { color: #fff } .hero, body { background: #036 }')],
    ['the color of everything in a button', withCss('.button * { color: #fff }', [text()])],
    ['a state', withCss('.hero a:hover, .button:hover { color: #fff }')],
    ['a background of a block without texts', withCss('.hero { background: #036 }', [button])],
    ['a class of a channel elsewhere', container({ content_blocks: [text('offer')] })],
    [
      'a class of a stored page',
      { templates: [{ css: '.x, #b9 { margin: 0 }', template_pages: [{ page_id: id(5) }] }] },
    ],
    [
      'media queries',
      withCss(
        '@media print and (min-width: 30em) { .hero { margin: 0 } } @media (400px <= width <= 700px), (color) { .hero { top: 0 } }',
      ),
    ],
  ];
  test.each(cases)('%s', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });
});
