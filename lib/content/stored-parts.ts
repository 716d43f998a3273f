import type { StoredBlock, StoredDocument, StoredMessage, StoredPage } from '../domain/campaigns/document.ts';

/** All pages by id, and all messages. Templates may share them. */
export const pagesOf = ({ templates }: StoredDocument): Map<string, StoredPage> =>
  new Map(templates.flatMap(({ template_pages }) => template_pages.map(({ page }) => [page.id, page])));
export const messagesOf = ({ templates }: StoredDocument): Map<string, StoredMessage> =>
  new Map(templates.flatMap(({ template_messages }) => template_messages.map(({ message }) => [message.id, message])));

type Blocks<Block> = { content_blocks: readonly Block[] };
type PageBlocks<Block> = Blocks<Block> & { content_containers: readonly Blocks<Block>[] };

/** The blocks of a page and those that channels show of it. */
export const blocksOfPage = <Block = StoredBlock>({ content_blocks, content_containers }: PageBlocks<Block>): Block[] =>
  [content_blocks, ...content_containers.map((container) => container.content_blocks)].flat();

/** The blocks of a template: those of its introduction and of its pages. */
export const blocksOf = <Block = StoredBlock>({
  content_blocks,
  template_pages,
}: Blocks<Block> & { template_pages: readonly { page: PageBlocks<Block> }[] }): Block[] => [
  ...content_blocks,
  ...template_pages.flatMap(({ page }) => blocksOfPage(page)),
];
