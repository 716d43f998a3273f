import { describe, expect, test } from 'vitest';
import { id, templateWith } from '../support/content-documents.ts';
import { block, inBlock, warningsOf, warns } from '../support/content-warnings.ts';

const withCss = (css: string, customClass?: string) => ({
  templates: [
    { css, template_pages: [{ page: { content_blocks: [{ type: 'text', data: { body: 'A', customClass } }] } }] },
  ],
});

describe('CSS that has no effect is a warning:', () => {
  warns(inBlock, [
    [
      'a class with a space in it',
      block('text', { body: 'A', customClass: 'a b! c' }),
      'data/customClass',
      /cannot be a class/,
    ],
    [
      'a class that begins with a digit',
      block('text', { body: 'A', customClass: '1st' }),
      'data/customClass',
      /beginning with a letter/,
    ],
    ['a class with a dot', block('text', { body: 'A', customClass: '.hero' }), 'data/customClass', /left out/],
  ]);
  warns('/templates/0', [
    [
      'a comment without an end',
      withCss('p { margin: 0 } /* later p { top: 0 }'),
      'css',
      /a part that a page leaves out.*later/,
    ],
  ]);
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
