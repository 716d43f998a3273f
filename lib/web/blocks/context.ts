import type { ContentBlock } from '../../domain/content/block.ts';
import type { JsonValue } from '../../domain/json.ts';
import { fill, fillUrl, type Values } from '../../domain/placeholders.ts';
import type { BlockAnswer } from '../../domain/response.ts';
import type { Child } from '../html.ts';
import type { Words } from '../words/words.ts';

/** A block as it is rendered: of a template, a page or a container. */
export type Block = Pick<ContentBlock, 'id' | 'type' | 'order' | 'data' | 'grid' | 'css' | 'styles'>;

/** What blocks know of where they stand. */
export type BlockContext = {
  words: Words;
  values: Values;
  /** Of a journey's page; content elsewhere has nothing to act on. */
  page?: PageContext;
  /** Of the block that is rendered. */
  blockId?: string;
};

export type PageContext = {
  id: string;
  condition: string | null;
  isCompleted: boolean;
  /** Where forms of the page are sent to. */
  actions: string;
  /** The latest answer to each of its blocks. */
  answers: ReadonlyMap<string, BlockAnswer>;
};

/** What a type of block shows of its data; nothing where there is nothing to show. */
export type BlockType = (data: BlockData, context: BlockContext) => Child;

/** A block's texts with their placeholders filled in. */
export class BlockData {
  readonly #data: Readonly<Record<string, JsonValue>>;
  readonly #values: Values;

  constructor(data: Block['data'], values: Values) {
    this.#data = (data ?? {}) as Readonly<Record<string, JsonValue>>;
    this.#values = values;
  }

  /** The first of these that is a text with something in it. */
  text(...names: readonly string[]): string | undefined {
    const found = names.map((name) => this.raw(name)).find((value) => typeof value === 'string' && value.trim() !== '');
    const text = typeof found === 'string' ? fill(found, this.#values) : '';
    return text.trim() === '' ? undefined : text;
  }

  /** The first of these that is a text, as an address. */
  address(...names: readonly string[]): string | undefined {
    const found = names.map((name) => this.raw(name)).find((value) => typeof value === 'string' && value.trim() !== '');
    return typeof found === 'string' ? fillUrl(found, this.#values) : undefined;
  }

  raw(name: string): JsonValue | undefined {
    return Object.hasOwn(this.#data, name) ? this.#data[name] : undefined;
  }

  /** The same for an object within the data. */
  within(data: JsonValue): BlockData {
    return new BlockData(data as Block['data'], this.#values);
  }
}

/** Whether the person can act on what stands on the page: answer a block, also once the page is completed. */
export const canAct = (page: PageContext | undefined): page is PageContext =>
  page !== undefined && (page.condition === 'confirm' || page.condition === 'action');

/** Whether the person can complete the page by what stands on it. */
export const canComplete = (page: PageContext | undefined): page is PageContext => canAct(page) && !page.isCompleted;
