import type { MailLink } from '../../auth/mail-links.ts';
import { notFound } from '../../domain/values/problem.ts';
import type { ConsentService } from '../../operations/contacts/leave.ts';
import { type MailLinkState, senderOf, stateOfLink } from '../../operations/messages/mail-link.ts';
import { type MailPage, renderMailPage, textOfMailPage } from '../../web/mail-link.ts';
import { languageOfBrowser } from '../../web/words/words.ts';
import { pageReply } from '../reply.ts';
import type { Event } from '../request.ts';

const pageOf = ({ purpose }: MailLink, { hasLeft, canReturn, verification }: MailLinkState): MailPage => {
  if (purpose === 'verify') return verification === 'open' ? 'verify' : verification;
  if (!hasLeft) return 'unsubscribe';
  return canReturn ? 'unsubscribed' : 'unsubscribed_only';
};

async function inputOf(service: ConsentService, link: MailLink, { headers }: Event) {
  const sender = await senderOf(service, link);
  if (!sender) throw notFound();
  const { team, template, language } = sender;
  return {
    ...{ team: { name: team.name, words: team.words }, template },
    language: language ?? languageOfBrowser(headers['accept-language']),
  };
}

/** The text of the page whose button was pressed. */
export const textShown = async (service: ConsentService, link: MailLink, event: Event, page: MailPage) =>
  textOfMailPage(page, { ...(await inputOf(service, link, event)), address: null });

/** @param page what has just happened. Left out, the page is that of the present state. */
export async function mailPageReply(service: ConsentService, link: MailLink, event: Event, page?: MailPage) {
  const [input, state] = await Promise.all([inputOf(service, link, event), stateOfLink(service, link)]);
  const shown = page ?? pageOf(link, state);
  const rendered = renderMailPage(shown, { ...input, address: state.address });
  const isGone = shown === 'used' || shown === 'expired' || shown === 'changed';
  return isGone ? pageReply(410, rendered) : pageReply(200, rendered);
}
