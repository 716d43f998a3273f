import type { ContentBlock } from '../../domain/campaigns/block.ts';
import { type Fields, namesOf } from '../../domain/campaigns/shape.ts';
import type { ShownAnswer } from '../../domain/journeys/answer.ts';
import { type Paragraph, plainParagraphsOf } from '../../domain/journeys/markup.ts';
import { fill, fillUrl, type Values } from '../../domain/journeys/placeholders.ts';
import { isFilledText, type JsonValue } from '../../domain/values/json.ts';
import type { Child } from '../html.ts';
import { proseOf } from '../prose.ts';
import type { Words } from '../words/words.ts';

/** A block of a template, a page or a container. */
export type Block = Pick<ContentBlock, 'id' | 'type' | 'order' | 'data' | 'grid' | 'css' | 'styles'>;

/** What a block can use of its surroundings. */
export type BlockContext = {
  words: Words;
  values: Values;
  /** The journey's page. Without it the block offers no action. */
  page?: PageContext;
  /** True if the page has dark colors for devices that ask for them. */
  isDark?: boolean;
  /** The note at blocks of which a part is hidden until the identity is proved. */
  withheld?: string;
  /** Id of the block that is rendered. */
  blockId?: string;
  /** Id of its element. The ids of elements inside it begin with it. */
  elementId?: string;
  /** True if other blocks of the list ask for an answer too. */
  isOneOfSeveral?: boolean;
  /** True if the page has another primary button, so that a link that does not complete the page is not one. */
  hasPrimary?: boolean;
  /** How to reach the institution, for a person who declines. */
  support?: Child;
  /** The place of a call to action among those of the list. */
  calls?: CallPlace;
};

export type CallPlace = {
  /** True for the primary button of the list. */
  isPrimary: boolean;
  /** True for the last link that completes the page. */
  isLast: boolean;
  /** True if several links complete the page. */
  isOneOfSeveral: boolean;
};

export type PageContext = {
  id: string;
  condition: string | null;
  isCompleted: boolean;
  /** Language of the page, if its campaign or team has one. */
  language?: string | null;
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

/** True if the form can be refused because an answer in it is missing, and not because it is too large or not allowed. */
export const canLackAnswers = (page: PageContext | undefined): boolean => page?.refused?.message === 'unsent';

/** Renders a type of block from its data. Undefined if there is nothing to show. */
export type BlockType = (data: BlockData, context: BlockContext) => Child;

/**
 * The data of a block. Its texts have their placeholders filled in. Only declared fields can be read, each under any of
 * its names, so that the warnings of the import name all fields that are not shown.
 */
export class BlockData {
  readonly #data: Readonly<Record<string, JsonValue>>;
  readonly #values: Values;
  readonly #fields: Fields;

  constructor(data: Block['data'], values: Values, fields: Fields) {
    this.#data = (data ?? {}) as Readonly<Record<string, JsonValue>>;
    this.#values = values;
    this.#fields = fields;
  }

  /** The first of these fields that is a text and not blank. */
  text(...names: readonly string[]): string | undefined {
    return this.#filled(names, this.#values);
  }

  /** The same as it is stored and compared, with values that are not isolated. */
  plain(...names: readonly string[]): string | undefined {
    return this.#filled(names, { ...this.#values, direction: undefined });
  }

  /** The same in paragraphs, with lists, bold and links if the field is declared to have them. */
  prose(name: string): Paragraph[] | undefined {
    const found = this.#textOf([name]);
    const shape = this.#fields[name]?.shape;
    if (found === undefined) return undefined;
    return shape?.is === 'text' && shape.marks
      ? proseOf(found, this.#values)
      : plainParagraphsOf(fill(found, this.#values));
  }

  /** The first of these fields that is a text and not blank, as a URL. */
  address(...names: readonly string[]): string | undefined {
    const found = this.#textOf(names);
    return found === undefined ? undefined : fillUrl(found, this.#values);
  }

  /** The value of the field, without placeholders filled in. */
  raw(name: string): JsonValue | undefined {
    return this.#valuesOf(name).find((value) => value !== null);
  }

  list(name: string): readonly JsonValue[] {
    return this.#valuesOf(name).find(Array.isArray) ?? [];
  }

  /** The same methods for an object inside the data. */
  within(data: JsonValue, fields: Fields): BlockData {
    return new BlockData(data as Block['data'], this.#values, fields);
  }

  #filled(names: readonly string[], values: Values): string | undefined {
    const found = this.#textOf(names);
    const text = found === undefined ? '' : fill(found, values);
    return text.trim() === '' ? undefined : text;
  }

  #valuesOf(name: string): JsonValue[] {
    if (!Object.hasOwn(this.#fields, name)) return [];
    return namesOf(this.#fields, name).flatMap((each) => (Object.hasOwn(this.#data, each) ? [this.#data[each]!] : []));
  }

  #textOf(names: readonly string[]): string | undefined {
    return names.flatMap((name) => this.#valuesOf(name)).find(isFilledText);
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
