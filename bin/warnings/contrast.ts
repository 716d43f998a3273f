import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { colorOf, hexOf } from '../../lib/web/css/color.ts';
import { darkPalette, darkScheme, lightScheme, type Scheme } from '../../lib/web/css/scheme.ts';

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
  if (!given || hexOf(given) === shown) return [];
  return [{ path, message: `cannot be read on ${surface}: ${shown} is shown in its place` }];
}
