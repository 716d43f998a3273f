import type {
  GivenDocument,
  StoredDocument,
  StoredPage,
  StoredTemplate,
  StoredTemplatePage,
} from '../../lib/domain/content/document.ts';
import type { IdentifiedDocument, IdentifiedTemplate, IdOf } from './identify.ts';
import { isAnother, pageTraits, templateContent, titleOf } from './match.ts';

/** What happens to a page of a stored template. A page that is replaced gives its id, and so its progress, to another. */
export type PageChange = {
  kind: 'added' | 'removed' | 'replaced';
  /** JSON Pointer. That of the pages of the template for a page that is removed. */
  path: string;
  template: { id: string; name: string | null };
  pageId: string;
  title: string;
  /** Of a replaced page. */
  formerTitle: string;
  /** The id that it has as a page of its own. */
  newId: string;
  /** True if the document has no id for it, and nothing but its place can say which page it is. */
  isUnclear: boolean;
  /** True if a journey is complete only when the page is. */
  isAsked: boolean;
};

/** What an import changes for people who have a journey. */
export const pageChanges = (
  document: GivenDocument,
  { templates }: IdentifiedDocument,
  stored: StoredDocument,
  idOf: IdOf,
): PageChange[] =>
  templates.flatMap((template, index) => {
    const before = stored.templates.find(({ id }) => id === template.id);
    const given = document.templates[index]!.template_pages;
    return before ? changesOf(template, given, before.template_pages, `/templates/${index}/template_pages`, idOf) : [];
  });

function changesOf(
  { id, name, template_pages }: IdentifiedTemplate,
  given: GivenDocument['templates'][number]['template_pages'],
  stored: readonly StoredTemplatePage[],
  list: string,
  idOf: IdOf,
): PageChange[] {
  const change = (kind: PageChange['kind'], path: string, page: StoredPage, former = page): PageChange => ({
    ...{ kind, path, template: { id, name }, pageId: page.id, title: titleOf(page), formerTitle: titleOf(former) },
    ...{ newId: kind === 'replaced' ? idOf(`${page.id}/${titleOf(page)}`) : page.id },
    ...{ isUnclear: kind === 'replaced', isAsked: page.completion_condition !== null },
  });
  const present = new Set(template_pages.map(({ page_id }) => page_id));
  return [
    ...template_pages.flatMap(({ page_id, page }, place) => {
      if (!page) return [];
      const path = `${list}/${place}/page`;
      const index = stored.findIndex((other) => other.page.id === page_id);
      const traits = pageTraits(given[place]!);
      if (index === -1) return [{ ...change('added', path, page), isUnclear: traits.ids.length === 0 }];
      const former = stored[index]!;
      const isReplaced = traits.ids.length === 0 && isAnother(traits, pageTraits(former), place !== index);
      return isReplaced ? [change('replaced', path, page, former.page)] : [];
    }),
    ...stored.filter(({ page }) => !present.has(page.id)).map(({ page }) => change('removed', list, page)),
  ];
}

/** A new template that is a stored one under another name. One that names pages of its own by their ids is another. */
export type Renaming = { path: string; id: string; name: string | null; former: { id: string; name: string | null } };

export function renamings(
  document: GivenDocument,
  { templates }: IdentifiedDocument,
  stored: StoredDocument,
): Renaming[] {
  const present = new Set(templates.map(({ id }) => id));
  const others = stored.templates.filter(({ id, template_pages }) => !present.has(id) && template_pages.length > 0);
  return templates.flatMap((template, index) => {
    const { id, name } = template;
    const isNew = document.templates[index]!.id === null && !stored.templates.some((each) => each.id === id);
    const content = isNew && templateContent(template);
    const given = pageIds(document.templates[index]!);
    const former = others.find((each) => templateContent(each) === content && given.isSubsetOf(pageIds(each)));
    return former ? [{ path: `/templates/${index}`, id, name, former: { id: former.id, name: former.name } }] : [];
  });
}

const pageIds = ({ template_pages }: GivenDocument['templates'][number] | StoredTemplate): Set<string> =>
  new Set(template_pages.flatMap((page) => pageTraits(page).ids));
