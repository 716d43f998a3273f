import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';
import { colorOf, hexOf } from '../../lib/web/css/color.ts';
import { droppedFrom } from '../../lib/web/css/confine.ts';
import { darkPalette, darkScheme, lightScheme, type Scheme } from '../../lib/web/css/scheme.ts';
import { cssOfObject } from '../../lib/web/css/style-object.ts';
import { theme } from '../content/open-fields.ts';
import { warnIf } from './given.ts';
import { readingOf } from './shapes.ts';

type Optional<T> = T | null | undefined;

/** The parts of a style sheet that a page leaves out. @param path of its text */
export const cssWarnings = (css: Optional<string>, path: string): ErrorDetail[] =>
  droppedFrom(css ?? '').map((text) => ({
    path,
    message: `has a part that a page leaves out: \`${text.replaceAll(/\s+/g, ' ').trim().slice(0, 80)}\`. Pages use only rules that are complete CSS, are for their own blocks and load nothing`,
  }));

/** The same for styles that are an object. */
export const styleWarnings = (styles: Optional<JsonObject>, path: string): ErrorDetail[] =>
  cssWarnings(cssOfObject(styles), path);

/** What a page does not read of a part of a theme: an object with `palette`, `typography` and `button_radius`. */
export const themeWarnings = (source: Optional<JsonValue>, path: string): ErrorDetail[] =>
  readingOf(source, { is: 'object', of: theme }, path).warnings;

/** What an object of styles holds: parts of a theme, `custom`, and `overrides` with both. */
export function styleSheetWarnings(
  sheet: Optional<{ custom: JsonObject | null; overrides: JsonObject | null }>,
  path: string,
): ErrorDetail[] {
  const { palette, typography } = (sheet ?? {}) as JsonObject;
  const { palette: ownPalette, typography: ownTypography, button_radius, ...overrides } = sheet?.overrides ?? {};
  const own = { palette: ownPalette, typography: ownTypography, button_radius };
  return [
    ...themeWarnings({ palette, typography } as JsonObject, path),
    ...themeWarnings(own as JsonObject, `${path}/overrides`),
    ...styleWarnings(sheet?.custom, `${path}/custom`),
    ...styleWarnings(overrides, `${path}/overrides`),
  ];
}

/** A part of a theme, with its place. Later parts override earlier ones. */
type ThemePart = { value: unknown; path: string };

/**
 * Colors of texts that cannot be read, with the colors that are shown in their place. The other colors of a brand need no
 * warning: pages choose the texts on them.
 */
export function contrastWarnings(parts: readonly ThemePart[]): ErrorDetail[] {
  const palettes = parts.flatMap(({ value, path }) => {
    const palette = isJsonObject(value) ? value.palette : undefined;
    return isJsonObject(palette) ? [{ palette, path: `${path}/palette` }] : [];
  });
  const palette: JsonObject = Object.assign({}, ...palettes.map((each) => each.palette));
  const pathOf = (name: string) => palettes.findLast((each) => Object.hasOwn(each.palette, name))?.path;
  return [
    ...replaced(palette.text, lightScheme(palette), `${pathOf('text')}/text`),
    ...replaced(darkPalette(palette.dark).text, darkScheme(palette), `${pathOf('dark')}/dark/text`),
  ];
}

function replaced(text: JsonValue | undefined, { text: shown, surface }: Scheme, path: string): ErrorDetail[] {
  const given = colorOf(text);
  const isReplaced = given !== undefined && hexOf(given) !== shown;
  return warnIf(isReplaced, path, `cannot be read on ${surface}: ${shown} is shown in its place`);
}
