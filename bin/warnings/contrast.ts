import { isJsonObject, type JsonObject } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { colourOf, legible } from '../../lib/web/css/colour.ts';
import { darkPalette, type Replacement, replacedColours } from '../../lib/web/css/scheme.ts';

/** A part of a theme, with its place. Later parts override earlier ones. */
type ThemePart = { value: unknown; path: string };

/** Colors that cannot be read, with the colors that are shown instead. @param of what the theme is: its dark colors are not used in channels */
export function contrastWarnings(parts: readonly ThemePart[], of: 'pages' | 'channels'): ErrorDetail[] {
  const palettes = palettesOf(parts);
  const palette = mergedPalette(palettes);
  const light = distinct(replacedColours(palette, false)).flatMap((each) => {
    const at = palettes.findLast((own) => Object.hasOwn(own.palette, each.name));
    return at && colourOf(palette[each.name]) ? [warningOf(each, at.path, of)] : [];
  });
  return [...light, ...(of === 'channels' ? darkInChannels(palettes) : darkOfPages(palette, palettes))];
}

const palettesOf = (parts: readonly ThemePart[]): Palette[] =>
  parts.flatMap(({ value, path }) => {
    const palette = isJsonObject(value) ? value.palette : undefined;
    return isJsonObject(palette) ? [{ palette, path: `${path}/palette` }] : [];
  });

const mergedPalette = (palettes: readonly Palette[]): JsonObject =>
  Object.assign({}, ...palettes.map((each) => each.palette));

type Palette = { palette: JsonObject; path: string };

/** The texts of a button are chosen for its color: a light button on a dark page has dark texts. */
function darkOfPages(palette: JsonObject, palettes: readonly Palette[]): ErrorDetail[] {
  const dark = darkPalette(palette.dark);
  const at = palettes.findLast((each) => Object.hasOwn(each.palette, 'dark'));
  return distinct(replacedColours(palette, true))
    .filter(({ what }) => what !== 'texts of buttons')
    .flatMap((each) => (at && colourOf(dark[each.name]) ? [warningOf(each, `${at.path}/dark`, 'pages')] : []));
}

const darkInChannels = (palettes: readonly Palette[]): ErrorDetail[] =>
  palettes
    .filter(({ palette }) => isJsonObject(palette.dark))
    .map(({ path }) => ({
      path: `${path}/dark`,
      message: 'has no effect: the content of channels has no dark colors',
    }));

/** Texts on several backgrounds can have the same replacement. */
const distinct = (replacements: readonly Replacement[]): Replacement[] =>
  replacements.filter(
    ({ name, given, shown }, at) =>
      replacements.findIndex((each) => each.name === name && each.given === given && each.shown === shown) === at,
  );

const warningOf = (
  { name, what, given, ground, contrast, shown }: Replacement,
  path: string,
  of: 'pages' | 'channels',
): ErrorDetail => ({
  path: `${path}/${name}`,
  message: `cannot be read: ${given} on ${ground} has a contrast of ${(Math.floor(contrast * 10) / 10).toFixed(1)}:1, and texts need ${legible}:1. ${of === 'pages' ? 'Pages' : 'Channels'} show ${what} in ${shown} instead`,
});
