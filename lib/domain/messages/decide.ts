import type { TemplateMessage } from '../campaigns/message.ts';
import { hasTiming, isLiveMessage } from '../campaigns/message-plan.ts';
import type { Template } from '../campaigns/template.ts';
import type { Contact } from '../contacts/contact.ts';
import type { JourneyAction } from '../journeys/completion.ts';
import { dueMomentOf } from '../journeys/due-moments.ts';
import type { Journey } from '../journeys/journey.ts';
import { stateAt } from '../journeys/journey-page.ts';
import { normalizedAddress } from '../suppression/address.ts';
import type { Suppression } from '../suppression/suppression.ts';
import { isSenderOf, type Team } from '../teams/team.ts';
import { isClockWithin, nextClockTime } from '../values/local-time.ts';
import { timeZoneFor } from '../values/timestamp.ts';
import type { MessageState } from './pause.ts';
import type { SendReason, SendRecord } from './record.ts';

/**
 * Whether a message is sent now, decided on what is stored when it is sent (contract, section 15, "Which and when", "To
 * whom", "Hours and caps").
 */
export type Decision =
  | { kind: 'send' }
  /** `until`: when it is looked at again, in milliseconds since the epoch. `null`: it is due only then. */
  | { kind: 'wait'; until: number; reason: WaitReason | null }
  | { kind: 'never'; reason: SendReason }
  /** As things are, there is no such message, and nothing is stored of it. */
  | { kind: 'not due' };

/** `not_verified`: the contact is sent a link that verifies its address. */
export type WaitReason = Extract<SendReason, 'quiet_hours' | 'held_back' | 'muted' | 'paused' | 'not_verified'>;

export type DecidedMessage = {
  template: Template;
  message: TemplateMessage;
  team: Team;
  /** With its actions. */
  journey: { journey: Journey; actions: readonly JourneyAction[] };
  contact: Contact;
  /** Of the address on file. */
  suppression: Suppression;
  /** When marketing messages were sent to the contact, and to its address, in the last seven days, ISO 8601. */
  sentTimes: { contact: readonly string[]; address: readonly string[] };
  /** True if the messages of the team or of the template are paused. */
  isPaused: boolean;
  /** The last pause of the team that has ended. While it lasts, messages wait where they are. */
  lastPause: MessageState['last_pause'];
  record: Pick<SendRecord, 'due_at' | 'reason' | 'resent_at'>;
  /** Milliseconds since the epoch. */
  now: number;
};

/** The class of a message: those of a lower class are sent first. Verifications are of class 0. */
export function classOf({
  message,
  send_offset_hours,
}: Pick<TemplateMessage, 'message' | 'send_offset_hours'>): 1 | 2 | 3 {
  if (!isMarketing({ message })) return 1;
  return (send_offset_hours ?? null) === null ? 3 : 2;
}

export const isMarketing = ({ message }: { message: Pick<TemplateMessage['message'], 'is_transactional'> }): boolean =>
  message.is_transactional !== true;

/** The time zone of the hours in which the contact gets messages. */
export const zoneOf = (contact: Pick<Contact, 'timezone'> | undefined, team: Pick<Team, 'timezone'> | undefined) =>
  timeZoneFor(contact?.timezone, team?.timezone) ?? 'UTC';

const hour = 3_600_000;
/** Milliseconds after which a message that is held back, muted or paused is not sent any more. */
export const heldFor = 72 * hour;
/** Milliseconds until a message is looked at again whose wait ends with something that is done, not at a time. */
const lookAgainAfter = 6 * hour;
const week = 7 * 24 * hour;

/** The rules, in their order. The first that says something decides. */
const rules: readonly ((given: DecidedMessage) => Decision | undefined)[] = [
  ifNotDue,
  ifEnded,
  ({ message, team, template }) => (isOff(message, team, template) ? never('channel_off') : undefined),
  ({ contact: { email } }) =>
    email === null || normalizedAddress(email) === undefined ? never('no_address') : undefined,
  ({ suppression }) => (suppression.all ? never('suppressed') : undefined),
  ifNotAskedFor,
  ({ message, team }) =>
    isMarketing(message) && team.postal_address === null ? never('no_postal_address') : undefined,
  (given) => (given.template.is_muted === true ? untilReleased(given, 'muted') : undefined),
  (given) => (given.isPaused ? untilReleased(given, 'paused') : undefined),
  (given) => (isLate(given) && wasDueInPause(given) ? never('paused') : undefined),
  // It waited, and its time is over.
  (given) => (isLate(given) && given.record.reason !== null ? never(lateReason(given.record.reason)) : undefined),
  ifQuiet,
  ifTooMany,
];

export function decide(given: DecidedMessage): Decision {
  for (const rule of rules) {
    const decision = rule(given);
    if (decision) return decision;
  }
  return { kind: 'send' };
}

const never = (reason: SendReason): Decision => ({ kind: 'never', reason });

const dueOf = ({ record }: Pick<DecidedMessage, 'record'>): number => Date.parse(record.resent_at ?? record.due_at);
const lastTimeOf = (given: DecidedMessage): number => dueOf(given) + heldFor;
const isLate = (given: DecidedMessage): boolean => given.now >= lastTimeOf(given);

const wasDueInPause = ({ record: { due_at }, lastPause }: DecidedMessage): boolean =>
  lastPause !== null && due_at >= lastPause.from && due_at < lastPause.until;

/** Quiet hours are no reason for a message that is not sent: they held it back. */
const lateReason = (reason: SendReason): SendReason => (reason === 'quiet_hours' ? 'held_back' : reason);

function ifNotDue(given: DecidedMessage): Decision | undefined {
  const { template, message, journey, contact, team, record, now } = given;
  const at = dueMomentOf(message, journey.journey, zoneOf(contact, team));
  if (record.resent_at === null && at !== undefined && at > now) return { kind: 'wait', until: at, reason: null };
  const isDue = record.resent_at === null ? at !== undefined : hasTiming(message);
  if (isDue && isLiveMessage(template, message)) return undefined;
  // One that waits, and is not due any more, is not sent for the reason for which it waits.
  return record.reason === null ? { kind: 'not due' } : never(lateReason(record.reason));
}

function ifEnded({ template, message, journey: { journey, actions }, contact, now }: DecidedMessage) {
  const state = stateAt(template, journey, actions, now);
  if (state !== 'open') return never(state);
  const page = template.template_pages.find(({ id }) => id === message.template_page_id)?.page;
  const { objective_id: objective } = message.message;
  const has = (id: string | null): boolean => id !== null && Object.hasOwn(contact.completions, id);
  const isCompleted =
    page &&
    (actions.some(({ kind, page_id }) => kind === 'completed' && page_id === page.id) ||
      (page.completion_condition === 'objective' && has(page.objective_id)));
  if (isCompleted) return never('page_completed');
  return has(objective) ? never('objective_completed') : undefined;
}

/** Messages of the team or of this kind are not sent. */
function isOff({ message }: TemplateMessage, team: Team, { email_sender_address: sender }: Template): boolean {
  return message.type === 'sms' || team.senders.length === 0 || (sender !== null && !isSenderOf(team, sender));
}

/** Marketing goes only to an address that is verified and opted in (specification, "Contact", rule 5). */
function ifNotAskedFor(given: DecidedMessage): Decision | undefined {
  const { message, team, contact, suppression } = given;
  if (!isMarketing(message)) return undefined;
  if (contact.email_verified !== true) {
    const mayVerify = team.verify_email && contact.email_opted_in === true && !suppression.marketing;
    return mayVerify ? untilReleased(given, 'not_verified') : never('not_verified');
  }
  if (contact.email_opted_in !== true) return never('not_opted_in');
  return suppression.marketing ? never('suppressed') : undefined;
}

/** True if what the message waits for has been done: its campaign is no longer muted, or its messages no longer paused. */
export const isReleased = (
  { reason }: Pick<SendRecord, 'reason'>,
  template: Pick<Template, 'is_muted'>,
  isPaused: boolean,
): boolean => (reason === 'muted' && template.is_muted !== true) || (reason === 'paused' && !isPaused);

const untilReleased = (given: DecidedMessage, reason: WaitReason): Decision =>
  isLate(given) ? never(reason) : until(given, given.now + lookAgainAfter, reason);

const until = (given: DecidedMessage, time: number, reason: WaitReason): Decision => ({
  ...{ kind: 'wait', until: Math.min(time, lastTimeOf(given)), reason },
});

function ifQuiet(given: DecidedMessage): Decision | undefined {
  const end = endOfQuiet(given, given.now);
  return end === given.now ? undefined : heldBack(given, end, 'quiet_hours');
}

const heldBack = (given: DecidedMessage, time: number, reason: WaitReason): Decision =>
  isLate(given) ? never('held_back') : until(given, time, reason);

/** The time from which on marketing may be sent: the given one, unless it is in the quiet hours. */
function endOfQuiet({ message, contact, team }: DecidedMessage, time: number): number {
  const { quiet_hours: quiet } = team;
  const zone = zoneOf(contact, team);
  if (!isMarketing(message) || quiet === null || !isClockWithin(time, quiet, zone)) return time;
  const end = nextClockTime(time, quiet.to, zone);
  // The clocks skip the end of the quiet hours, and show a time within the next ones.
  return isClockWithin(end, quiet, zone) ? nextClockTime(end + hour, quiet.to, zone) : end;
}

function ifTooMany(given: DecidedMessage): Decision | undefined {
  const { message, team, sentTimes, now } = given;
  if (!isMarketing(message)) return undefined;
  const freeOf = (times: readonly string[]) => freeAt(times, team.max_messages_a_week, now);
  const free = Math.max(freeOf(sentTimes.contact), freeOf(sentTimes.address));
  return free <= now ? undefined : heldBack(given, endOfQuiet(given, free), 'held_back');
}

/** When another message may be sent, so that there are never more than so many in any seven days. */
function freeAt(sentTimes: readonly string[], most: number, now: number): number {
  const recent = sentTimes.map((time) => Date.parse(time)).filter((time) => time > now - week);
  const last = recent.sort((a, b) => b - a)[most - 1];
  return last === undefined ? now : last + week;
}
