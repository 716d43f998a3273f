import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import type { JsonObject } from '../../../lib/domain/values/json.ts';
import { type Color, colorOf, contrast } from '../../../lib/web/css/color.ts';
import { darkScheme, lightScheme, type Scheme } from '../../../lib/web/css/scheme.ts';
import { lookOf } from '../../../lib/web/journey/theme.ts';
import { runs } from '../../support/long-form.ts';

const id = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';

/** Each text color with the backgrounds that the style sheet puts it on. */
const pairs = [
  ...['text', 'soft', 'link', 'fault'].flatMap((text) => [
    [text, 'surface'],
    [text, 'tint'],
  ]),
  ['on-ground', 'ground'],
  ['on-primary', 'primary'],
] as const;

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const names = ['primary', 'secondary', 'background', 'surface', 'text'];
const colors = fc.record(Object.fromEntries(names.map((name) => [name, hex])), { requiredKeys: [] });
const palettes = fc
  .tuple(colors, fc.option(colors))
  .map(([palette, dark]) => ({ ...palette, ...(dark ? { dark } : {}) }) as JsonObject);

const color = (scheme: Scheme, name: string): Color => colorOf(scheme[name])!;

describe.each([
  ['by day', lightScheme],
  ['in the dark', darkScheme],
])('every palette %s', (_, schemeOf) => {
  test('gives texts a contrast of at least 4.5 on each of their backgrounds', () => {
    fc.assert(
      fc.property(palettes, (palette) => {
        const scheme = schemeOf(palette);
        for (const [text, ground] of pairs) {
          expect([text, ground, contrast(color(scheme, text!), color(scheme, ground!)) >= 4.5]).toEqual([
            text,
            ground,
            true,
          ]);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});

test('in the dark, a button is seen on its surface, whatever its color is by day', () => {
  fc.assert(
    fc.property(hex, (primary) => {
      const scheme = darkScheme({ primary });
      expect(contrast(color(scheme, 'primary'), color(scheme, 'surface'))).toBeGreaterThan(2.9);
    }),
  );
});

const templateWith = (fields: object): Template =>
  ({
    template_pages: [],
    content_blocks: [],
    styles: null,
    css: null,
    custom_css: null,
    logo_file_id: null,
    ...fields,
  }) as never;
const darkness = 'prefers-color-scheme:dark';

describe('a campaign', () => {
  test('is dark on devices that ask for it', () => {
    expect(lookOf(templateWith({})).css).toContain(darkness);
    expect(lookOf(templateWith({ css: '.a{margin:0}' })).css).toContain(darkness);
  });

  test.each([
    ['whose own CSS sets colors', { css: '.a{color:#000}' }],
    ['of which a block sets a color', { content_blocks: [{ styles: { backgroundColor: '#fff' }, css: null }] }],
    ['that does not want it', { theme: { palette: { dark: false } } }],
  ])('%s stays light', (_, fields) => {
    expect(lookOf(templateWith(fields)).css).not.toContain(darkness);
  });

  test('whose own CSS sets colors is dark if its palette says how', () => {
    const dark = { surface: '#101820' };
    expect(lookOf(templateWith({ css: '.a{color:#000}', theme: { palette: { dark } } })).css).toContain(
      '--surface:#101820',
    );
  });

  test('whose CSS names colors only in comments is dark', () => {
    expect(lookOf(templateWith({ css: '/* the brand color */ .a{margin:0} /* background' })).css).toContain(darkness);
  });

  test('keeps the light surface behind its logo in the dark', () => {
    const palette = { surface: '#0b2a3a' };
    const dark = (fields: object) => lookOf(templateWith({ theme: { palette }, ...fields })).css.split(darkness)[1];
    expect(dark({ logo_file_id: id })).toMatch(/\.logo\{[^}]*background:#0b2a3a/);
    expect(dark({})).not.toContain('.logo');
  });

  test('has fonts and an icon from files of the team', () => {
    const template = templateWith({
      theme: { icon_file_id: id, typography: { heading: 'Bitter', heading_file_id: id } },
    });
    const css = lookOf(template).css;
    expect(css).toMatch(
      new RegExp(`^@font-face{font-family:campaign-heading;src:url\\(/files/${id}\\) format\\("woff2"\\)`),
    );
    expect(css).toContain('--heading-font:campaign-heading,"Bitter",');
    expect(lookOf(template).iconFile).toBe(id);
    expect(lookOf(templateWith({ theme: { typography: { body_file_id: 'x);}' } } })).css).not.toContain('@font-face');
  });

  const sans = 'system-ui,"Segoe UI",Roboto,Arial,sans-serif';
  test.each([
    ['Georgia', `"Georgia",${sans}`],
    ['Source Serif', '"Source Serif",Charter,"Iowan Old Style",Georgia,"Times New Roman",serif'],
    ['monospace', 'monospace'],
    ['Lora, SERIF', '"Lora",Charter,"Iowan Old Style",Georgia,"Times New Roman",serif'],
    ['Open Sans, sans-serif', `"Open Sans",${sans}`],
    ['Open Sans, serif', '"Open Sans",Charter,"Iowan Old Style",Georgia,"Times New Roman",serif'],
    ['serif, Arial', 'serif,"Arial"'],
    ['Fira Code, monospace, Arial', '"Fira Code",monospace,"Arial"'],
    ['system-ui', 'system-ui'],
    ['-apple-system, ui-rounded', `-apple-system,ui-rounded,${sans}`],
    ['Sans-Serif Pro', `"Sans-Serif Pro",${sans}`],
    ['inherit', sans],
    ['Georgia, unset', sans],
    [' , ', sans],
  ])('has the font %j, with generic families that are not in quotes', (body, expected) => {
    const css = lookOf(templateWith({ theme: { typography: { body } } })).css;
    expect(/--body-font:([^;}]*)/.exec(css)?.[1]).toBe(expected);
  });

  test('changes the corners of buttons alone', () => {
    expect(lookOf(templateWith({ theme: { button_radius: '24px' } })).css).toContain('--radius:24px');
  });
});
