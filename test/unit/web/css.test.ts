import fc from 'fast-check';
import { parse } from 'postcss';
import { describe, expect, test } from 'vitest';
import { colorOf, contrast } from '../../../lib/web/css/color.ts';
import { confine } from '../../../lib/web/css/confine.ts';
import { cssOfObject } from '../../../lib/web/css/style-object.ts';
import { themeCss } from '../../../lib/web/css/theme.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/long-form.ts';

const own = (css: string) => confine(css, '#r');

describe("a campaign's CSS", () => {
  test.each([
    ['p { color: red }', '#r p{color:red}'],
    ['a, .b > c { color: red; margin: 0 }', '#r a,#r .b>c{color:red;margin:0}'],
    [':root { --x: 1px }', '#r{--x:1px}'],
    ['html body .a { color: red }', '#r .a{color:red}'],
    ['body.dark > .a { color: red }', '#r.dark>.a{color:red}'],
    ['a:hover::before { content: "\\201C" }', '#r a:hover::before{content:"\\201C"}'],
    ['* { color: red !important }', '#r *{color:red!important}'],
    ['[data-x="a]b"] { color: red }', '#r [data-x="a]b"]{color:red}'],
    ['@media (max-width: 600px) { p { color: red } }', '@media (max-width: 600px){#r p{color:red}}'],
    ['@media (400px <= width < 700px) { p { color: red } }', '@media (400px <= width < 700px){#r p{color:red}}'],
    ['@supports (display: grid) { p { color: red } }', '@supports (display: grid){#r p{color:red}}'],
    ['p { background: url(data:image/png;base64,AAAA) }', '#r p{background:url(data:image/png;base64,AAAA)}'],
    ['/* a */ p { color: /* b */ red }', '#r p{color:red}'],
    ['p { color: red', '#r p{color:red}'],
  ])('keeps %s', (css, expected) => {
    expect(own(css).replaceAll(/\s+/g, ' ')).toBe(expected.replaceAll(/\s+/g, ' '));
  });

  test.each<[what: string, sheet: string, before: string]>([
    ['a block', 'a { color: red', '#r a{color:red}'],
    ['a comment', 'a { color: red } /* later', '#r a{color:red}'],
    ['a string', 'a { color: red } b { content: "x', '#r a{color:red}'],
  ])('keeps a style sheet after one that leaves %s open', (_, sheet, before) => {
    expect(confine([sheet, 'p { color: blue }'], '#r')).toBe(`${before}#r p{color:blue}`);
  });

  test('is confined to each root that it is asked for', () => {
    const css = 'p { color: red }';
    expect([confine(css, '#a'), confine(css, '#b'), confine(css, '#a')]).toEqual([
      '#a p{color:red}',
      '#b p{color:red}',
      '#a p{color:red}',
    ]);
  });

  test.each([
    ['what closes nothing', '} p { color: red } }', '#r p{color:red}'],
    ['a rule that is no CSS', 'garbage; { x } p { color red } a { color: red }', '#r a{color:red}'],
    ['a string that does not end', 'p { content: "x\n }\n a { color: red }', '#r a{color:red}'],
    ['siblings of the root', ':root ~ footer { color: red } html + x { color: red } ~ y { color: red }', ''],
    ['a leading combinator', '> p { color: red } + p { color: red }', ''],
    ['nested rules', 'p { color: red; & ~ a { color: blue } a { color: blue } }', '#r p{color:red}'],
    ['imports', '@import "https://evil.example/x.css"; p { color: red }', '#r p{color:red}'],
    ['fonts', '@font-face { font-family: x; src: url(https://evil.example/f) }', ''],
    ['namespaces, layers and pages', '@namespace url(x); @layer a; @page { margin: 0 } @charset "x";', ''],
    ['remote images', 'p { background: url(https://evil.example/?x) ; color: red }', '#r p{color:red}'],
    ['remote images in quotes', 'p { background: url("//evil.example") }', ''],
    ['escaped names of functions', 'p { background: u\\72 l(https://evil.example) }', ''],
    ['image sets', 'p { background: image-set("https://evil.example/x" 1x) }', ''],
    ['the src function', 'p { background: src("https://evil.example/x") }', ''],
    ['images with scripts', 'p { background: url(data:image/svg+xml;base64,AAAA) }', ''],
    ['documents as images', 'p { background: url(data:text/html,x) }', ''],
    ['expressions', 'p { width: expression(alert(1)) }', ''],
    ['behaviours and bindings', 'p { behavior: x; -moz-binding: y }', ''],
    ['the end of the style element', 'p::before { content: "</style><script>" } a { color: red }', '#r a{color:red}'],
    ['an escaped blank at the end of a value', 'p { --x: \\\u00a0 } a { color: red }', '#r a{color:red}'],
    ['an escaped line end at the end of a value', 'p { --x: \\\n} a { color: red }', '#r a{color:red}'],
    ['braces in values', 'p { --x: {}; color: red }', '#r p{color:red}'],
    [
      'strings that browsers end at a line break',
      'p{content:"\n} footer{display:none} x{content:"}',
      '#r footer{display:none}',
    ],
    ['hidden attributes in selectors', '[x="</style>"] { color: red }', ''],
    ['addresses in selectors', '[href="url(x)"] { color: red }', ''],
    ['rules of deep nesting', `${'@media screen{'.repeat(500)}p{color:red}${'}'.repeat(500)}`, ''],
  ])('drops %s', (_, css, expected) => {
    expect(own(css)).toBe(expected);
  });

  test('has animations of its own names, for those who want motion', () => {
    const css =
      '@keyframes spin { from { top: 0 } 50%, to { top: url(x); left: 0 } } p { animation: spin 1s !important }';
    expect(own(css)).toBe(
      '@media (prefers-reduced-motion:no-preference){@keyframes own-spin{from{top:0}50%,to{left:0}}}#r p{animation:own-spin 1s}',
    );
  });

  const piece = fc.constantFrom(
    ...['{', '}', ';', ':', ',', '"', "'", '\\', '\n', '/*', '*/', '(', ')', '[', ']', '<', '</style>', '<!--', '-->'],
    ...['url(', 'u\\72 l(', '@import ', '@media ', '@keyframes a', '@font-face', '@supports ', '@', '!', '~', '+', '>'],
    ...[
      'footer',
      'html',
      ':root',
      ':is(',
      '&',
      'color:red',
      'content:',
      '--x:',
      ' ',
      '#a',
      '.b',
      '*',
      'data:image/png;',
    ],
  );
  const anyCss = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 60 }),
    fc
      .array(fc.oneof(piece, piece, piece, fc.string({ maxLength: 3 })), { maxLength: 40 })
      .map((parts) => parts.join('')),
  );

  test('whatever it is, comes out as rules of the root that load nothing and end nothing', () => {
    fc.assert(
      fc.property(anyCss, (css) => {
        const out = own(css);
        expect(out).not.toMatch(/<[/!]|@import|[\n\r\f]/i);
        expect(out.replaceAll(/url\(\s*["']?data:image\/(?:png|gif|jpeg|webp|avif);base64,/gi, '')).not.toMatch(
          /url\s*\(/i,
        );
        parse(out).walkRules((rule) => {
          if (rule.parent?.type === 'atrule' && 'name' in rule.parent && rule.parent.name === 'keyframes') return;
          for (const selector of rule.selectors) expect(selector).toMatch(/^#r(?=[\s>.:#[]|$)/);
        });
      }),
      { numRuns: runs(3000) },
    );
  });

  test('whatever stands before it, leaves what follows as it is', () => {
    fc.assert(
      fc.property(anyCss, (css) => {
        const root = parse(`${own(css)}#end{color:red}`);
        expect(root.last?.toString()).toBe('#end{color:red}');
      }),
      { numRuns: runs(1000) },
    );
  });

  test('is the same when it is confined once more', () => {
    const css = 'p{color:red}@media print{a>b{margin:0}}';
    expect(confine(own(css).replaceAll('#r ', ''), '#r')).toBe(own(css));
  });
});

describe('styles as an object', () => {
  test.each([
    [
      { paddingTop: 4, color: 'red', lineHeight: 1.5, margin: 0 },
      '#r{padding-top:4px;color:red;line-height:1.5;margin:0}',
    ],
    [{ '.a:hover': { color: 'red' } }, '#r .a:hover{color:red}'],
    [{ md: { color: 'red' } }, '@media (min-width:768px){#r{color:red}}'],
    [{ color: 'red} footer{color:blue' }, '#r{color:red}#r footer{color:blue}'],
    [{ 'x{}footer': { color: 'red' } }, '#r footer{color:red}'],
    [{ list: ['a'], on: true, nothing: null }, ''],
  ])('%j is confined like any other', (styles, expected) => {
    expect(own(cssOfObject(styles))).toBe(expected);
  });
});

describe('a theme', () => {
  const channel = fc.integer({ min: 0, max: 255 });
  const color = fc.tuple(channel, channel, channel).map(([r, g, b]) => `rgb(${r}, ${g}, ${b})`);
  const variable = (css: string, name: string) => colorOf(new RegExp(`--${name}:([^;}]+)`).exec(css)?.[1])!;

  test('keeps text legible, whatever colors are chosen', () => {
    fc.assert(
      fc.property(fc.record({ primary: color, background: color, surface: color, text: color }), (palette) => {
        const css = themeCss([{ palette }]);
        for (const [text, ground] of [
          ['text', 'surface'],
          ['soft', 'surface'],
          ['link', 'surface'],
          ['on-ground', 'ground'],
          ['on-primary', 'primary'],
        ] as const) {
          expect(contrast(variable(css, text), variable(css, ground))).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  test('takes only what it understands', () => {
    const strange = { primary: 'red;}footer{x:y', background: 'url(x)', text: 7 };
    const odd = { heading: '"</style>', body: 'a;b', base_size: '900px' };
    expect(themeCss([{ palette: strange, typography: odd, button_radius: 'x' }, 'evergreen', null])).toBe(themeCss([]));
  });

  test('of several lets the later count', () => {
    const css = themeCss([{ palette: { primary: '#111111', text: '#222222' } }, { palette: { primary: '#000' } }]);
    expect(css).toContain('--primary:#000000');
    expect(css).toContain('--text:#222222');
  });
});
