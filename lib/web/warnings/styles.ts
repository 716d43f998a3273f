import parse from 'postcss/lib/parse';
import { theme } from '../../domain/content/open-fields.ts';
import { similarTo } from '../../domain/content/similar.ts';
import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { droppedFrom } from '../css/confine.ts';
import { type Unmatched, unmatchedIn } from '../css/matching.ts';
import { breakpoints, cssOfObject } from '../css/style-object.ts';
import type { StyleScope } from './classes.ts';
import { rulesOf } from './css-rules.ts';
import { ignoredWarnings } from './css-syntax.ts';
import { reasonIgnored } from './css-values.ts';
import { readingOf } from './shapes.ts';

type Optional<T> = T | null | undefined;

/** Characters of a style sheet that a warning shows. */
const shownLength = 80;

/** The parts of a style sheet that a page leaves out, and the selectors that match nothing. @param path of its text */
export const cssWarnings = (css: Optional<string>, path: string, scope: StyleScope): ErrorDetail[] => [
  ...droppedFrom(css ?? '').map((text) => ({ path, message: leftOut(text) })),
  ...unmatchedIn(css ?? '', scope).map((each) => ({
    path,
    message: `has the selector \`${shortened(each.selector)}\`, which ${matchesNothing(each, scope)}`,
  })),
  ...ignoredWarnings(css ?? '', path),
];

function leftOut(text: string): string {
  if (text.startsWith('/*')) {
    return `has a comment without an end: a page leaves out everything after \`${shortened(text)}\`. Write \`*/\` at the end of the comment`;
  }
  const mistake = syntaxError(text);
  return mistake === undefined
    ? `has a part that a page leaves out: \`${shortened(text)}\`. Pages use only rules for their own blocks that load nothing`
    : `has a part that a page leaves out: \`${shortened(text)}\`. ${mistake}`;
}

/** What is wrong with a part that cannot be parsed. */
function syntaxError(text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    const { reason = '' } = error as { reason?: string };
    if (/semicolon/i.test(reason)) return 'A `;` is missing between two declarations';
    if (/unknown word|colon/i.test(reason))
      return 'A `:` is missing between a property and its value, or a `;` before it';
    if (/unclosed/i.test(reason)) return `A quote, a bracket or a brace is not closed`;
    return 'It is not CSS';
  }
}

function matchesNothing({ missing: { is, name } }: Unmatched, scope: StyleScope): string {
  if (is === 'element') return `matches nothing: the blocks of a page have no element \`${name}\``;
  if (is === 'id') return `matches nothing: no block has the id \`${name}\``;
  const meant = similarTo(name, [...(scope?.classes ?? [])]);
  if (meant === undefined && scope?.elsewhere.has(name)) {
    return `matches nothing here: only blocks elsewhere have the class \`${name}\`. CSS of a template is for its pages, and CSS of a page, a container or a block is for its own blocks only`;
  }
  const hint = meant === undefined ? '. Write it into `customClass` of a block' : `. Did you mean \`.${meant}\`?`;
  return `matches nothing: no block has the class \`${name}\`${hint}`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > shownLength ? `${line.slice(0, shownLength)} …` : line;
}

/** The same for styles that are an object. @param path of the object */
export const styleWarnings = (styles: Optional<JsonObject>, path: string, scope: StyleScope): ErrorDetail[] =>
  Object.entries(styles ?? {}).flatMap(([name, value]) => {
    const at = path + pointer([name]);
    return isJsonObject(value) ? groupWarnings(name, value, at, scope) : declarationWarnings(name, value, at);
  });

/** A member that holds the declarations of a selector, or of a size of the grid. */
function groupWarnings(name: string, declarations: JsonObject, path: string, scope: StyleScope): ErrorDetail[] {
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
  const unmatched = Object.hasOwn(breakpoints, name) ? [] : unmatchedIn(`${name}{color:red}`, scope);
  return [
    ...unmatched.map((each) => ({ path, message: `is a selector that ${matchesNothing(each, scope)}` })),
    ...Object.entries(declarations).flatMap(([inner, value]) =>
      declarationWarnings(inner, value, path + pointer([inner])),
    ),
  ];
}

function declarationWarnings(name: string, value: JsonValue, path: string): ErrorDetail[] {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return [];
  const isText = typeof value === 'string' || typeof value === 'number' || isRawNumber(value);
  if (!isText) return [{ path, message: 'is not used: write a text in quotes, or a number' }];
  const css = cssOfObject({ [name]: value });
  const message = 'is not used, because pages do not allow this style: it must load nothing and have a complete value';
  if (droppedFrom(css).length > 0) return [{ path, message }];
  const [{ prop = '', value: written = '' } = {}] = rulesOf(css).flatMap(({ declarations }) => declarations);
  const reason = reasonIgnored(prop, written);
  return reason === undefined ? [] : [{ path, message: `is ignored by browsers: ${reason}` }];
}

/** What a page does not read of a part of a theme: an object with `palette`, `typography` and `button_radius`. */
export const themeWarnings = (source: Optional<JsonValue>, path: string): ErrorDetail[] =>
  readingOf(source, { is: 'object', of: theme }, path).warnings;

/** The parts of a theme in an object that can have other members too. */
const partsOfTheme = (source: Optional<JsonObject>, names: readonly string[], path: string): ErrorDetail[] =>
  themeWarnings(
    Object.fromEntries(Object.entries(source ?? {}).filter(([name]) => names.includes(name))) as JsonObject,
    path,
  );

/** What an object of styles holds besides the theme: `custom`, and of `overrides` what is no part of a theme. */
export function styleSheetWarnings(
  sheet: Optional<{ custom: JsonObject | null; overrides: JsonObject | null }>,
  path: string,
  scope: StyleScope,
): ErrorDetail[] {
  const { palette, typography, button_radius, ...overrides } = sheet?.overrides ?? {};
  return [
    ...partsOfTheme(sheet as Optional<JsonObject>, ['palette', 'typography'], path),
    ...partsOfTheme(sheet?.overrides, ['palette', 'typography', 'button_radius'], `${path}/overrides`),
    ...styleWarnings(sheet?.custom, `${path}/custom`, scope),
    ...styleWarnings(overrides, `${path}/overrides`, scope),
  ];
}
