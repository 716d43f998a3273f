import { isPublished } from '../../domain/completion.ts';
import { type BlockKind, blockKindOf } from '../../domain/content/block-types.ts';
import { isFilledText, isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import type { GivenBlock, GivenPage } from './given.ts';

/** Fields that are set, but to a text with nothing in it. @param path of the object */
export const emptyTextWarnings = (fields: Readonly<Record<string, unknown>>, path: string): ErrorDetail[] =>
  Object.entries(fields)
    .filter(([, value]) => typeof value === 'string' && !isFilledText(value))
    .map(([name]) => ({
      path: `${path}/${name}`,
      message: 'is an empty text and has no effect: write a text, or delete the field',
    }));

/** The fields of which a block must have one. */
const needed: Partial<Record<BlockKind, readonly string[]>> = {
  heading: ['heading', 'body', 'text', 'content'],
  text: ['heading', 'body', 'text', 'content'],
  card: ['heading', 'body', 'text', 'content'],
  call: ['text', 'label', 'buttonText', 'heading', 'name'],
  document: ['heading', 'body', 'text', 'documentLinkText', 'documentLinkUrl'],
};

/**
 * A block that a page leaves out, because it has nothing to show. Without `data`, its texts are probably in the wrong
 * place, which is another warning. @param path of its `data`
 */
export function emptyBlockWarnings({ type, data }: GivenBlock, path: string, condition: string | null): ErrorDetail[] {
  const names = needed[blockKindOf(type) ?? 'divider'] ?? [];
  if (names.length === 0 || names.some((name) => isFilledText(data?.[name]))) return [];
  // Terms that are not complete, or that the block does not show, have warnings of their own.
  if (isFilledList(data?.terms)) return [];
  // The condition of the page has a warning then.
  if (blockKindOf(type) === 'call' && condition === 'action') return [];
  if ((data ?? null) === null) return type === null ? [] : [{ path, message: withoutData }];
  const fields = blockKindOf(type) === 'call' ? '`text`' : '`heading` or `body`';
  return [{ path, message: `has nothing to show, so the block is not shown: write ${fields}, or delete the block` }];
}

const isFilledList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** Links without a text. A field that is not known has a warning of its own. @param path of the footer */
export function footerLinkWarnings(footer: JsonValue | undefined, path: string): ErrorDetail[] {
  const links = isJsonObject(footer) ? footer.links : undefined;
  return (Array.isArray(links) ? links : []).flatMap((each, index) => {
    const isMissing =
      isJsonObject(each) &&
      !isFilledText(each.text) &&
      Object.keys(each).every((name) => ['text', 'url'].includes(name));
    return isMissing && (each.text ?? '') === ''
      ? [{ path: `${path}/links/${index}`, message: 'has no `text`, so the link is not shown: write the text' }]
      : [];
  });
}

/** What is said of a block without `data`. If its texts are in another place, that is another warning. */
export const withoutData = 'is not set, so the block is not shown: write its texts into it, or delete the block';

/** Content of a channel that has no blocks. @param path of a container or of default content */
export const emptyContentWarnings = (
  content: { content_blocks: readonly unknown[] } | null,
  path: string,
): ErrorDetail[] =>
  content?.content_blocks.length === 0
    ? [
        {
          path: `${path}/content_blocks`,
          message: 'is empty, so people see an empty frame: write blocks, or delete this content',
        },
      ]
    : [];

/**
 * A page that shows only its title. With the condition `confirm` it has a button too, and a page with containers can be
 * meant for channels only. @param path of the page
 */
export function emptyPageWarnings(page: GivenPage, path: string): ErrorDetail[] {
  const { content_blocks, content_containers, content, cta, completion_condition: condition } = page;
  const hasContent = [...content_blocks, ...content_containers].length > 0 || isSet(content) || isSet(cta);
  if (hasContent || condition === 'confirm' || !isPublished(page)) return [];
  return [{ path: `${path}/content_blocks`, message: 'is empty, so the page shows only its title: write blocks' }];
}

const isSet = (value: JsonValue | undefined): boolean => (value ?? '') !== '';
