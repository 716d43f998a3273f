import { blockKindOf, blockTypeName } from '../domain/campaigns/block-types.ts';
import type { GivenDocument, StoredBlock, StoredContainer, StoredDocument } from '../domain/campaigns/document.ts';
import { canonicalText } from '../domain/values/canonical-json.ts';
import { isFilledText, isJsonObject, type JsonValue } from '../domain/values/json.ts';

/** How objects of a document are recognised among the stored ones (contract, section 6). */

/** What an object is recognised by. Objects of different kinds are never the same. */
export type Traits = {
  kind: string;
  /** Its own id, and others that name it. An object that has one is matched by nothing else. */
  ids: readonly string[];
  /** The first is its title. The others are used only if the title and the content match nothing. */
  titles: readonly string[];
  /** The rest of it, in a comparable form. */
  content: string;
  /** True if there is no text in the content by which it can be recognised. */
  isBare: boolean;
};

/**
 * The index of the stored object that each given object is, or `undefined` for a new one. Objects are matched by id,
 * then by title, then by content, then by their other titles, and only then by place.
 * @param guesses match by index where objects were inserted or removed among those that are left
 */
export function matched(
  given: readonly Traits[],
  stored: readonly Traits[],
  { guesses }: { guesses: boolean },
): (number | undefined)[] {
  const found = given.map(({ ids }) => {
    const index = stored.findIndex((other) => ids.some((id) => other.ids.includes(id)));
    return index === -1 ? undefined : index;
  });
  const taken = new Set(found);
  const isLeft = (at: number) => found[at] === undefined && given[at]!.ids.length === 0;
  const take = (at: number, index: number) => {
    found[at] = index;
    taken.add(index);
  };
  const same: ((one: Traits, other: Traits) => boolean)[] = [
    (one, other) => one.titles[0] === other.titles[0] && one.content === other.content,
    (one, other) => one.titles.length > 0 && one.titles[0] === other.titles[0],
    (one, other) => !one.isBare && one.content === other.content,
    haveCommonTitle,
  ];
  for (const isSame of same) {
    for (const [at, one] of given.entries()) {
      if (!isLeft(at)) continue;
      const index = stored.findIndex(
        (other, place) => !taken.has(place) && one.kind === other.kind && isSame(one, other),
      );
      if (index !== -1) take(at, index);
    }
  }
  for (const kind of new Set(given.map((each) => each.kind))) {
    const left = [...given.keys()].filter((at) => isLeft(at) && given[at]!.kind === kind);
    const others = [...stored.keys()].filter((index) => !taken.has(index) && stored[index]!.kind === kind);
    if (left.length === others.length) for (const [n, at] of left.entries()) take(at, others[n]!);
    else if (guesses) for (const at of left) if (others.includes(at)) take(at, at);
  }
  return found;
}

/** True if nothing but the place says that the two are the same. @param isMoved their places differ too */
export const isAnother = (one: Traits, other: Traits, isMoved: boolean): boolean =>
  !haveCommonTitle(one, other) &&
  (one.content !== other.content || (isMoved && one.isBare && one.titles.length + other.titles.length > 0));

const haveCommonTitle = (one: Traits, other: Traits): boolean =>
  one.titles.some((title) => other.titles.includes(title));

type GivenTemplate = GivenDocument['templates'][number];
type StoredTemplate = StoredDocument['templates'][number];
type OptionalId<T> = Omit<T, 'id'> & { id: string | null };
type Block = OptionalId<StoredBlock>;
type Blocks = { content_blocks: readonly Block[] };
type Container = Omit<OptionalId<StoredContainer>, 'content_blocks'> & Blocks;
type TemplatePage = (GivenTemplate | StoredTemplate)['template_pages'][number];
type TemplateMessage = (GivenTemplate | StoredTemplate)['template_messages'][number];

export const blockTraits = ({ id, type, data }: Block): Traits => ({
  ...{ kind: blockKindOf(type) ?? blockTypeName(type), ids: idsOf(id), titles: texts(data?.heading, data?.name) },
  ...contentOf(data),
});

/** A container has no title. It is that of its channel. */
export const containerTraits = ({ id, engagement_channel_id, content_blocks }: Container): Traits => ({
  ...{ kind: engagement_channel_id ?? '', ids: idsOf(id), titles: [] },
  ...contentOf(seen(content_blocks)),
});

export function pageTraits({ id, page_id, page }: TemplatePage): Traits {
  const ids = idsOf(id, page_id, page?.id);
  if (!page) return { kind: '', ids, titles: [], content: '', isBare: true };
  const { content, cta, completion_condition, objective_id, completion_product_id, completion_product_type } = page;
  const shown = contentOf({
    ...{ content, cta, content_blocks: seen(page.content_blocks) },
    content_containers: page.content_containers.map((each) => seen(each.content_blocks)),
  });
  const condition = [completion_condition, objective_id, completion_product_id, completion_product_type];
  return {
    ...{ kind: '', ids, titles: texts(page.content_name, headingOf(page), page.navigation_title) },
    ...(shown.isBare ? { content: canonicalText(condition), isBare: true } : shown),
  };
}

export const messageTraits = ({ id, message_id, message }: TemplateMessage): Traits => ({
  kind: '',
  ids: idsOf(id, message_id, message?.id),
  titles: message ? texts(message.content_name, headingOf(message)) : [],
  ...contentOf(message && { payload: message.payload, content_blocks: seen(message.content_blocks) }),
});

/** What a template has besides its name. */
export const templateContent = ({
  name,
  translations,
  translated_from,
  ...template
}: GivenTemplate | StoredTemplate): string => {
  const others = Object.entries(translations ?? {}).map(([language, texts]) => [
    language,
    Object.entries(texts).filter(([text]) => text !== name),
  ]);
  return canonicalText(plain({ ...template, others } as unknown as JsonValue));
};

/** How people call a page. */
export const titleOf = (page: TemplatePage['page'] | undefined): string => {
  const [title] = page ? texts(page.content_name, headingOf(page), page.navigation_title) : [];
  return title === undefined ? 'a page without a title' : `"${title}"`;
};

const headingOf = ({ content_blocks }: Blocks): string | undefined =>
  content_blocks.map(({ data }) => data?.heading).find(isFilledText);

const texts = (...values: unknown[]): string[] => values.filter(isFilledText).map((text) => text.trim());
const idsOf = (...ids: (string | null | undefined)[]): string[] => ids.filter((id) => typeof id === 'string');
const seen = (blocks: readonly Block[]) => blocks.map(({ type, data }) => ({ type, data }));

function contentOf(value: unknown): Pick<Traits, 'content' | 'isBare'> {
  const content = plain((value ?? null) as JsonValue);
  return { content: canonicalText(content), isBare: !hasText(content) };
}

const hasText = (value: JsonValue): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).some(([name, inner]) => name !== 'type' && hasText(inner as JsonValue))
    : isFilledText(value);

/** Ids, times, and keys that an import has made are not part of the content; nor is what is unset. */
const without = new Set([
  'id',
  'key',
  'formerKeys',
  'page_id',
  'message_id',
  'template_page_id',
  'inserted_at',
  'updated_at',
]);

function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name, inner]) => !without.has(name) && inner !== null);
  const [only, ...others] = entries;
  // A question or option gets an object when it is given its key.
  if (only?.[0] === 'text' && others.length === 0) return plain(only[1]);
  return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner)]));
}
