import type { Template } from '../../domain/campaigns/template.ts';
import { pathOfNamedFile } from '../../domain/teams/team-file.ts';
import { isJsonObject, type JsonValue } from '../../domain/values/json.ts';
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

/** How the pages of a template look. */
export type Look = {
  /** The theme as CSS. */
  css: string;
  /** True if the pages follow a device that asks for dark colors. */
  isDark: boolean;
  /** The file of the icon: that of the theme, otherwise the logo. */
  iconFile: string | null;
  /** The file of the logo for devices that ask for dark colors. */
  darkLogo: string | undefined;
};

/** Content does not change while it is cached, so the look of each template is computed once. */
const looks = new WeakMap<Template, Look>();

export function lookOf(template: Template): Look {
  const known = looks.get(template);
  if (known) return known;
  const look = newLook(template);
  looks.set(template, look);
  return look;
}

function newLook(template: Template): Look {
  const sources = sourcesOf(template);
  const dark = isDark(template, darkOf(sources));
  const darkLogo = dark ? fileOf(sources, 'logo_dark_file_id') : undefined;
  const logo = pathOfNamedFile(template.logo_file_id) !== undefined && darkLogo === undefined;
  const iconFile = fileOf(sources, 'icon_file_id') ?? template.logo_file_id;
  return { css: themeCss(sources, { dark, logo }), isDark: dark, iconFile, darkLogo };
}

/**
 * A campaign whose own CSS sets colors stays light, because these colors cannot be adapted, unless its palette says how
 * it looks in the dark.
 * @param dark the member `dark` of the palette
 */
const isDark = (template: Template, dark: JsonValue | undefined): boolean =>
  dark === false ? false : dark === true || isJsonObject(dark) || !setsColors(template);

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
