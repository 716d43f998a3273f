import type { Template } from '../../../lib/domain/campaigns/template.ts';
import type { Contact } from '../../../lib/domain/contacts/contact.ts';
import { decide } from '../../../lib/domain/messages/decide.ts';
import type { SendReason } from '../../../lib/domain/messages/record.ts';
import type { Suppression } from '../../../lib/domain/suppression/suppression.ts';
import type { Team } from '../../../lib/domain/teams/team.ts';
import type { JourneyWithActions } from '../../../lib/store/journeys/journeys.ts';
import type { ListedMessage } from '../operations/messages/messages.ts';

type Known = {
  templates: readonly Template[];
  team: Team | undefined;
  journeys: readonly JourneyWithActions[];
  contact: Contact;
  suppression: Suppression;
  /** Milliseconds since the epoch. */
  now: number;
};

/** Why a message that is to come is not sent when it is due, as things are now. Pauses, hours and caps are left out. */
export function obstacleOf(
  message: ListedMessage,
  { templates, journeys, team, now, ...person }: Known,
): SendReason | null {
  const { state, reason, due_at, journey_id, template_id, template_message_id } = message;
  const template = templates.find(({ id }) => id === template_id);
  const planned = template?.template_messages.find(({ id }) => id === template_message_id);
  const journey = journeys.find((each) => each.journey.id === journey_id);
  if (state !== 'scheduled' || reason !== null || !template || !planned || !journey || !team) return null;
  const decision = decide({
    ...{ ...person, template, message: planned, team, journey, now: Math.max(now, Date.parse(due_at)) },
    ...{ sentTimes: { contact: [], address: [] }, isPaused: false, lastPause: null },
    record: { due_at, reason, resent_at: null },
  });
  if (decision.kind === 'never') return decision.reason;
  const isHeld = decision.kind === 'wait' && (decision.reason === 'muted' || decision.reason === 'not_verified');
  return isHeld ? decision.reason : null;
}
