import { asks, blockKindOf } from '../domain/campaigns/block-types.ts';
import type {
  GivenDocument,
  StoredBlock,
  StoredDocument,
  StoredPage,
  StoredTemplate,
  StoredTemplatePage,
} from '../domain/campaigns/document.ts';
import { answeredTexts, isTextOf } from '../domain/journeys/answer.ts';
import { isFilledText, type JsonValue } from '../domain/values/json.ts';
import type { IdentifiedDocument, IdentifiedTemplate, IdOf } from './identify.ts';
import { isAnother, pageTraits, templateContent, titleOf } from './match.ts';
import { shortened } from './similar.ts';
import { blocksOfPage } from './stored-parts.ts';
import type { KeyMove } from './survey-keys.ts';

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
    return before
      ? pageChangesOf(template, given, before.template_pages, `/templates/${index}/template_pages`, idOf)
      : [];
  });

function pageChangesOf(
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

/** What happens to the answers to a block: its text becomes another one, or it is removed from a page that stays. */
export type AnswerChange = {
  kind: 'reworded' | 'removed';
  /** JSON Pointer of the page, or an empty text if the document does not contain it. */
  path: string;
  templateId: string;
  page: StoredPage;
  block: StoredBlock;
  /** The block in each language after the import. */
  now: readonly StoredBlock[];
  /** New blocks of the page that can be the removed one. */
  successors: readonly StoredBlock[];
};

/** What an import changes for people who answered a block. A survey is not agreed to, so its text may change. */
export const answerChanges = (
  before: StoredDocument,
  after: StoredDocument,
  pathOf: (page: StoredPage) => string | undefined,
): AnswerChange[] =>
  before.templates.flatMap((former) => {
    const template = after.templates.find(({ id }) => id === former.id);
    return template ? answerChangesOf(former, template, pathOf) : [];
  });

function answerChangesOf(
  former: StoredTemplate,
  template: StoredTemplate,
  pathOf: (page: StoredPage) => string | undefined,
): AnswerChange[] {
  const known = new Map(template.template_pages.flatMap(({ page }) => askingBlocks(template, page)).map(withId));
  return former.template_pages.flatMap(({ page: earlier }) => {
    const page = template.template_pages.find((each) => each.page.id === earlier.id)?.page;
    if (!page) return [];
    const own = askingBlocks(former, earlier);
    const added = askingBlocks(template, page).filter(({ id }) => own.every((block) => block.id !== id));
    return own.flatMap((block): AnswerChange[] => {
      const same = known.get(block.id);
      const now = same ? inLanguages(template, same) : [];
      if (same && (blockKindOf(same.type) === 'survey' || isKept(inLanguages(former, block), now))) return [];
      const successors = same ? [] : added.filter(({ type }) => blockKindOf(type) === blockKindOf(block.type));
      const kind = same ? 'reworded' : 'removed';
      return [{ kind, path: pathOf(page) ?? '', templateId: template.id, page, block, now, successors }];
    });
  });
}

/** Answers that an import would count for another question or option. */
export type AnswerMove = KeyMove & { path: string; templateId: string; page: StoredPage };

/** @param moves of the import that makes `after` */
export const answerMoves = (
  moves: readonly KeyMove[],
  after: StoredDocument,
  pathOf: (page: StoredPage) => string | undefined,
): AnswerMove[] =>
  moves.flatMap((move) =>
    after.templates.flatMap((template) => {
      const asks = ({ page }: StoredTemplatePage) =>
        askingBlocks(template, page).some(({ id }) => id === move.block.id);
      return template.template_pages.filter(asks).map(({ page }) => {
        return { ...move, path: pathOf(page) ?? '', templateId: template.id, page };
      });
    }),
  );

const withId = (block: StoredBlock): [string, StoredBlock] => [block.id, block];

/** The first page shows the blocks of the template too. */
const askingBlocks = ({ content_blocks, template_pages }: StoredTemplate, page: StoredPage): StoredBlock[] =>
  [...(template_pages[0]?.page.id === page.id ? content_blocks : []), ...blocksOfPage(page)].filter(({ type }) =>
    asks(type),
  );

/** In the language of the template, and in those of its translations. */
const inLanguages = ({ translations }: StoredTemplate, block: StoredBlock): StoredBlock[] => [
  block,
  ...Object.values(translations ?? {}).map((texts) => {
    const said = (value: JsonValue) =>
      typeof value === 'string' && Object.hasOwn(texts, value) ? texts[value]! : value;
    const data = Object.entries(block.data ?? {}).map(([name, value]) => [name, said(value)]);
    return { ...block, data: Object.fromEntries(data) };
  }),
];

/** True if pages show what was accepted in any language as the text of the block. */
const isKept = (before: readonly StoredBlock[], now: readonly StoredBlock[]): boolean =>
  before.every((block) => now.some((each) => isTextOf(each, answeredTexts(block).join('\n\n'))));

/** How people call a block that asks. */
export function nameOf({ type, data }: StoredBlock): string {
  const title = [data?.heading, data?.name, data?.agreementText].find(isFilledText)?.trim();
  const said = title === undefined ? '' : ` "${shortened(title, 60)}"`;
  return `the ${blockKindOf(type)}${said}`;
}
