import { canonicalText } from '../../lib/domain/canonical-json.ts';
import { blockKindOf, blockTypeName } from '../../lib/domain/content/block-types.ts';
import type { GivenDocument, StoredBlock, StoredContainer, StoredDocument } from '../../lib/domain/content/document.ts';
import { isFilledText, isJsonObject, type JsonValue } from '../../lib/domain/json.ts';
import type { Traits } from './match.ts';

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
export const templateContent = ({ name, translations, ...template }: GivenTemplate | StoredTemplate): string => {
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
