import { describe } from 'vitest';
import { id, templateWith } from '../../support/samples/content-documents.ts';
import { template, warns, warnsNot } from '../../support/samples/content-warnings.ts';

const withCss = (css: string, customClass?: string) => ({
  templates: [
    { css, template_pages: [{ page: { content_blocks: [{ type: 'text', data: { body: 'A', customClass } }] } }] },
  ],
});

describe('CSS that a page leaves out is a warning:', () => {
  warns(
    '/templates/0',
    [
      ['a comment without an end', 'p { margin: 0 } /* later p { top: 0 }', '/css', /leaves out.*later/],
      ['a missing semicolon', 'p { color: red padding: 0 }', '/css', /a part that a page leaves out/],
      ['a missing colon', 'p { color red }', '/css', /a part that a page leaves out/],
      ['a long rule', 'p {\n  position red;\n}', '/css', /leaves out: `[^`\n]*position red/],
    ],
    withCss,
  );
});

describe('none is a warning:', () => {
  const dark = '@media (prefers-color-scheme: dark) { p { color: #fff } }';
  const stored = { page_id: id(5) };
  warnsNot([
    ['classes', withCss('.hero.is-big, .--x { margin: 0 }', ' hero  is-big --x ')],
    ['selectors', withCss('.hero > p, .card .button:hover, #b1 h2, :root, [lang], :not(.x) p { margin: 0 }', 'hero')],
    ['steps of an animation', withCss('@keyframes a { from { top: 0 } 50% { top: 1px } } p { animation: a 1s }')],
    ['sizes', templateWith({ styles: { sm: { margin: 0 }, 'h2, .grid': { margin: 0 } } })],
    ['a class of a stored page', { templates: [{ css: '.hero { margin: 0 }', template_pages: [stored] }] }],
    ['dark rules', { templates: [{ ...withCss(dark).templates[0], theme: { palette: { dark: {} } } }] }],
    ['comments about colors', withCss('/* the brand color, prefers-color-scheme: dark */ p { margin: 0 } /**/')],
    ['fonts', template({ theme: { typography: { heading: 'Lora, Georgia', body: 'system-ui' } } })],
  ]);
});
