import type { ErrorDetail } from '../../domain/problem.ts';
import { darkScheme, lightScheme } from '../css/scheme.ts';
import { blocksOfPages, scopeOfTemplate } from './classes.ts';
import { contrastWarnings, paletteOf, type ThemePart } from './contrast.ts';
import { cssContrastWarnings, type Schemes } from './css-contrast.ts';
import { directionWarnings } from './css-directions.ts';
import { hiddenWarnings } from './css-hidden.ts';
import { layoutWarnings } from './css-layout.ts';
import { cssVariableWarnings } from './css-variables.ts';
import { darkWarnings, hasDark } from './dark.ts';
import { fontWarnings } from './fonts.ts';
import type { GivenTemplate } from './given.ts';
import { sheetsOfContainers, sheetsOfPages } from './sheets.ts';
import { cssWarnings, styleSheetWarnings, themeWarnings } from './styles.ts';

/**
 * What pages do not use of the theme and the CSS of a template, and colors of its pages that cannot be read.
 * @param isPartial true if not all blocks are known that the CSS applies to
 */
export function templateStyleWarnings(template: GivenTemplate, path: string, isPartial: boolean): ErrorDetail[] {
  const { theme_base, theme, theme_overrides, styles, css, custom_css } = template;
  const themes = { theme_base, theme, theme_overrides, styles, 'styles/overrides': styles?.overrides };
  const themeParts = Object.entries(themes).map(([name, value]) => ({ value, path: `${path}/${name}` }));
  const scope = isPartial ? undefined : scopeOfTemplate(template);
  const sheets = sheetsOfPages(template, path);
  const containers = sheetsOfContainers(template, path);
  return [
    ...themeWarnings(theme_base, `${path}/theme_base`),
    ...themeWarnings(theme, `${path}/theme`),
    ...themeWarnings(theme_overrides, `${path}/theme_overrides`),
    ...styleSheetWarnings(styles, `${path}/styles`, scope),
    ...contrastWarnings(themeParts, 'pages'),
    ...fontWarnings(themeParts),
    ...cssWarnings(css, `${path}/css`, scope),
    ...cssWarnings(custom_css, `${path}/custom_css`, scope),
    ...darkWarnings(template, path),
    ...cssContrastWarnings(sheets, schemesOf(template, themeParts), blocksOfPages(template)),
    ...cssContrastWarnings(containers, {}),
    ...layoutWarnings([...sheets, ...containers]),
    ...hiddenWarnings(sheets),
    ...hiddenWarnings(containers),
    ...directionWarnings(template, [...sheets, ...containers]),
    ...cssVariableWarnings(sheets),
  ];
}

function schemesOf(template: GivenTemplate, themeParts: readonly ThemePart[]): Schemes {
  const palette = paletteOf(themeParts);
  return { light: lightScheme(palette), ...(hasDark(template) ? { dark: darkScheme(palette) } : {}) };
}
