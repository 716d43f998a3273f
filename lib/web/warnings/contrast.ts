import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { colourOf, legible } from '../css/colour.ts';
import { darkPalette, type Replacement, replacedColours } from '../css/scheme.ts';

/** A part of a theme, with its place. Later parts override earlier ones. */
export type ThemePart = { value: unknown; path: string };

/** Colors that cannot be read, with the colors that pages show instead. */
export function contrastWarnings(parts: readonly ThemePart[]): ErrorDetail[] {
  const palettes = parts.flatMap(({ value, path }) => {
    const palette = isJsonObject((value ?? null) as JsonValue) ? (value as JsonObject).palette : undefined;
    return isJsonObject(palette ?? null) ? [{ palette: palette as JsonObject, path: `${path}/palette` }] : [];
  });
  const palette: JsonObject = Object.assign({}, ...palettes.map((each) => each.palette));
  const dark = darkPalette(palette.dark);
  const darkAt = palettes.findLast((each) => Object.hasOwn(each.palette, 'dark'));
  return [
    ...distinct(replacedColours(palette, false)).flatMap((each) => {
      const at = palettes.findLast((own) => Object.hasOwn(own.palette, each.name));
      return at && colourOf(palette[each.name]) ? [warningOf(each, at.path)] : [];
    }),
    ...distinct(replacedColours(palette, true)).flatMap((each) =>
      darkAt && colourOf(dark[each.name]) ? [warningOf(each, `${darkAt.path}/dark`)] : [],
    ),
  ];
}

/** Texts on several backgrounds can have the same replacement. */
const distinct = (replacements: readonly Replacement[]): Replacement[] =>
  replacements.filter(
    ({ name, given, shown }, at) =>
      replacements.findIndex((each) => each.name === name && each.given === given && each.shown === shown) === at,
  );

const warningOf = ({ name, what, given, ground, contrast, shown }: Replacement, path: string): ErrorDetail => ({
  path: `${path}/${name}`,
  message: `cannot be read: ${given} on ${ground} has a contrast of ${(Math.floor(contrast * 10) / 10).toFixed(1)}:1, and texts need ${legible}:1. Pages show ${what} in ${shown} instead`,
});
