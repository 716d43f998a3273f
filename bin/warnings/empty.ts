import { isPublished } from '../../lib/domain/completion.ts';
import { type BlockKind, blockKindOf } from '../../lib/domain/content/block-types.ts';
import { isFilledText } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import type { GivenBlock, GivenPage } from './given.ts';

/** The fields of which a block must have one. */
const needed: Partial<Record<BlockKind, readonly string[]>> = {
  heading: ['heading', 'body', 'text', 'content'],
  text: ['heading', 'body', 'text', 'content'],
  card: ['heading', 'body', 'text', 'content'],
  call: ['text', 'label', 'buttonText', 'heading', 'name'],
  document: ['heading', 'body', 'text', 'documentLinkText', 'documentLinkUrl'],
};

export const withoutData = 'is not set, so the block is not shown: write its texts into it, or delete the block';

/** A block that a page leaves out, because it has nothing to show. @param path of its `data` */
export function emptyBlockWarnings({ type, data }: GivenBlock, path: string, condition: string | null): ErrorDetail[] {
  const kind = blockKindOf(type);
  const names = needed[kind ?? 'divider'] ?? [];
  if (names.length === 0 || names.some((name) => isFilledText(data?.[name]))) return [];
  if (Array.isArray(data?.terms) && data.terms.length > 0) return [];
  // The condition of the page has a warning then.
  if (kind === 'call' && condition === 'action') return [];
  if ((data ?? null) === null) return type === null ? [] : [{ path, message: withoutData }];
  const fields = kind === 'call' ? '`text`' : '`heading` or `body`';
  return [{ path, message: `has nothing to show, so the block is not shown: write ${fields}, or delete the block` }];
}

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
 * for channels only. @param path of the page
 */
export function emptyPageWarnings(page: GivenPage, path: string): ErrorDetail[] {
  const { content_blocks, content_containers, content, cta, completion_condition: condition } = page;
  const isSet = (content ?? '') !== '' || (cta ?? '') !== '';
  const hasContent = content_blocks.length > 0 || content_containers.length > 0 || isSet;
  if (hasContent || condition === 'confirm' || !isPublished(page)) return [];
  return [{ path: `${path}/content_blocks`, message: 'is empty, so the page shows only its title: write blocks' }];
}
