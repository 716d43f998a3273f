import { pathOfNamedFile } from '../../domain/teams/team-file.ts';
import { isJsonObject, type JsonObject, type JsonValue, joined } from '../../domain/values/json.ts';
import { darkScheme, lightScheme } from './scheme.ts';

/** An object that can have parts of a theme. Later sources override earlier ones. */
export type ThemeSource = JsonValue | null | undefined;

/**
 * A campaign's colors and fonts as custom properties for the whole page. Only valid values are used, and colors are
 * changed until text is readable. So the values are also safe for the frame around the campaign's content.
 * @param options.dark true if the page has dark colors for devices that ask for them
 * @param options.logo true if the page has a logo, and none for dark colors
 */
export function themeCss(sources: readonly ThemeSource[], { dark = false, logo = false } = {}): string {
  const parts = partsOf(sources);
  const palette = merged(parts, 'palette');
  const typography = merged(parts, 'typography');
  const properties = { ...lightScheme(palette), ...type(typography), ...shape(parts) };
  return `${faces(typography)}:root{${declarations(properties)}}${dark ? darkCss(palette, logo) : ''}`;
}

const partsOf = (sources: readonly ThemeSource[]) => sources.filter(isJsonObject);

const merged = (parts: readonly JsonObject[], name: string): JsonObject =>
  joined(parts.map((part) => part[name]).filter((value) => isJsonObject(value)));

const declarations = (properties: Readonly<Record<string, string>>): string =>
  Object.entries(properties)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

const darkCss = (palette: JsonObject, logo: boolean): string =>
  `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){:root{${declarations(darkScheme(palette))}}${logo ? logoCss(palette) : ''}}`;

/** A logo is drawn for the surface of the light page, so it keeps these colors around it, on a plate of its own. */
function logoCss(palette: JsonObject): string {
  const { surface, text } = lightScheme(palette);
  return `.logo{box-sizing:content-box;margin-bottom:.75rem;background:${surface};color:${text};padding:.5rem .75rem;border-radius:12px}`;
}

/** The same for a message, whose styles cannot use custom properties, and which loads no fonts. */
export function emailTheme(sources: readonly ThemeSource[]) {
  const parts = partsOf(sources);
  const palette = merged(parts, 'palette');
  const typography = merged(parts, 'typography');
  const { radius = '8px' } = shape(parts);
  return {
    ...{ light: lightScheme(palette), dark: palette.dark === false ? undefined : darkScheme(palette), radius },
    headingFont: fontOf(typography.heading).replaceAll('"', "'"),
    bodyFont: fontOf(typography.body).replaceAll('"', "'"),
  };
}

/** The member `dark` of the palette: colors, or `false` if the page has no dark colors. */
export const darkOf = (sources: readonly ThemeSource[]): JsonValue | undefined =>
  merged(partsOf(sources), 'palette').dark;

/** The file that the theme names, if it does. */
export const fileOf = (
  sources: readonly ThemeSource[],
  name: 'icon_file_id' | 'logo_dark_file_id',
): string | undefined =>
  partsOf(sources)
    .map((part) => part[name])
    .findLast((value): value is string => pathOfNamedFile(value) !== undefined);

const uses = ['heading', 'body'] as const;

/** The fonts of the team's files. Until one has loaded, its text is shown in the next font. */
const faces = (typography: JsonObject): string =>
  uses
    .map((use) => {
      const path = pathOfNamedFile(typography[`${use}_file_id`]);
      return path === undefined
        ? ''
        : `@font-face{font-family:campaign-${use};src:url(${path}) format("woff2");font-weight:100 900;font-display:swap}`;
    })
    .join('');

function type(typography: JsonObject): Record<string, string> {
  const base = typography.base_size;
  const font = (use: (typeof uses)[number]) =>
    (pathOfNamedFile(typography[`${use}_file_id`]) === undefined ? '' : `campaign-${use},`) + fontOf(typography[use]);
  const [heading, body] = [font('heading'), font('body')];
  return {
    'heading-font': heading === body ? 'var(--body-font)' : heading,
    'body-font': body,
    ...(isBaseSize(base) ? { size: base } : {}),
  };
}

/** Names that CSS defines. In quotes they would be names of fonts, which no device has. */
const generic = /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|math|fangsong)$/i;
const ofSystem = /^(?:ui-(?:serif|sans-serif|monospace|rounded)|-apple-system|BlinkMacSystemFont)$/i;

/** Fonts that devices have, which look better than what browsers show for the generic family at the end. */
const stacks = {
  'sans-serif': 'system-ui,"Segoe UI",Roboto,Arial,sans-serif',
  serif: 'Charter,"Iowan Old Style",Georgia,"Times New Roman",serif',
};

/** The named families, which the device may not have, and a fallback unless another generic family is named. */
function fontOf(value: JsonValue | undefined): string {
  const families = isFontName(value) ? familiesOf(value) : [];
  const last = families.at(-1)?.toLowerCase();
  const own = last === 'serif' || last === 'sans-serif' ? last : undefined;
  const named = own ? families.slice(0, -1) : families;
  const isSerif = named.some((name) => /\bserif\b/i.test(name)) && !named.some((name) => /\bsans\b/i.test(name));
  const isGeneric = named.some((name) => generic.test(name));
  const fallback = isGeneric ? [] : [stacks[own ?? (isSerif ? 'serif' : 'sans-serif')]];
  return [...named.map((name) => (generic.test(name) || ofSystem.test(name) ? name : `"${name}"`)), ...fallback].join(
    ',',
  );
}

const familiesOf = (value: string): string[] =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

function shape(parts: readonly JsonObject[]): Record<string, string> {
  const radius = parts.map(({ button_radius }) => button_radius).findLast((value) => typeof value === 'string');
  return isRadius(radius) ? { radius } : {};
}

type Setting = JsonValue | undefined;
export const isFontName = (value: Setting): value is string =>
  typeof value === 'string' && /^[\w ,-]{1,80}$/.test(value) && !familiesOf(value).some((name) => keyword.test(name));
/** Keywords of CSS that are values of every property, but never names of fonts. A list with one of them is invalid. */
const keyword = /^(?:inherit|initial|unset|revert|revert-layer|default)$/i;
export const isBaseSize = (value: Setting): value is string =>
  typeof value === 'string' && /^(?:1[4-9]|2[0-2])px$/.test(value);
export const isRadius = (value: Setting): value is string => typeof value === 'string' && /^\d{1,2}px$/.test(value);
