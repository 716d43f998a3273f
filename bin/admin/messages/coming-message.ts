import { pauseOf } from '../../../lib/domain/messages/pause.ts';
import { notFound } from '../../../lib/domain/values/problem.ts';
import { loadByUniqueId } from '../../../lib/store/contacts/contacts.ts';
import { loadContactAggregate } from '../../../lib/store/journeys/journeys.ts';
import { loadMessageState } from '../../../lib/store/messages/state.ts';
import { withReaders } from '../campaigns/readers.ts';
import { leavingOf } from '../contacts/leaving.ts';
import { obstacleOf } from '../contacts/obstacle.ts';
import type { Installation } from '../installation.ts';
import { type ListedMessage, messagesOf } from '../operations/messages/messages.ts';

/** `obstacle`: why it is not sent when it is due, as things are now. */
type ComingMessage = ListedMessage & { is_paused: boolean; obstacle: string | null };

/**
 * A message that is still to come. It has no record that its id leads to, so the contact has to be given.
 * @returns `undefined` if the contact has no such message
 * @throws Problem `not_found` if there is no such contact
 */
export async function comingMessage(
  installation: Installation,
  { team: teamId, uniqueId, id }: { team: string; uniqueId: string; id: string },
): Promise<ComingMessage | undefined> {
  const { database, eventEpoch } = installation;
  const service = withReaders(installation);
  const message = (await messagesOf(service, teamId, uniqueId, {})).find((each) => each.id === id);
  if (!message) return undefined;
  const stored = (await loadByUniqueId(database, teamId, [uniqueId])).get(uniqueId)?.stored;
  const aggregate = stored && (await loadContactAggregate(database, teamId, stored.contact.id));
  if (!aggregate) throw notFound();
  const { templates, team } = await service.content.current(teamId);
  const listed = (await leavingOf(installation, teamId, stored, [])).suppression.map((each) => each.for);
  const suppression = { marketing: listed.length > 0, all: listed.includes('all') };
  const { contact, journeys } = aggregate;
  const state = await loadMessageState(database, teamId);
  return {
    ...message,
    is_paused: pauseOf(state, eventEpoch) !== undefined || state.templates[message.template_id] !== undefined,
    obstacle: obstacleOf(message, { templates, team, journeys, contact, suppression, now: installation.now() }),
  };
}

/** Why it waits. */
export function waitingText({ due_at, is_paused, obstacle }: ComingMessage, now: number): string {
  if (obstacle !== null) return `As things are, it is not sent: ${obstacle.replaceAll('_', ' ')}.`;
  if (is_paused) return 'It waits, because messages are paused.';
  return Date.parse(due_at) > now ? 'It waits until it is due.' : 'It is due, and is sent soon if it may be.';
}
