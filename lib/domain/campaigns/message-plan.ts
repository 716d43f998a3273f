import type { StoredDocument, StoredTemplate } from './document.ts';
import type { MessageTiming, ShownTemplateMessage } from './message.ts';
import { isArchived } from './shown-template.ts';
import type { Template } from './template.ts';

/** Which messages are sent, and when each went live (contract, section 15, "Which and when"). */

type LiveTemplate = Pick<Template, 'status' | 'is_archived' | 'archived_at'>;
type LiveMessage = Omit<MessageTiming, 'live_since'> & {
  message: Pick<ShownTemplateMessage['message'], 'is_archived' | 'content_block_status'>;
};

/** True if the message has a time at which it is due. */
export const hasTiming = ({
  send_offset_hours,
  scheduled_at,
}: Pick<MessageTiming, 'send_offset_hours' | 'scheduled_at'>): boolean =>
  (send_offset_hours ?? scheduled_at ?? null) !== null;

/** True if the message is sent when it is due. A muted campaign is live, too: its messages wait. */
export const isLiveMessage = (template: LiveTemplate, each: LiveMessage): boolean =>
  template.status === 'live' &&
  !isArchived(template) &&
  hasTiming(each) &&
  each.message.is_archived !== true &&
  each.message.content_block_status !== 'draft';

const formOf = ({ send_offset_hours = null, send_at = null, scheduled_at }: MessageTiming): string =>
  JSON.stringify([send_offset_hours, send_at, scheduled_at]);

/** The content, in which each message that goes live, or has another timing, is live since now. */
export function withLiveSince(content: StoredDocument, before: StoredDocument, now: string): StoredDocument {
  const former = timingsOf(before);
  const planned = (template: StoredTemplate): StoredTemplate => ({
    ...template,
    template_messages: template.template_messages.map(({ live_since, ...each }) => {
      if (!isLiveMessage(template, each)) return each;
      const old = former.get(nameOf(template, each));
      const isSame = old !== undefined && formOf(old) === formOf(each);
      return { ...each, live_since: (isSame ? old.live_since : undefined) ?? now };
    }),
  });
  return { ...content, templates: content.templates.map(planned) };
}

/** The templates with messages that went live, or have another timing, since then, and those that are no longer muted. */
export function changedPlans(before: StoredDocument, after: StoredDocument): string[] {
  const former = timingsOf(before);
  const muted = new Set(before.templates.filter(({ is_muted }) => is_muted === true).map(({ id }) => id));
  return after.templates
    .filter((template) => {
      const isUnmuted = muted.has(template.id) && template.is_muted !== true;
      const live = template.template_messages.filter(({ live_since }) => live_since !== undefined);
      return live.some((each) => isUnmuted || former.get(nameOf(template, each))?.live_since !== each.live_since);
    })
    .map(({ id }) => id);
}

const nameOf = ({ id }: StoredTemplate, message: { id: string }): string => `${id} ${message.id}`;

const timingsOf = ({ templates }: StoredDocument): ReadonlyMap<string, MessageTiming> =>
  new Map(
    templates.flatMap((template) => template.template_messages.map((each) => [nameOf(template, each), each] as const)),
  );
