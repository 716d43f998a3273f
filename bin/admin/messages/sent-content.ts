import { partsOfPlaceholder, placeholder, textsIn } from '../../../lib/domain/journeys/placeholders.ts';
import type { SendRecord } from '../../../lib/domain/messages/record.ts';
import { isJsonObject } from '../../../lib/domain/values/json.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { contentToExport } from '../operations/campaigns/content.ts';

/** What a message said: its subject, the sender, and the texts of its blocks in their order. */
export type SentContent = { subject: string; from: string | null; texts: string[] };

/**
 * What was sent: the content of the revision, with the values that were kept with the message. A later import of the
 * campaign changes neither.
 * @returns `undefined` if nothing was sent, or the revision does not have the message
 */
export async function sentContent(
  database: Database,
  teamId: string,
  { revision, values, template_id, template_message_id }: SendRecord,
): Promise<SentContent | undefined> {
  if (revision === null) return undefined;
  const document = await contentToExport(database, teamId, revision);
  const template = document?.templates.find(({ id }) => id === template_id);
  const found = template?.template_messages.find(({ id }) => id === template_message_id);
  if (!template || !found) return undefined;
  const { payload, content_blocks } = found.message;
  const filled = (text: string) =>
    text.replaceAll(placeholder, (_, inside: string) => {
      const { name, fallback = '' } = partsOfPlaceholder(inside);
      return values?.[name] || fallback;
    });
  const subject = isJsonObject(payload) && typeof payload.subject === 'string' ? payload.subject : '';
  const texts = content_blocks.flatMap(({ data }) => textsIn(data)).filter((text) => text.trim() !== '');
  return { subject: filled(subject), from: template.email_sender_address, texts: texts.map(filled) };
}
