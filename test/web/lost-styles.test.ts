import { describe, expect, test } from 'vitest';
import { id, inPage, templateWith } from '../support/content-documents.ts';
import { block, inBlock, warningsOf } from '../support/content-warnings.ts';

const withCss = (css: string, customClass?: string) => ({
  templates: [
    { css, template_pages: [{ page: { content_blocks: [{ type: 'text', data: { body: 'A', customClass } }] } }] },
  ],
});

describe('CSS that has no effect is a warning:', () => {
  const cases: [what: string, document: object, path: string, message: RegExp][] = [
    [
      'a class with a space in it',
      block('text', { body: 'A', customClass: 'a b! c' }),
      `${inBlock}/data/customClass`,
      /cannot be a class/,
    ],
    [
      'a class that begins with a digit',
      block('text', { body: 'A', customClass: '1st' }),
      `${inBlock}/data/customClass`,
      /beginning with a letter/,
    ],
    [
      'a class with a dot',
      block('text', { body: 'A', customClass: '.hero' }),
      `${inBlock}/data/customClass`,
      /left out/,
    ],
    [
      'a selector of no class',
      withCss('.hero { margin: 0 }', 'heros'),
      '/templates/0/css',
      /`\.hero`, which matches nothing.*Did you mean `\.heros`/,
    ],
    [
      'a selector of no class at all',
      withCss('.hero { margin: 0 }'),
      '/templates/0/css',
      /Write it into `customClass`/,
    ],
    ['one of two selectors', withCss('.card, .hero h2 { margin: 0 }'), '/templates/0/css', /`\.hero h2`/],
    [
      'a selector in a group',
      withCss('@media (min-width: 1px) { .hero { margin: 0 } }'),
      '/templates/0/css',
      /`\.hero`/,
    ],
    ['a selector of no element', withCss('h1 { margin: 0 }'), '/templates/0/css', /no element `h1`/],
    ['a selector of no id', withCss('#offer { margin: 0 }'), '/templates/0/css', /no block has the id `offer`/],
    ['a class of the page around', withCss('body.dark p { margin: 0 }'), '/templates/0/css', /class `dark`/],
    [
      'a selector of an object',
      templateWith({ styles: { '.hero': { margin: 0 } } }),
      `${inPage}/styles/.hero`,
      /is a selector that matches nothing/,
    ],
    [
      'a comment without an end',
      withCss('p { margin: 0 } /* later p { top: 0 }'),
      '/templates/0/css',
      /comment without an end.*later/,
    ],
    [
      'dark rules of light pages',
      withCss('@media (prefers-color-scheme: dark) { p { color: #fff } }'),
      '/templates/0/css',
      /stays light/,
    ],
  ];
  test.each(cases)('%s', (_what, document, path, message) => {
    const found = warningsOf(document);
    expect(found.map((each) => each.slice(0, path.length + 1))).toEqual([`${path} `]);
    expect(found[0]).toMatch(message);
  });
});

describe('none is a warning:', () => {
  const stored = { page_id: id(5) };
  const cases: [what: string, document: object][] = [
    ['classes', withCss('.hero.is-big, .--x { margin: 0 }', ' hero  is-big --x ')],
    ['selectors of classes', withCss('.hero > p, .card .button:hover, #b1 h2, :root { margin: 0 }', 'hero')],
    ['selectors that can match', withCss('*, [lang], :not(.x) p, :is(.x, .card), h2.hero { margin: 0 }', 'hero')],
    ['steps of an animation', withCss('@keyframes a { from { top: 0 } 50% { top: 1px } } p { animation: a 1s }')],
    ['sizes', templateWith({ styles: { sm: { margin: 0 }, 'h2, .grid': { margin: 0 } } })],
    ['a class of a stored page', { templates: [{ css: '.hero { margin: 0 }', template_pages: [stored] }] }],
    [
      'styles of a channel, for content elsewhere',
      { engagement_channels: [{ theme_styles: { custom: { '.hero': { margin: 0 } } } }] },
    ],
    [
      'dark rules with dark colors',
      {
        templates: [
          {
            ...withCss('@media (prefers-color-scheme: dark) { p { color: #fff } }').templates[0],
            theme: { palette: { dark: {} } },
          },
        ],
      },
    ],
    ['comments about colors', withCss('/* the brand color, prefers-color-scheme: dark */ p { margin: 0 } /**/')],
  ];
  test.each(cases)('%s', (_what, document) => {
    expect(warningsOf(document)).toEqual([]);
  });
});
