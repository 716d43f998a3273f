import type { ContentBlock } from '../../domain/content/block.ts';
import type { JsonValue } from '../../domain/json.ts';
import { fill, fillUrl, type Values } from '../../domain/placeholders.ts';
import type { ShownAnswer } from '../../domain/response.ts';
import type { Child } from '../html.ts';
import type { Words } from '../words/words.ts';

/** A block of a template, a page or a container. */
export type Block = Pick<ContentBlock, 'id' | 'type' | 'order' | 'data' | 'grid' | 'css' | 'styles'>;

/** What a block can use of its surroundings. */
export type BlockContext = {
  words: Words;
  values: Values;
  /** The journey's page. Without it the block offers no action. */
  page?: PageContext;
  /** The note at blocks of which a part is hidden until the identity is proved. */
  withheld?: string;
  /** Id of the block that is rendered. */
  blockId?: string;
};

export type PageContext = {
  id: string;
  condition: string | null;
  isCompleted: boolean;
  /** URL to which the forms of the page are sent. */
  actions: string;
  /** The latest answer to each block of the page. */
  answers: ReadonlyMap<string, ShownAnswer>;
  /** A form of the page that was refused. It is shown with what was entered. */
  refused?: RefusedForm | undefined;
  /** URL of the identity check, without which the page accepts no action. */
  proof?: string | undefined;
};

/** A form that was sent without the script and could not be recorded. */
export type RefusedForm = {
  fields: Readonly<Record<string, string>>;
  /** The message about it. */
  message: 'unsent' | 'unsent_too_long' | 'unsent_first';
};

/** What was entered in the form of this block, if it was refused. */
export const refusedFieldsOf = (page: PageContext | undefined, blockId: string | undefined) =>
  page?.refused?.fields.block_id === blockId ? page?.refused?.fields : undefined;

/** Renders a type of block from its data. Undefined if there is nothing to show. */
export type BlockType = (data: BlockData, context: BlockContext) => Child;

/** The data of a block. Its texts have their placeholders filled in. */
export class BlockData {
  readonly #data: Readonly<Record<string, JsonValue>>;
  readonly #values: Values;

  constructor(data: Block['data'], values: Values) {
    this.#data = (data ?? {}) as Readonly<Record<string, JsonValue>>;
    this.#values = values;
  }

  /** The first of these fields that is a text and not blank. */
  text(...names: readonly string[]): string | undefined {
    const found = names.map((name) => this.raw(name)).find((value) => typeof value === 'string' && value.trim() !== '');
    const text = typeof found === 'string' ? fill(found, this.#values) : '';
    return text.trim() === '' ? undefined : text;
  }

  /** The first of these fields that is a text and not blank, as a URL. */
  address(...names: readonly string[]): string | undefined {
    const found = names.map((name) => this.raw(name)).find((value) => typeof value === 'string' && value.trim() !== '');
    return typeof found === 'string' ? fillUrl(found, this.#values) : undefined;
  }

  raw(name: string): JsonValue | undefined {
    return Object.hasOwn(this.#data, name) ? this.#data[name] : undefined;
  }

  /** The same methods for an object inside the data. */
  within(data: JsonValue): BlockData {
    return new BlockData(data as Block['data'], this.#values);
  }
}

/** The conditions of pages on which the person can answer blocks. */
const answerable: readonly (string | null)[] = ['confirm', 'action', 'view'];
export const takesAnswers = (condition: string | null): boolean => answerable.includes(condition);

/** True if the person can answer blocks of the page, also after the page is completed. */
export const canAct = (page: PageContext | undefined): page is PageContext =>
  page !== undefined && takesAnswers(page.condition);

/** True if the person can complete the page with an action on it. */
export const canComplete = (page: PageContext | undefined): page is PageContext => canAct(page) && !page.isCompleted;
