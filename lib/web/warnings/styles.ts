import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { colourOf } from '../css/colour.ts';
import { droppedFrom } from '../css/confine.ts';
import { breakpoints, cssOfObject } from '../css/style-object.ts';
import { isBaseSize, isFontName, isRadius } from '../css/theme.ts';

type Optional<T> = T | null | undefined;

/** Characters of a style sheet that a warning shows. */
const shownLength = 80;

/** The parts of a style sheet that a page leaves out. @param path of its text */
export const cssWarnings = (css: Optional<string>, path: string): ErrorDetail[] =>
  droppedFrom(css ?? '').map((text) => ({ path, message: `has a part that a page leaves out: ${shortened(text)}` }));

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
  if (!Object.hasOwn(breakpoints, name) && droppedFrom(`${name}{color:red}`).length > 0) {
    return [{ path, message: 'is not a selector that a page can use' }];
  }
  return Object.entries(declarations).flatMap(([inner, value]) =>
    declarationWarnings(inner, value, path + pointer([inner])),
  );
}

function declarationWarnings(name: string, value: JsonValue, path: string): ErrorDetail[] {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return [];
  const isText = typeof value === 'string' || typeof value === 'number' || isRawNumber(value);
  if (!isText) return [{ path, message: 'must be a text or a number to be a style' }];
  const isDropped = droppedFrom(cssOfObject({ [name]: value })).length > 0;
  return isDropped ? [{ path, message: 'is a style that a page leaves out' }] : [];
}

const paletteNames = ['primary', 'secondary', 'background', 'surface', 'text'] as const;
const unreadable = {
  colour: 'is not a colour that a page can read: #rrggbb, #rgb or rgb(r, g, b)',
  font: 'is not the name of a font',
  size: 'is not a size from 14px to 22px',
  radius: 'is not a radius from 0px to 99px',
};

/** What a page cannot read of a part of a theme: an object with `palette`, `typography` and `button_radius`. */
export function themeWarnings(source: Optional<JsonValue>, path: string): ErrorDetail[] {
  if (!isJsonObject(source ?? null)) return [];
  const { palette, typography, button_radius } = source as JsonObject;
  const [colours, type] = [objectOf(palette), objectOf(typography)];
  return [
    ...unknownNames(colours, [...paletteNames, 'dark'], `${path}/palette`),
    ...unknownNames(type, typeNames, `${path}/typography`),
    ...paletteNames.flatMap((name) =>
      settingWarnings(colours[name], (value) => colourOf(value) !== undefined, `${path}/palette/${name}`, 'colour'),
    ),
    ...darkWarnings(colours.dark, `${path}/palette/dark`),
    ...settingWarnings(type.heading, isFontName, `${path}/typography/heading`, 'font'),
    ...settingWarnings(type.body, isFontName, `${path}/typography/body`, 'font'),
    ...settingWarnings(type.base_size, isBaseSize, `${path}/typography/base_size`, 'size'),
    ...settingWarnings(button_radius, isRadius, `${path}/button_radius`, 'radius'),
  ];
}

/** The dark colours of a palette: an object of colours, or `false`. */
function darkWarnings(dark: JsonValue | undefined, path: string): ErrorDetail[] {
  if (dark === undefined || dark === null || typeof dark === 'boolean') return [];
  if (!isJsonObject(dark)) return [{ path, message: 'must be an object of colours, or false' }];
  return paletteNames.flatMap((name) =>
    settingWarnings(dark[name], (value) => colourOf(value) !== undefined, `${path}/${name}`, 'colour'),
  );
}

const typeNames = ['heading', 'body', 'base_size', 'heading_file_id', 'body_file_id'];

const unknownNames = (settings: JsonObject, names: readonly string[], path: string): ErrorDetail[] =>
  Object.keys(settings)
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: path + pointer([name]), message: 'is not a setting that a page reads' }));

const objectOf = (value: JsonValue | undefined): JsonObject => (value && isJsonObject(value) ? value : {});

const settingWarnings = (
  value: JsonValue | undefined,
  isReadable: (value: JsonValue) => boolean,
  path: string,
  kind: keyof typeof unreadable,
): ErrorDetail[] =>
  value === undefined || value === null || isReadable(value) ? [] : [{ path, message: unreadable[kind] }];

/** What an object of styles holds besides the theme: `custom`, and of `overrides` what is no part of a theme. */
export function styleSheetWarnings(
  sheet: Optional<{ custom: JsonObject | null; overrides: JsonObject | null }>,
  path: string,
): ErrorDetail[] {
  const { palette, typography, button_radius, ...overrides } = sheet?.overrides ?? {};
  return [
    ...themeWarnings(sheet as Optional<JsonObject>, path),
    ...themeWarnings(sheet?.overrides, `${path}/overrides`),
    ...styleWarnings(sheet?.custom, `${path}/custom`),
    ...styleWarnings(overrides, `${path}/overrides`),
  ];
}
