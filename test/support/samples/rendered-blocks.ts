import { noValues } from '../../../lib/domain/journeys/placeholders.ts';
import { renderBlocks } from '../../../lib/web/blocks/blocks.ts';
import type { Block, BlockContext, PageContext } from '../../../lib/web/blocks/context.ts';
import { wordsIn } from '../../../lib/web/words/words.ts';

export const blockOf = (type: string | null, data: object, more: Partial<Block> = {}): Block =>
  ({ id: 'block', type, order: 1, data, grid: null, css: null, styles: null, ...more }) as Block;

/** A page with a form that nobody has sent. */
export const openPage: PageContext = {
  ...{ id: 'p-1', condition: 'confirm', isCompleted: false, actions: '/j/s/actions', answers: new Map() },
};

/** What a page shows of the blocks, in English unless `context` has other words. */
export const rendered = (blocks: Block[], context: Partial<BlockContext> = {}, layout: string | null = null) =>
  renderBlocks(blocks, { words: wordsIn('en'), values: noValues, ...context }, { root: '#r', prefix: 'b', layout });

export const htmlOfBlocks = (...given: Parameters<typeof rendered>): string => String(rendered(...given).html);
