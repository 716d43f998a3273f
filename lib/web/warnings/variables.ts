import { isPublished } from '../../domain/completion.ts';
import type { GivenDocument } from '../../domain/content/document.ts';
import { similarTo } from '../../domain/content/similar.ts';
import { isBlank } from '../../domain/fields.ts';
import { isRawNumber, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { isPlaceholderName, placeholderNames } from '../../domain/placeholder-names.ts';
import { namesIn, textsIn } from '../../domain/placeholders.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import type { GivenTemplate } from './given.ts';
import { lost, noted, type Part, partOf } from './parts.ts';
import { meantName, type SharedVariables } from './placeholders.ts';
import { readingOf } from './shapes.ts';

/** The variables of a page that are not shown, or not as text. @param path of the template page */
export function partsOfVariables(variables: JsonObject, { used, filled }: VariableNames, path: string): Part[] {
  const at = (name: string) => `${path}/content_variables${pointer([name])}`;
  const entries = Object.entries(variables);
  return [
    // The text of a variable is shown as it is, unless it is the name of a value.
    ...entries.map(([name, value]) =>
      partOf(readingOf(isNameOrMisspelt(value) ? null : value, { is: 'text' }, at(name)), 'none'),
    ),
    lost(entries.filter(([, value]) => !isShownAsText(value)).map(([name]) => ({ path: at(name), message: noText }))),
    lost(
      entries
        .filter(([name, value]) => isBlank(value) && !filled.has(name))
        .map(([name]) => ({ path: at(name), message: emptyText })),
    ),
    noted(entries.flatMap(([name, value]) => misspeltWarning(value, at(name)))),
    lost(unusedWarnings(variables, used, at)),
  ];
}

const noText = 'is shown as an empty text, because it is a list or an object: write a text in quotes';

const emptyText = 'is empty, so its placeholder is shown as an empty text: write a text';

const isNameOrMisspelt = (value: JsonValue): boolean =>
  typeof value !== 'string' ||
  isPlaceholderName(value) ||
  // The placeholder of such a variable has a warning.
  ofObject.test(value) ||
  misspeltWarning(value, '').length > 0;

/** The name of a value, which may not exist. */
const ofObject = /^(?:contact|account|meta_public|meta_private|team|template)\.\S*$/;

/** A placeholder alone, in any notation. */
const bracketed = /^\s*(?:\$?\{{1,3}|\[{1,2}|%{1,2}|<{1,2})\s*([\w. -]+?)\s*(?:\}{1,3}|\]{1,2}|%{1,2}|>{1,2})\s*$/;

/** A text that is almost the name of a value. People would see the name itself. */
function misspeltWarning(value: JsonValue, path: string): ErrorDetail[] {
  if (typeof value !== 'string') return [];
  if (value !== value.trim() && isPlaceholderName(value.trim()))
    return [{ path, message: 'is shown as it is written, because it begins or ends with a space: delete the space' }];
  const inside = meantName(bracketed.exec(value)?.[1] ?? '', []);
  if (inside !== undefined) {
    return [{ path, message: `is shown as it is written: write \`${inside}\` alone, without braces` }];
  }
  if (!/^[a-z]+[._][\w.]+$/i.test(value) || isPlaceholderName(value)) return [];
  const meant = similarTo(
    value,
    placeholderNames.flatMap((name) => [name, `contact.${name}`]),
  );
  if (meant === undefined || ofObject.test(value)) return [];
  return [
    { path, message: `is shown as it is written, because it is not the name of a value: did you mean \`${meant}\`?` },
  ];
}

const isShownAsText = (value: JsonValue): boolean => value === null || typeof value !== 'object' || isRawNumber(value);

/** @param used the names in all texts of the document. `undefined` if it does not have all texts */
function unusedWarnings(variables: JsonObject, used: Names, at: (name: string) => string): ErrorDetail[] {
  if (!used) return [];
  const unset = [...used].filter((each) => !Object.hasOwn(variables, each));
  return Object.keys(variables)
    .filter((name) => !used.has(name))
    .map((name) => {
      const meant = similarTo(name, unset);
      const hint = meant === undefined ? '' : `. A text has \`{{${meant}}}\`: did you mean that?`;
      return { path: at(name), message: `is not used: no text of the document has \`{{${name}}}\`${hint}` };
    });
}

export type Names = ReadonlySet<string> | undefined;

/** The names in all texts, and the variables that have a text on at least one page. */
export type VariableNames = { used: Names; filled: ReadonlySet<string> };

/** The variables that are not empty on every page. */
export const variablesFilledIn = ({ templates }: GivenDocument): ReadonlySet<string> =>
  new Set(
    templates
      .flatMap(({ template_pages }) => template_pages)
      .flatMap(({ content_variables }) => Object.entries(content_variables ?? {}))
      .flatMap(([name, value]) => (isBlank(value) ? [] : [name])),
  );

/** The names in the placeholders of all templates. `undefined` if pages are stored that are not in the document. */
export function namesUsedIn({ templates }: GivenDocument): Names {
  const pages = templates.flatMap(({ template_pages }) => template_pages);
  const ids = new Set(pages.map(({ page }) => page?.id));
  if (pages.some(({ page, page_id }) => page === null && !ids.has(page_id))) return undefined;
  const texts = templates.flatMap(({ template_pages, ...around }) => [around, template_pages.map(({ page }) => page)]);
  return new Set(textsIn(texts).flatMap((text) => namesIn(text, {}).map(({ written }) => written)));
}

/** The variables of the texts that every page shows: the footer, the ending and the title. */
export function variablesOfAll({ template_pages }: GivenTemplate): SharedVariables {
  const all = template_pages.map((each) => each.content_variables ?? {});
  const variables: JsonObject = Object.assign({}, ...all);
  const partial = Object.keys(variables).filter((name) => !all.every((each) => Object.hasOwn(each, name)));
  return { variables, missing: new Map(partial.map((name) => [name, 'on the pages without this variable'])) };
}

/** The pages of journeys in their order. A page that is given only by its id can be one. */
export const pagesInOrder = (pages: GivenTemplate['template_pages']): GivenTemplate['template_pages'] =>
  pages
    .filter(({ page }) => !page || isPublished(page))
    .toSorted((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0);

/** The page that shows the introduction. */
export const firstOf = (pages: GivenTemplate['template_pages']): GivenTemplate['template_pages'][number] | undefined =>
  pagesInOrder(pages)[0];

/** The variables of the introduction, which is a part of the first page. */
export function variablesOfFirst({ template_pages }: GivenTemplate): SharedVariables {
  const own = firstOf(template_pages)?.content_variables ?? {};
  const variables: JsonObject = Object.assign({}, ...template_pages.map((each) => each.content_variables ?? {}), own);
  const partial = Object.keys(variables).filter((name) => !Object.hasOwn(own, name));
  return { variables, missing: new Map(partial.map((name) => [name, 'because the first page does not set it'])) };
}
