import type { TemplateMessage } from '../campaigns/message.ts';
import type { TemplatePage } from '../campaigns/page.ts';
import type { Template } from '../campaigns/template.ts';
import { localized } from '../campaigns/translate.ts';
import type { Contact } from '../contacts/contact.ts';
import type { Analytics } from '../journeys/completion.ts';
import { type Journey, journeyUrl } from '../journeys/journey.ts';
import { pagesFor, publishedPages } from '../journeys/journey-page.ts';
import type { LinkedAccount } from '../journeys/linked-account.ts';
import { namesAccount, noValues, textsIn, type Values, valuesNamedIn } from '../journeys/placeholders.ts';
import type { Team } from '../teams/team.ts';

/** Whom and what a message is about. */
export type MessageSubject = {
  team: Team;
  template: Template;
  message: TemplateMessage;
  contact: Contact;
  journey: Pick<Journey, 'slug'>;
  analytics: Pick<Analytics, 'pages_completed' | 'pages_viewed'>;
  baseUrl: string;
};

/** What is shown of a message, in its language. */
export type MessageContent = {
  template: Template;
  message: TemplateMessage;
  language: string | null;
  values: Values;
  pageUrl: string;
  /** What is kept of a message that was sent, to show it later. */
  kept: Record<string, string>;
};

/** The name under which the language is kept. No placeholder has it, because it has a space. */
const languageName = 'message language';

/** The page that a message is about: that of the message, if people can see it, else the first that is open. */
export function pageOfMessage({
  template,
  message,
  analytics,
}: Omit<MessageSubject, 'baseUrl'>): TemplatePage | undefined {
  const published = publishedPages(template);
  return published.find(({ id }) => id === message.template_page_id) ?? pagesFor(published, analytics).shown;
}

/** True if the message shows something of the contact's account. */
export const asksForAccount = ({ message, content_variables }: TemplateMessage): boolean =>
  namesAccount([message.payload, ...message.content_blocks.map(({ data }) => data)], content_variables ?? {});

/** The content of a message as it is on pages before the proof of identity (contract, section 15, "Content"). */
export function messageContent(subject: MessageSubject, account: LinkedAccount | undefined): MessageContent {
  const { team, contact, journey, analytics, baseUrl } = subject;
  const { template, language } = localized(subject.template, team, contact, undefined);
  const message = template.template_messages.find(({ id }) => id === subject.message.id) ?? subject.message;
  const ownUrl = journeyUrl(baseUrl, journey.slug);
  const page = pageOfMessage({ ...subject, template, message });
  const pageUrl = page === undefined ? ownUrl : `${ownUrl}?page=${page.page.id}`;
  const open = publishedPages(template).filter(
    ({ page: { id, completion_condition } }) =>
      completion_condition !== null && !analytics.pages_completed.includes(id),
  );
  const values: Values = {
    ...{ contact, account, isIdentityValidated: false, journeyUrl: ownUrl, pageUrl, openSteps: open.length },
    ...{ teamName: team.name, templateName: template.name ?? undefined },
    variables: message.content_variables ?? {},
  };
  const texts = textsIn([message.message.payload, message.message.content_blocks.map(({ data }) => data)]);
  const kept = {
    ...valuesNamedIn(texts, values),
    ...{ page_url: pageUrl, [languageName]: language ?? '' },
  };
  return { template, message, language, values, pageUrl, kept };
}

/** The content of a message that was sent, from the values that were kept of it. */
export function sentContent(
  given: { template: Template; message: TemplateMessage; team: Team },
  kept: Readonly<Record<string, string>>,
): MessageContent {
  const wish = kept[languageName] || undefined;
  const { template, language } = localized(given.template, given.team, wishing(wish), undefined);
  const message = template.template_messages.find(({ id }) => id === given.message.id) ?? given.message;
  const values = { ...noValues, variables: message.content_variables ?? {}, kept };
  return { template, message, language, values, pageUrl: kept.page_url ?? '', kept: { ...kept } };
}

const wishing = (language: string | undefined): Pick<Contact, 'meta_public'> => ({
  meta_public: language === undefined ? null : { language },
});
