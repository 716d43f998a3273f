import { type MailLink, mailLinkPath, sealMailLink } from '../auth/mail-links.ts';
import type { Template } from '../domain/campaigns/template.ts';
import type { MessageContent } from '../domain/messages/content.ts';
import { isMarketing } from '../domain/messages/decide.ts';
import { defaultSenderOf, isSenderOf, type Team } from '../domain/teams/team.ts';
import { isJsonObject, type JsonValue } from '../domain/values/json.ts';
import { canonicalLanguage } from '../domain/values/language.ts';
import { urlAt } from '../domain/values/url.ts';
import type { ConsentService } from '../operations/contacts/leave.ts';
import { loadMessageContent } from '../operations/messages/content.ts';
import { senderOf } from '../operations/messages/mail-link.ts';
import type { Rendering, SendService } from '../operations/messages/send.ts';
import type { JourneyService } from '../operations/service.ts';
import { renderEmail, renderVerification } from '../web/email/message.ts';
import { languageOf } from '../web/words/words.ts';

/** Makes messages and their links, for the function that sends them. */
export const renderers = (
  service: JourneyService & ConsentService,
): Pick<SendService, 'render' | 'renderVerification'> => ({
  async render(parts) {
    const { team, contact, hash, messageId } = parts;
    const content = await loadMessageContent(service, parts);
    const link = { teamId: team.team_id, contactId: contact.id, hash, messageId } as const;
    const url = await linkUrl(service, {
      ...{ ...link, purpose: 'unsubscribe', templateId: content.template.id, language: content.language ?? '' },
    });
    return renderContent(content, { team, timeZone: contact.timezone, unsubscribe: url, baseUrl: service.baseUrl });
  },
  async renderVerification({ team, contact, verification: { id, hash } }) {
    const link = { teamId: team.team_id, contactId: contact.id, hash, messageId: id } as const;
    const wish = contact.meta_public?.language;
    const tag = typeof wish === 'string' ? canonicalLanguage(wish) : undefined;
    const language = tag !== undefined && languageOf(tag) !== undefined ? tag : team.language;
    const sealed: MailLink = { ...link, purpose: 'verify', templateId: '', language: language ?? '' };
    const template = (await senderOf(service, sealed))?.template;
    const from = fromOf(team, template);
    if (!from) return { fault: 'channel_off' };
    const url = await linkUrl(service, sealed);
    const rendered = renderVerification({ team, template, language, url, baseUrl: service.baseUrl });
    return { mail: { ...{ from, ...rendered, headers: {}, values: {} } } };
  },
});

const linkUrl = async ({ messages, baseUrl }: JourneyService & ConsentService, link: MailLink): Promise<string> =>
  urlAt(baseUrl, mailLinkPath(sealMailLink(await messages.secret(), link)));

/** @param unsubscribe URL of the link that unsubscribes from marketing messages */
export function renderContent(
  { template, message, language, values, pageUrl, kept }: MessageContent,
  {
    team,
    timeZone,
    unsubscribe,
    baseUrl,
  }: {
    team: Team;
    timeZone: string | null;
    unsubscribe: string;
    baseUrl: string;
  },
): Rendering {
  const from = fromOf(team, template);
  if (!from) return { fault: 'channel_off' };
  const isLeavable = isMarketing(message);
  const rendered = renderEmail({
    ...{ team, template, message, language, timeZone, values, baseUrl },
    links: { page: pageUrl, unsubscribe: isLeavable ? unsubscribe : undefined },
  });
  if ('fault' in rendered) return rendered;
  // RFC 8058. Mail programs send a POST there, without opening the page.
  const headers = isLeavable
    ? { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {};
  return { mail: { from, replyTo: replyToOf(message.message.payload), ...rendered, headers, values: kept } };
}

/** From whom a message comes. `undefined` if that is nobody of the team. */
function fromOf(team: Team, template: Template | undefined): { name: string; address: string } | undefined {
  const own = template?.email_sender_address ?? undefined;
  const address = own !== undefined && isSenderOf(team, own) ? own : defaultSenderOf(team);
  return address === undefined ? undefined : { name: template?.email_sender_name ?? team.name, address };
}

/** What is no address is left out, so that the message is sent all the same. */
function replyToOf(payload: JsonValue): string | undefined {
  const { reply_to: address } = isJsonObject(payload) ? payload : {};
  const isAddress =
    typeof address === 'string' && /^[^\s<>()[\]{},;:\\"@]+@[^\s<>()[\]{},;:\\"@]+$/.test(address.trim());
  return isAddress ? address.trim() : undefined;
}
