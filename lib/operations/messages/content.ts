import { asksForAccount, type MessageContent, messageContent, pageOfMessage } from '../../domain/messages/content.ts';
import { keyOfJourney } from '../../store/journeys/journey-items.ts';
import { loadShownAggregate } from '../../store/journeys/journeys.ts';
import { type AccountsOf, placeholderAccount, progressOf, shownAccountsOf } from '../journeys/progress.ts';
import type { JourneyService } from '../service.ts';
import type { MessageParts } from './send.ts';

/** What a message shows to a contact. Accounts are read only if its texts or the pages of its journey need them. */
export async function loadMessageContent(
  service: JourneyService,
  { team, template, message, contact, journey: own, content, now }: MessageParts,
): Promise<MessageContent> {
  const { database, baseUrl } = service;
  const teamId = team.team_id;
  let read: ReturnType<typeof loadShownAggregate> | undefined;
  const aggregate = () => {
    read ??= loadShownAggregate(database, teamId, contact.id, keyOfJourney(own.journey));
    return read;
  };
  const accounts: AccountsOf = async () => {
    const found = await aggregate();
    return found ? shownAccountsOf(service, teamId, found, content)() : [];
  };
  const [progress] = await progressOf({ contact, journeys: [own] }, content, accounts, now);
  if (!progress) throw new Error('the campaign of the journey is unknown');
  const { journey, analytics } = progress;
  const subject = { ...{ team, template, message, contact, journey, analytics, baseUrl } };
  const page = pageOfMessage(subject);
  if (!page || !asksForAccount(message)) return messageContent(subject, undefined);
  const links = (await aggregate())?.links ?? [];
  const account = await placeholderAccount(service, team, { journey, page: page.page, links, accounts });
  return messageContent(subject, account);
}
