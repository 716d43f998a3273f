import type { Template } from '../../domain/campaigns/template.ts';
import { type KnownMessage, momentsOf } from '../../domain/journeys/due-moments.ts';
import { ended } from '../../domain/journeys/journey.ts';
import { expiresAt } from '../../domain/journeys/journey-page.ts';
import { classOf, isReleased, zoneOf } from '../../domain/messages/decide.ts';
import { type MessageState, noState } from '../../domain/messages/pause.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { dueAt } from '../../domain/waiting-work/due.ts';
import type { Content } from '../../store/campaigns/content.ts';
import { loadContact } from '../../store/contacts/contacts.ts';
import type { JourneyKey, StoredJourney } from '../../store/journeys/journey-items.ts';
import { endingOf, isOpen, loadJourneys, planOf } from '../../store/journeys/journeys.ts';
import { messageLane, sendWork } from '../../store/messages/lane.ts';
import { loadJourneyRecords } from '../../store/messages/records.ts';
import { loadMessageState } from '../../store/messages/state.ts';
import type { Write } from '../../store/table/database.ts';
import { together } from '../../store/table/together.ts';
import type { DueJourney } from '../../store/waiting-work/due-work.ts';
import type { WakeQueue } from '../../store/waiting-work/wake-queue.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';
import { type WakeService, wake } from '../waiting-work/wake.ts';

export type DueService = Service & {
  /** The queue of the lanes of messages; left out if no messages are sent. */
  messageQueue?: WakeQueue | undefined;
  /** Called if the lane of messages could not be woken. */
  onLostWake?: WakeService['onLostWake'];
};

/** Journeys that are written at the same time. */
const parallel = 8;

/** What the journeys of a team are planned by. */
type Plans = Pick<Content, 'templates' | 'team'>;

/**
 * Works journeys of which something is due: moves their messages that are due into the lane of messages, or records that
 * they have expired, if they are still open (contract, section 14). A journey whose plan has changed has another entry. It
 * can be repeated.
 */
export async function workDueJourneys(
  service: DueService,
  teamId: string,
  plans: Plans,
  due: readonly DueJourney[],
): Promise<void> {
  const { database, now } = service;
  const state = await pausesOf(service, teamId);
  const moved = await together(due, parallel, (each) =>
    untilWritten(service, 'too many conflicts on a journey', async () => {
      const [stored] = await loadJourneys(database, teamId, [each]);
      const template = plans.templates.find(({ id }) => id === each.templateId);
      if (!template || stored?.journey.id !== each.journeyId || stored.dueAt !== each.at) return 0;
      const { journey } = stored;
      const isOver = !(await isOpen(database, teamId, journey));
      const expiry = isOver ? undefined : expiresAt(template, journey);
      const isExpiring = expiry !== undefined && expiry <= now();
      const { sends, next } = await momentsFor(service, teamId, plans, template, stored, {
        ...{ isOver: isOver || isExpiring, state },
      });
      if (isExpiring) {
        // The time of its expiry, unless it was decided later that it has expired.
        const at = each.at > timestamp(expiry) ? each.at : timestamp(expiry);
        const after = { ...ended(journey, 'expired', at), updated_at: timestamp(now()) };
        const writes = endingOf(teamId, after, stored, 'expired', { next });
        return (await database.transact([...writes, ...sends])) ? sends.length : lostRace;
      }
      if (sends.length === 0 && next === undefined) return 0;
      // This clock is behind that of the mover, and the entry of this time is used up.
      const later = next === each.at ? timestamp(Date.parse(next) + 1) : next;
      const writes = planOf(teamId, stored, later, { isWorked: true });
      return (await database.transact([...writes, ...sends])) ? sends.length : lostRace;
    }),
  );
  await wakeFor(service, teamId, moved);
}

/** Gives the journeys new entries by what the campaigns are now. What is due of their messages goes into the lane. */
export async function replanJourneys(
  service: DueService,
  teamId: string,
  plans: Plans,
  keys: readonly JourneyKey[],
): Promise<void> {
  const { database } = service;
  const state = await pausesOf(service, teamId);
  const moved = await together(keys, parallel, (key) =>
    untilWritten(service, 'too many conflicts on a journey', async () => {
      const [stored] = await loadJourneys(database, teamId, [key]);
      const template = plans.templates.find(({ id }) => id === key.templateId);
      if (!stored || !template) return 0;
      const isOver = stored.journey.cancelled_at !== null || stored.journey.expired_at !== null;
      const { sends, next } = await momentsFor(service, teamId, plans, template, stored, { isOver, state });
      const planned = isOver && next === undefined ? stored.dueAt : next;
      if (planned === stored.dueAt && sends.length === 0) return 0;
      const writes = planOf(teamId, stored, planned);
      return (await database.transact([...writes, ...sends])) ? sends.length : lostRace;
    }),
  );
  await wakeFor(service, teamId, moved);
}

/** @param moved for each journey, how many of its messages are due */
async function wakeFor({ messageQueue: queue, onLostWake = () => {} }: DueService, teamId: string, moved: number[]) {
  if (queue && moved.some((count) => count > 0)) await wake({ queue, onLostWake }, messageLane(teamId));
}

/** How the messages are paused. Without messages, nothing is read. */
const pausesOf = ({ database, messageQueue }: DueService, teamId: string): Promise<MessageState> =>
  messageQueue ? loadMessageState(database, teamId) : Promise.resolve(noState);

/** What goes into the lane of messages now, and when something of the journey is due next, ISO 8601. */
async function momentsFor(
  { database, now, messageQueue }: DueService,
  teamId: string,
  { team }: Plans,
  template: Template,
  { journey }: StoredJourney,
  { isOver, state }: { isOver: boolean; state: MessageState },
): Promise<{ sends: Write[]; next: string | undefined }> {
  const messages = messageQueue ? template.template_messages : [];
  const contactId = journey.contact_id;
  const isPlanned = messages.some(({ live_since }) => live_since !== undefined);
  const isLocal = messages.some(({ live_since, send_at }) => live_since !== undefined && (send_at ?? null) !== null);
  const [records, contact] = await Promise.all([
    isPlanned ? loadJourneyRecords(database, teamId, { contactId, journeyId: journey.id }) : [],
    isLocal ? loadContact(database, teamId, contactId) : undefined,
  ]);
  const known = records.map(({ record }): KnownMessage => {
    const isPaused = state.paused !== null || template.id in state.templates;
    const tryAt = isReleased(record, template, isPaused) ? 0 : Date.parse(record.try_at ?? record.updated_at);
    return { id: record.template_message_id, tryAt: record.state === 'scheduled' ? tryAt : undefined };
  });
  const timeZone = zoneOf(contact?.contact, team);
  const of = { ...template, template_messages: messages };
  const { due, next } = momentsOf(of, journey, { known, timeZone, isOver, now: now() });
  const classes = new Map(messages.map((message) => [message.id, classOf(message)]));
  return {
    sends: due.map(({ id, at }) =>
      sendWork(teamId, {
        ...{ order: classes.get(id)!, at: timestamp(at), journeyId: journey.id, templateMessageId: id },
      }),
    ),
    next: next === undefined ? undefined : dueAt(next, now()),
  };
}
