import { blockKindOf } from './block-types.ts';
import type { ShownTemplateMessage, TemplateMessage } from './message.ts';
import type { ShownTemplate, Template } from './template.ts';

/** True if one of its fields says that the template is archived. No journey can start from it. */
export const isArchived = ({
  is_archived,
  status,
  archived_at,
}: Pick<Template, 'is_archived' | 'status' | 'archived_at'>): boolean =>
  is_archived === true || status === 'archived' || (archived_at !== null && is_archived === null);

export function shownTemplateOf({
  language: own,
  translations: others,
  translated_from,
  words,
  ending,
  targeting_groups,
  template_pages,
  template_messages,
  ...shown
}: Template): ShownTemplate {
  return shown;
}

/** True if any block anywhere in the template is a survey (contract, section 7). */
export function hasSurvey({ content_blocks, template_pages, template_messages }: Template): boolean {
  const blocks = [
    content_blocks,
    ...template_messages.map(({ message }) => message.content_blocks),
    ...template_pages.flatMap(({ page }) => [
      page.content_blocks,
      ...page.content_containers.map((container) => container.content_blocks),
    ]),
  ];
  return blocks.flat().some(({ type }) => blockKindOf(type) === 'survey');
}

/** A message as responses have it, without our additions. */
export const shownTemplateMessageOf = ({
  send_offset_hours,
  send_at,
  live_since,
  ...shown
}: TemplateMessage): ShownTemplateMessage => shown;
