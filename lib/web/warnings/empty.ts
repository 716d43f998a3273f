import { type BlockKind, blockKindOf } from '../../domain/content/block-types.ts';
import { isFilledText, isJsonObject, type JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import type { GivenBlock } from './given.ts';

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Fields that are set, but to a text with nothing in it. @param path of the object */
export const emptyTextWarnings = (fields: Readonly<Record<string, unknown>>, path: string): ErrorDetail[] =>
  Object.entries(fields)
    .filter(([, value]) => isBlank(value))
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
  if ((data ?? null) === null) return [];
  const names = needed[blockKindOf(type) ?? 'divider'] ?? [];
  if (names.length === 0 || names.some((name) => isFilledText(data?.[name]))) return [];
  // The condition of the page has a warning then.
  if (blockKindOf(type) === 'call' && condition === 'action') return [];
  const fields = blockKindOf(type) === 'call' ? '`text`' : '`heading` or `body`';
  return [{ path, message: `has nothing to show, so the block is not shown: write ${fields}, or delete the block` }];
}

/** Links without a text. A field that is not known has a warning of its own. @param path of the footer */
export function footerLinkWarnings(footer: JsonValue | undefined, path: string): ErrorDetail[] {
  const links = isJsonObject(footer ?? null) ? (footer as { links?: JsonValue }).links : undefined;
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
