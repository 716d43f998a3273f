import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/problem.ts';
import { droppedFrom } from '../../lib/web/css/confine.ts';
import { breakpoints, cssOfObject } from '../../lib/web/css/style-object.ts';
import { theme } from '../content/open-fields.ts';
import { readingOf } from './shapes.ts';

type Optional<T> = T | null | undefined;

/** Characters of a style sheet that a warning shows. */
const shownLength = 80;

/** The parts of a style sheet that a page leaves out. @param path of its text */
export const cssWarnings = (css: Optional<string>, path: string): ErrorDetail[] =>
  droppedFrom(css ?? '').map((text) => ({
    path,
    message: `has a part that a page leaves out: \`${shortened(text)}\`. Pages use only rules that are complete CSS, are for their own blocks and load nothing`,
  }));

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > shownLength ? `${line.slice(0, shownLength)} …` : line;
}

/** The same for styles that are an object. @param path of the object */
export const styleWarnings = (styles: Optional<JsonObject>, path: string): ErrorDetail[] =>
  Object.entries(styles ?? {}).flatMap(([name, value]) => {
    const at = path + pointer([name]);
    return isJsonObject(value) ? groupWarnings(name, value, at) : declarationWarnings(name, value, at);
  });

/** A member that holds the declarations of a selector, or of a size of the grid. */
function groupWarnings(name: string, declarations: JsonObject, path: string): ErrorDetail[] {
  if (Object.hasOwn(theme.fields, name)) {
    return [
      { path, message: 'has no effect here: write it into `theme` of the template or `theme_styles` of the channel' },
    ];
  }
  if (!Object.hasOwn(breakpoints, name) && droppedFrom(`${name}{color:red}`).length > 0) {
    return [
      { path, message: 'is not used, because pages do not allow this selector: write one such as `.my-class h2`' },
    ];
  }
  return Object.entries(declarations).flatMap(([inner, value]) =>
    declarationWarnings(inner, value, path + pointer([inner])),
  );
}

function declarationWarnings(name: string, value: JsonValue, path: string): ErrorDetail[] {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return [];
  const isText = typeof value === 'string' || typeof value === 'number' || isRawNumber(value);
  if (!isText) return [{ path, message: 'is not used: write a text in quotes, or a number' }];
  if (droppedFrom(cssOfObject({ [name]: value })).length === 0) return [];
  return [
    {
      path,
      message: 'is not used, because pages do not allow this style: it must load nothing and have a complete value',
    },
  ];
}

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
