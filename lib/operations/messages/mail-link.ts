import { type MailLink, openMailLink } from '../../auth/mail-links.ts';
import { isArchived } from '../../domain/campaigns/shown-template.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import { stateOfVerification, type VerificationState } from '../../domain/contacts/consent.ts';
import { halfHidden } from '../../domain/suppression/address.ts';
import { languageFor, type Team } from '../../domain/teams/team.ts';
import { loadContact } from '../../store/contacts/contacts.ts';
import { loadSuppressions } from '../../store/suppression/suppression.ts';
import { loadTeam } from '../../store/teams/teams.ts';
import type { ConsentService } from '../contacts/leave.ts';
import { hashOf } from '../suppression/suppress.ts';

/** Whose page a link opens, and in which language. */
export type MailLinkSender = { team: Team; template: Template | undefined; language: string | null };

export type MailLinkState = {
  /** The address, half hidden, if the contact still has the one that the message was sent to. */
  address: string | null;
  /** Of an unsubscription: whether the person has left, and whether this link can take it back. */
  hasLeft: boolean;
  canReturn: boolean;
  verification: VerificationState;
};

/** The link with this token; `undefined` if this service has not made it. */
export const linkOf = async ({ messages }: Pick<ConsentService, 'messages'>, token: string) =>
  openMailLink(await messages.secret(), token);

/** The team of the link, and the look of its pages: that of the campaign, else of one that the team has. */
export async function senderOf(
  { database, content }: ConsentService,
  { teamId, templateId, language }: MailLink,
): Promise<MailLinkSender | undefined> {
  const [team, { templates }] = await Promise.all([loadTeam(database, teamId), content.current(teamId)]);
  if (!team) return undefined;
  const own = templates.find(({ id }) => id === templateId);
  const template = own ?? templates.find((each) => !isArchived(each));
  return { team, template, language: language === '' ? languageFor(own, team) : language };
}

/** What the page of the link shows. It changes nothing. */
export async function stateOfLink(
  service: ConsentService,
  { teamId, contactId, hash, messageId }: MailLink,
): Promise<MailLinkState> {
  const { database, now } = service;
  const stored = await loadContact(database, teamId, contactId);
  const email = stored?.contact.email ?? null;
  const onFile = await hashOf(service, teamId, email);
  const hashes = [hash, ...(onFile === undefined || onFile === hash ? [] : [onFile])];
  const [entry, other] = await loadSuppressions(database, teamId, hashes);
  const sent = stored?.verifications.find(({ id }) => id === messageId);
  return {
    address: email !== null && onFile === hash ? halfHidden(email) : null,
    hasLeft: stored?.leftAt !== undefined || entry !== undefined,
    canReturn: stored !== undefined && !entry?.all && other === undefined,
    verification: stateOfVerification(sent, onFile, now()),
  };
}
