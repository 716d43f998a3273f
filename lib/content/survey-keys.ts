import { blockKindOf, option, question } from '../domain/campaigns/block-types.ts';
import type { StoredBlock, StoredDocument } from '../domain/campaigns/document.ts';
import { type Fields, namesOf } from '../domain/campaigns/shape.ts';
import { keyIn, optionKeyAt, optionsIn, optionText, questionKeyAt, questionText } from '../domain/journeys/survey.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from '../domain/values/json.ts';
import type { IdentifiedDocument } from './identify.ts';
import { blocksOf } from './stored-parts.ts';

/**
 * Gives the questions and options of stored surveys the keys that they have already, so that an answer counts as the
 * same after one of them was inserted, moved or removed. What has no key of the campaign is found by its text, and what
 * has a new text by its place among those that are left. A key is written into the content only where the place does not say it.
 */
export function withKeptKeys(
  document: IdentifiedDocument,
  stored: StoredDocument,
  onMoved: (move: KeyMove) => void = () => {},
): IdentifiedDocument {
  const before = new Map(stored.templates.flatMap((template) => blocksOf(template)).map((block) => [block.id, block]));
  const keep = (blocks: StoredBlock[]) => blocks.map((block) => withKeys(block, before.get(block.id), onMoved));
  return {
    ...document,
    templates: document.templates.map((template) => ({
      ...template,
      content_blocks: keep(template.content_blocks),
      template_pages: template.template_pages.map(({ page, ...rest }) => ({
        ...rest,
        page: page && {
          ...page,
          content_blocks: keep(page.content_blocks),
          content_containers: page.content_containers.map((container) => ({
            ...container,
            content_blocks: keep(container.content_blocks),
          })),
        },
      })),
    })),
  };
}

/** A question, or an option of one, that has another text and nothing but its place to say whose answers it gets. */
export type KeyMove = { block: StoredBlock; key: string; question: string } & Moved & {
    option_key?: string | undefined;
  };
type Moved = { text: string; former: string };

function withKeys(block: StoredBlock, before: StoredBlock | undefined, onMoved: (move: KeyMove) => void): StoredBlock {
  const questions = questionsIn(block);
  if (!block.data || questions.length === 0) return block;
  const earlier = before ? questionsIn(before) : [];
  const former = formerKeysOf(block.data, before?.data);
  const moved = new Map<string, Moved>();
  const keys = keptKeys(questions, earlier, questionKeys, former, moved);
  for (const [key, move] of moved) onMoved({ block, key, question: move.text, ...move });
  const kept = questions.map((each, index) => {
    const key = keys[index]!;
    const same = earlier.find((other, place) => questionKeyAt(other, place) === key);
    const options = new Map<string, Moved>();
    const asked = withOptionKeys(keyed(each, key, index, questionKeys), same ?? null, options);
    const own = { block, key, question: `${questionText(each)}` };
    if (!moved.has(key)) for (const [option_key, move] of options) onMoved({ ...own, ...move, option_key });
    return asked;
  });
  const removed = removedKeys(former, earlier, keys, questionKeys);
  return { ...block, data: { ...block.data, questions: kept, ...removed } };
}

const questionsIn = ({ type, data }: StoredBlock): readonly JsonValue[] =>
  blockKindOf(type) === 'survey' && Array.isArray(data?.questions) ? (data.questions as JsonValue[]) : [];

function withOptionKeys(asked: JsonValue, before: JsonValue, moved: Map<string, Moved>): JsonValue {
  const options = optionsIn(asked);
  if (!isJsonObject(asked) || options.length === 0) return asked;
  const former = formerKeysOf(asked, before);
  const keys = keptKeys(options, optionsIn(before), optionKeys, former, moved);
  const field = namesOf(question.fields, 'options').find((name) => asked[name] === options)!;
  const removed = removedKeys(former, optionsIn(before), keys, optionKeys);
  return { ...asked, [field]: options.map((each, index) => keyed(each, keys[index]!, index, optionKeys)), ...removed };
}

/** How questions, or options, have a text and a key. */
type Kind = {
  fields: Fields;
  textOf(given: JsonValue): JsonValue | undefined;
  keyAt(given: JsonValue, index: number): string;
};
const questionKeys: Kind = { fields: question.fields, textOf: questionText, keyAt: questionKeyAt };
const optionKeys: Kind = { fields: option.fields, textOf: optionText, keyAt: optionKeyAt };

/** Keys of questions or options that were removed earlier. Their answers still count. */
const formerKeysOf = (...owners: (JsonValue | null | undefined)[]): string[] =>
  owners.flatMap((owner) => {
    const keys = isJsonObject(owner) ? owner.formerKeys : undefined;
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  });

/** The field that keeps the keys that are no longer used, if there are any. */
function removedKeys(
  former: readonly string[],
  before: readonly JsonValue[],
  keys: readonly string[],
  { keyAt }: Kind,
): { formerKeys?: string[] } {
  const removed = new Set([...former, ...before.map(keyAt)]).difference(new Set(keys));
  return removed.size === 0 ? {} : { formerKeys: [...removed].sort() };
}

/**
 * The key of each: its own, that of the one with its text before, that of its place before, or a new one.
 * @param moved gets those with a key of their place
 */
function keptKeys(
  given: readonly JsonValue[],
  before: readonly JsonValue[],
  kind: Kind,
  former: readonly string[],
  moved: Map<string, Moved>,
): string[] {
  const earlier = before.map((each, index) => ({ text: kind.textOf(each), key: kind.keyAt(each, index) }));
  const keys = given.map((each) => keyIn(each, kind.fields));
  const taken = new Set(keys);
  const take = (index: number, key: string | undefined) => {
    if (keys[index] !== undefined || key === undefined || taken.has(key)) return;
    keys[index] = key;
    taken.add(key);
  };
  for (const [index, each] of given.entries()) {
    const text = kind.textOf(each);
    take(index, earlier.find((other) => other.text === text && !taken.has(other.key))?.key);
  }
  // If something was inserted or removed among those whose text is new, nothing says which is which.
  const left = [...given.keys()].filter((index) => keys[index] === undefined);
  const others = earlier.filter(({ key }) => !taken.has(key));
  if (left.length === others.length) {
    for (const [n, index] of left.entries()) {
      const { key, text: before } = others[n]!;
      const text = kind.textOf(given[index]!);
      take(index, key);
      if (isFilledText(text) && isFilledText(before) && plain(text) !== plain(before)) {
        moved.set(key, { text, former: before });
      }
    }
  }
  for (const key of [...former, ...earlier.map((each) => each.key)]) taken.add(key);
  for (const index of given.keys()) {
    for (let place = index; keys[index] === undefined; place++) take(index, kind.keyAt('', place));
  }
  return keys as string[];
}

const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** The same with the key, unless it says it already. */
function keyed(given: JsonValue, key: string, index: number, kind: Kind): JsonValue {
  if (kind.keyAt(given, index) === key) return given;
  const fields: JsonObject = isJsonObject(given) ? given : { text: `${given}` };
  return { ...fields, key };
}
