import type { MailLink } from '../../lib/auth/mail-links.ts';
import { errorFields, notFound } from '../../lib/domain/values/problem.ts';
import { contract, pageErrors, pageHeaders } from '../../lib/http/contract.ts';
import { optionalForm } from '../../lib/http/form.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { mailPageReply, textShown } from '../../lib/http/pages/mail-link.ts';
import { errorPage, noticeToBrowser } from '../../lib/http/pages/notices.ts';
import type { Event } from '../../lib/http/request.ts';
import { isFromOwnPage, isVisit } from '../../lib/http/same-site.ts';
import {
  type ConsentAct,
  leaveByContact,
  returnByContact,
  verifyByContact,
} from '../../lib/operations/contacts/leave.ts';
import { linkOf } from '../../lib/operations/messages/mail-link.ts';
import { releaseMessages } from '../../lib/operations/messages/resend.ts';
import { environment, logger, publicEndpoint } from '../../lib/runtime/base.ts';
import { consentService } from '../../lib/runtime/consent.ts';
import { verificationService } from '../../lib/runtime/verifications.ts';

const showMailLink = contract<typeof responses>()({
  id: 'show-mail-link',
  tag: 'Contacts',
  ofOwnPages: true,
  summary: 'Show the page of a link in a message',
  description: 'It has a button that unsubscribes, or verifies the address. The page itself changes nothing.',
});

const useMailLink = contract<typeof responses>()({
  id: 'use-mail-link',
  tag: 'Contacts',
  ofOwnPages: true,
  summary: 'Unsubscribe, subscribe again, or verify an address',
  description:
    'Sent by the buttons of the page, and by mail programs (RFC 8058): a link to unsubscribe takes any body, from ' +
    'anywhere, and does not expire.',
});

const responses = () =>
  ({
    200: { description: 'The page', mediaType: 'text/html', headers: pageHeaders },
    403: { description: 'The form came from another site', mediaType: 'text/html' },
    ...pageErrors,
  }) as const;

export const contracts = () => [
  { ...showMailLink, responses: responses() },
  { ...useMailLink, responses: responses() },
];

/** @throws Problem `not_found` for a token that this service has not made */
async function opened(token = ''): Promise<MailLink> {
  const link = await linkOf(consentService(), token);
  if (!link) throw notFound();
  return link;
}

const show = publicEndpoint(
  showMailLink,
  async ({ params, event }) => mailPageReply(consentService(), await opened(params.token), event),
  errorPage(),
);

const use = publicEndpoint(
  useMailLink,
  async ({ params, event }) => {
    const link = await opened(params.token);
    const { act } = optionalForm(event);
    // A mail program sends no field of this service, and may send what it wants.
    if (link.purpose === 'unsubscribe' && act !== 'resubscribe') return unsubscribe(link, event, act);
    if (!isFromOwnPage(event, environment().ISSUER) || !isVisit(event)) return noticeToBrowser('foreign', event);
    return link.purpose === 'unsubscribe' ? resubscribe(link, event) : verify(link, event, act);
  },
  errorPage(),
);

const actOf = ({ hash, messageId: id }: MailLink, text?: string): ConsentAct => ({
  ...{ source: { kind: 'link', id }, hash, text },
});

async function unsubscribe(link: MailLink, event: Event, act: string | undefined) {
  const service = consentService();
  const text = act === undefined ? undefined : await textShown(service, link, event, 'unsubscribe');
  await leaveByContact(service, link.teamId, link.contactId, actOf(link, text));
  return mailPageReply(service, link, event);
}

async function resubscribe(link: MailLink, event: Event) {
  const service = consentService();
  const text = await textShown(service, link, event, 'unsubscribed');
  const outcome = await returnByContact(service, link.teamId, link.contactId, actOf(link, text));
  return mailPageReply(service, link, event, outcome === 'returned' ? 'resubscribed' : undefined);
}

async function verify(link: MailLink, event: Event, act: string | undefined) {
  const service = consentService();
  if (act !== 'verify') return mailPageReply(service, link, event);
  const text = await textShown(service, link, event, 'verify');
  const outcome = await verifyByContact(service, link.teamId, link.contactId, link.messageId, actOf(link, text));
  if (outcome !== 'verified') return mailPageReply(service, link, event);
  // If it fails, what waits for this is looked at hours later.
  await releaseMessages(verificationService(), link.teamId, link.contactId).catch((error: unknown) =>
    logger().warn('the messages of a contact were not released', { team_id: link.teamId, ...errorFields(error) }),
  );
  return mailPageReply(service, link, event, 'verified');
}

export const handler = byRoute({ 'GET /m/{token}': show, 'POST /m/{token}': use });
