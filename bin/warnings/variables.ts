import { isPublished } from '../../lib/domain/completion.ts';
import type { GivenDocument } from '../../lib/domain/content/document.ts';
import { isBlank } from '../../lib/domain/fields.ts';
import { isRawNumber, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import { namesIn, textsIn } from '../../lib/domain/placeholders.ts';
import { pointer } from '../../lib/domain/problem.ts';
import { similarTo } from '../content/similar.ts';
import type { GivenTemplate } from './given.ts';
import { lost, type Part } from './parts.ts';
import type { SharedVariables } from './placeholders.ts';

/** The variables of a page that are not shown, or not as text. @param path of the template page */
export function partsOfVariables(variables: JsonObject, { used, filled }: VariableNames, path: string): Part[] {
  const warnings = Object.entries(variables).flatMap(([name, value]) => {
    const message = reasonUnread(name, value, { used, filled, variables });
    return message === undefined ? [] : [{ path: `${path}/content_variables${pointer([name])}`, message }];
  });
  return [lost(warnings)];
}

type Around = VariableNames & { variables: JsonObject };

function reasonUnread(name: string, value: JsonValue, { used, filled, variables }: Around): string | undefined {
  if (value !== null && typeof value === 'object' && !isRawNumber(value)) {
    return 'is shown as an empty text, because it is a list or an object: write a text in quotes';
  }
  if (isBlank(value) && !filled.has(name))
    return 'is empty, so its placeholder is shown as an empty text: write a text';
  // Without all texts, it is not known which variables are used.
  if (!used || used.has(name)) return undefined;
  const unset = [...used].filter((each) => !Object.hasOwn(variables, each));
  const meant = similarTo(name, unset);
  const hint = meant === undefined ? '' : `. A text has \`{{${meant}}}\`: did you mean that?`;
  return `is not used: no text of the document has \`{{${name}}}\`${hint}`;
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
