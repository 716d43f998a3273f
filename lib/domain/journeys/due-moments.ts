import type { MessageTiming } from '../campaigns/message.ts';
import type { Template } from '../campaigns/template.ts';
import { nextClockTime } from '../values/local-time.ts';
import { dueAt } from '../waiting-work/due.ts';
import { endedAt, type Journey } from './journey.ts';
import { expiresAt } from './journey-page.ts';

/**
 * When something of a journey is due: a message, or its expiry. There is one entry of due work for a journey, at the
 * earliest of these times. All times are in milliseconds since the epoch.
 */

type BegunJourney = Pick<Journey, 'inserted_at' | 'reopened_at'>;

/**
 * When the message is due for the journey; `undefined` if it never is (contract, section 15, "Which and when"). A reopened
 * journey begins when it is opened again.
 * @param timeZone that of the contact, else of the team. If it is left out, a message with `send_at` can be due up to a
 * day later.
 */
export function dueMomentOf(message: MessageTiming, journey: BegunJourney, timeZone?: string): number | undefined {
  const { send_offset_hours: hours = null, scheduled_at, send_at = null, live_since } = message;
  if (live_since === undefined) return undefined;
  const begun = Date.parse(journey.reopened_at ?? journey.inserted_at);
  const scheduled = scheduled_at === null ? undefined : Date.parse(scheduled_at);
  const first = hours === null ? scheduled : begun + Math.round(hours * 3_600_000);
  if (first === undefined || (hours === null && begun >= first)) return undefined;
  const since = Date.parse(live_since);
  if (send_at !== null && timeZone === undefined) return first + longestDay >= since ? first : undefined;
  const due = send_at === null || timeZone === undefined ? first : nextClockTime(first, send_at, timeZone);
  // The time had passed before the message went live.
  return due >= since ? due : undefined;
}

/** A day on which the clocks are put back, and an hour. */
const longestDay = 26 * 3_600_000;

/** What decides when something of a journey is due. */
export type PlannedTemplate = Pick<Template, 'journey_duration_hours'> & {
  template_messages: readonly (MessageTiming & { id: string })[];
};

/** What is stored of a message of the journey. `tryAt`: when it is looked at again, if it waits. */
export type KnownMessage = { id: string; tryAt: number | undefined };

/** A message of the journey that is due. */
export type DueMoment = { id: string; at: number };

/**
 * What is due of the messages now, and when something is due next: another message, or the expiry. A message that is known
 * is due again only when it waits.
 */
export function momentsOf(
  template: PlannedTemplate,
  journey: BegunJourney & Pick<Journey, 'cancelled_at' | 'expired_at'>,
  { known, timeZone, isOver, now }: MomentContext,
): { due: DueMoment[]; next: number | undefined } {
  const ofKnown = new Map(known.map((each) => [each.id, each]));
  const moments = template.template_messages.flatMap((message): (DueMoment & { tryAt: number })[] => {
    const stored = ofKnown.get(message.id);
    // One that waits is looked at again, even if it is not due any more.
    const at = dueMomentOf(message, journey, timeZone) ?? stored?.tryAt;
    const tryAt = stored ? stored.tryAt : at;
    return at === undefined || tryAt === undefined ? [] : [{ id: message.id, at, tryAt }];
  });
  const expiry = isOver || endedAt(journey) !== null ? undefined : expiresAt(template, journey);
  const later = [
    ...moments.map(({ tryAt }) => tryAt).filter((at) => at > now),
    ...(expiry === undefined ? [] : [expiry]),
  ];
  return {
    due: moments.filter(({ tryAt }) => tryAt <= now).map(({ id, at }) => ({ id, at })),
    next: later.sort((a, b) => a - b)[0],
  };
}

type MomentContext = {
  known: readonly KnownMessage[];
  /** As in {@link dueMomentOf}. */
  timeZone?: string | undefined;
  /** True if the journey has ended: it does not expire. */
  isOver: boolean;
  now: number;
};

/** When something of a journey of which nothing is known is due first, ISO 8601; `undefined` if nothing ever is. */
export function dueAtOf(template: PlannedTemplate, journey: Journey, now: number): string | undefined {
  const { due, next } = momentsOf(template, journey, { known: [], isOver: false, now });
  const at = due.length > 0 ? now : next;
  return at === undefined ? undefined : dueAt(at, now);
}
