import type { Template } from '../../domain/content/template.ts';
import { isJsonObject } from '../../domain/json.ts';
import { pathOfNamedFile } from '../../domain/team-file.ts';
import { withoutComments } from '../css/text.ts';
import { darkOf, fileOf, type ThemeSource, themeCss } from '../css/theme.ts';

/** The parts of a template's theme. Later ones override earlier ones. */
export const sourcesOf = ({ theme_base, theme: own, theme_overrides, styles }: Template): ThemeSource[] => [
  theme_base,
  own,
  theme_overrides,
  styles,
  styles?.overrides,
];

export function theme(template: Template): string {
  const logo = pathOfNamedFile(template.logo_file_id) !== undefined && darkLogoOf(template) === undefined;
  return themeCss(sourcesOf(template), { dark: isDark(template), logo });
}

/** The file of the icon: that of the theme, otherwise the logo. */
export const iconFileOf = (template: Template): string | null =>
  fileOf(sourcesOf(template), 'icon_file_id') ?? template.logo_file_id;

/** The file of the logo for devices that ask for dark colors. */
export const darkLogoOf = (template: Template): string | undefined =>
  isDark(template) ? fileOf(sourcesOf(template), 'logo_dark_file_id') : undefined;

const known = new WeakMap<Template, boolean>();

/**
 * True if the pages follow a device that asks for dark colors. A campaign whose own CSS sets colors stays light,
 * because these colors cannot be adapted, unless its palette says how it looks in the dark.
 */
export function isDark(template: Template): boolean {
  const found = known.get(template);
  if (found !== undefined) return found;
  const dark = darkOf(sourcesOf(template));
  const isOn = dark === false ? false : dark === true || isJsonObject(dark) || !setsColors(template);
  known.set(template, isOn);
  return isOn;
}

/** True if the template's CSS, or that of its pages and blocks, sets a color. */
function setsColors({ css, custom_css, styles, content_blocks, template_pages }: Template): boolean {
  const { palette, typography, button_radius, ...overrides } = styles?.overrides ?? {};
  const blocks = [content_blocks, ...template_pages.map(({ page }) => page.content_blocks)].flat();
  const own = [
    ...[css, custom_css, styles?.custom, overrides],
    ...template_pages.flatMap(({ page }) => [page.css, page.styles]),
    ...blocks.flatMap((block) => [block.css, block.styles]),
  ];
  const text = own.map((each) => (typeof each === 'string' ? withoutComments(each) : JSON.stringify(each))).join();
  return namesColors(text);
}

/** True if CSS, or an object of styles as JSON, sets a color. */
export const namesColors = (text: string): boolean => /color|background|fill|stroke/i.test(text);
