import { asks, blockKindOf } from '../../lib/domain/content/block-types.ts';
import type { StoredBlock, StoredDocument, StoredPage, StoredTemplate } from '../../lib/domain/content/document.ts';
import { isFilledText, type JsonValue } from '../../lib/domain/json.ts';
import { answeredTexts, isTextOf } from '../../lib/domain/response.ts';
import { shortened } from './similar.ts';
import { blocksOfPage } from './stored-parts.ts';

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
    return template ? changesOf(former, template, pathOf) : [];
  });

function changesOf(
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
