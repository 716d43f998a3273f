import type { TemplateMessage } from '../../domain/campaigns/message.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import { type Verification, verificationLifetime } from '../../domain/contacts/consent.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import { decide } from '../../domain/messages/decide.ts';
import { type MessageState, pauseOf } from '../../domain/messages/pause.ts';
import {
  claimed,
  failedHere,
  isWaiting,
  newRecord,
  postponed,
  refused,
  type SendReason,
  type SendRecord,
} from '../../domain/messages/record.ts';
import { suppressionOf } from '../../domain/suppression/suppression.ts';
import type { Team } from '../../domain/teams/team.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { dueAt } from '../../domain/waiting-work/due.ts';
import type { OutgoingMail, Sender } from '../../email/sender.ts';
import type { Content } from '../../store/campaigns/content.ts';
import { contactVersionCheck, loadContact, type StoredContact } from '../../store/contacts/contacts.ts';
import { existsCheck, type JourneyWithActions, openCheck, planOf } from '../../store/journeys/journeys.ts';
import { endOfWork, nextMessages, type WaitingMessage } from '../../store/messages/lane.ts';
import { loadRecord, type RecordPlace, recordWrites } from '../../store/messages/records.ts';
import { loadMessageState } from '../../store/messages/state.ts';
import { timesIn, weekWrites } from '../../store/messages/weeks.ts';
import { suppressionCheck } from '../../store/suppression/suppression.ts';
import { StoreUnavailable, type Write } from '../../store/table/database.ts';
import { isRefusal } from '../../store/table/errors.ts';
import { derivedMessageId } from '../../store/table/ids.ts';
import type { JourneyService, MessagesAccess, Settings, SuppressionService } from '../service.ts';
import { isSecretOfList } from '../suppression/suppress.ts';
import type { TurnEnd } from '../waiting-work/turn.ts';
import { addCounts, type BrakeService } from './brake.ts';
import { handOver } from './hand-over.ts';
import { type Address, type DueMessage, loadAddress, loadDueMessage, messageIn } from './load.ts';

/** A message, without whom it goes to. `values`: what was filled in, kept to show later what was sent. */
export type Rendered = Omit<OutgoingMail, 'to' | 'tags'> & { values: Record<string, string> };
/** `fault`: why it cannot be sent; `null` if there is no word for it. */
export type Rendering = { mail: Rendered } | { fault: SendReason | null };

/** What a message is made from. */
export type MessageParts = {
  team: Team;
  template: Template;
  message: TemplateMessage;
  contact: Contact;
  journey: JourneyWithActions;
  content: Content;
  /** For links: the keyed hash of the address, and the id of the message. */
  hash: string;
  messageId: string;
  now: number;
};
export type VerificationParts = { team: Team; contact: Contact; verification: Verification; now: number };

export type SendService = JourneyService &
  SuppressionService &
  BrakeService &
  Pick<Settings, 'eventEpoch'> & {
    messages: MessagesAccess;
    /** The sender for this team. */
    senderFor(teamId: string): Sender;
    render(parts: MessageParts): Promise<Rendering>;
    renderVerification(parts: VerificationParts): Promise<Rendering>;
    /** Asks for a link that verifies the address, if none was sent by itself for a while. */
    askToVerify?(teamId: string, contact: StoredContact): Promise<void>;
    /** Called if nothing is sent, because the list of addresses was made with another secret. */
    onListMismatch(): void;
    /** Called with the error if the code fails on a message, which is then set aside as failed. */
    onMessageFailure(error: unknown, messageId: string): void;
  };

/** Messages that are worked at the same time. */
const parallel = 10;
/** Seconds until a lane is worked again after the provider could not take a message, or other writers were first. */
const secondsAfterFault = 10;

/** `sent`: it was handed to the provider, or may have been. `later`: the provider takes nothing now. */
type Step = 'sent' | 'done' | 'lost race' | 'later';

/**
 * Sends what waits in the lane of the team, in its order and at its rate. Before each message it looks whether the
 * messages are paused, and what else has come, so that a verification goes out at once.
 */
export async function sendMessages(service: SendService, teamId: string, hasTime: () => boolean): Promise<TurnEnd> {
  const { database, now, eventEpoch } = service;
  const budget = new Budget(now());
  let lost = 0;
  let isChecked = false;
  for (;;) {
    const readAt = now();
    const [state, content, head] = await Promise.all([
      loadMessageState(database, teamId),
      service.content.current(teamId),
      nextMessages(database, teamId, parallel),
    ]);
    const { team } = content;
    if (head.length === 0 || !team || pauseOf(state, eventEpoch) !== undefined) return 'empty';
    if (!isChecked && !(await isSecretOfList(service, teamId))) {
      service.onListMismatch();
      return 'empty';
    }
    isChecked = true;
    if (!hasTime()) return 'out of time';
    const most = budget.take(now(), team.messages_a_second, head.length);
    if (most === 0) {
      await service.wait(budget.untilNext(now(), team.messages_a_second));
      continue;
    }
    const turn: Turn = { ...service, teamId, team, content, state, readAt };
    const steps = await Promise.all(ofDifferentJourneys(head.slice(0, most)).map((work) => workSafely(turn, work)));
    const sent = steps.filter((step) => step === 'sent').length;
    budget.giveBack(most - sent);
    if (sent > 0) await addCounts(service, teamId, { sent });
    if (steps.includes('later')) return { again: secondsAfterFault };
    lost = steps.every((step) => step === 'lost race') ? lost + 1 : 0;
    if (lost === mostLost) return { again: secondsAfterFault };
    if (lost > 0) await service.wait(lost * 100);
  }
}

/** Rounds that other writers may win in a row. */
const mostLost = 5;

/** What one round has read of the team. */
type Turn = Omit<SendService, 'content'> & {
  teamId: string;
  team: Team;
  content: Content;
  state: MessageState;
  /** When this was read, in milliseconds since the epoch. */
  readAt: number;
};

/** Two messages of a journey would meet in the records of its contact. */
function ofDifferentJourneys(works: readonly WaitingMessage[]): WaitingMessage[] {
  const nameOf = (work: WaitingMessage) => ('journeyId' in work ? work.journeyId : work.contactId);
  return [...Map.groupBy(works, nameOf).values()].map(([first]) => first!);
}

/** How many messages may be sent now: at most those of one second at once. */
class Budget {
  #left = 1;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  take(now: number, rate: number, wanted: number): number {
    this.#left = Math.min(this.#left + ((now - this.#at) / 1000) * rate, Math.max(1, rate));
    this.#at = now;
    const taken = Math.min(Math.floor(this.#left), wanted);
    this.#left -= taken;
    return taken;
  }

  giveBack(count: number): void {
    this.#left += count;
  }

  /** Milliseconds until the next one may be sent. At most a second, so that a pause is seen. */
  untilNext(_now: number, rate: number): number {
    return Math.min(1000, Math.ceil(((1 - this.#left) / rate) * 1000));
  }
}

const isOutage = (error: unknown): boolean => error instanceof StoreUnavailable || isRefusal(error);

/** A message on which the code fails is set aside alone, so that it holds up no other. */
async function workSafely(turn: Turn, work: WaitingMessage): Promise<Step> {
  try {
    return await ('journeyId' in work ? workMessage(turn, work) : workVerification(turn, work));
  } catch (error) {
    if (isOutage(error)) throw error;
    const id = 'journeyId' in work ? idOf(turn.teamId, work) : work.messageId;
    turn.onMessageFailure(error, id);
    return setAside(turn, work, id);
  }
}

type JourneyWork = Extract<WaitingMessage, { journeyId: string }>;
type VerificationWork = Extract<WaitingMessage, { messageId: string }>;

const idOf = (teamId: string, { journeyId, templateMessageId }: JourneyWork) =>
  derivedMessageId(teamId, journeyId, templateMessageId);

/** Nothing is left to do for it. */
async function end({ database }: Turn, work: WaitingMessage): Promise<Step> {
  await database.transact([endOfWork(work)]);
  return 'done';
}

const written = async ({ database }: Turn, writes: readonly Write[]): Promise<Step> =>
  (await database.transact(writes)) ? 'done' : 'lost race';

async function workMessage(turn: Turn, work: JourneyWork): Promise<Step> {
  const { teamId, content, team, state } = turn;
  const due = await loadDueMessage(turn, teamId, work);
  if (!due || !isWaiting(due.record?.record)) return end(turn, work);
  const { journey } = due.stored;
  const found = messageIn(content.templates, journey.template_id, work.templateMessageId);
  if (!found) return end(turn, work);
  const { template, message } = found;
  const now = turn.now();
  const channel = message.message.type === 'sms' ? 'sms' : 'email';
  const record = due.record?.record ?? {
    ...newRecord({
      ...{ id: idOf(teamId, work), journey_id: journey.id, template_id: template.id },
      ...{ template_message_id: message.id, channel, due_at: work.at },
    }),
  };
  if (state.restored_until !== null && record.due_at < state.restored_until && record.resent_at === null) {
    return refuse(turn, work, due, refused(record, timestamp(now), 'restored'));
  }
  const { contact } = due.contact;
  const decision = decide({
    ...{ message, template, team, contact, record, now },
    isPaused: template.id in state.templates,
    lastPause: state.last_pause,
    journey: due.stored,
    suppression: suppressionOf(due.address?.entry),
    sentTimes: {
      contact: timesIn(due.contactWeek, record.id),
      address: due.address ? timesIn(due.address.week, record.id) : [],
    },
  });
  if (decision.kind === 'never') return refuse(turn, work, due, refused(record, timestamp(now), decision.reason));
  if (decision.kind === 'not due') return end(turn, work);
  if (decision.kind === 'wait' && decision.reason === 'not_verified' && due.address) {
    await turn.askToVerify?.(teamId, due.contact);
  }
  if (decision.kind === 'wait') return postpone(turn, work, due, record, decision);
  const { address } = due;
  if (!address) return refuse(turn, work, due, refused(record, timestamp(now), 'no_address'));
  const rendering = await turn.render({
    ...{ team, template, message, contact, content, now },
    ...{ journey: due.stored, hash: address.hash, messageId: record.id },
  });
  if ('fault' in rendering) {
    const { fault } = rendering;
    const at = timestamp(now);
    return refuse(turn, work, due, fault === null ? failedHere(record, at) : refused(record, at, fault));
  }
  const isMarketing = message.message.is_transactional !== true;
  return send(turn, work, {
    ...{ place: due.place, contact: due.contact, address, version: due.record?.version ?? 0 },
    ...{ record, mail: rendering.mail, revision: content.revision },
    conditions: [
      openCheck(teamId, journey.id),
      ...(isMarketing ? weeksOf(teamId, due, address, record.id, timestamp(now)) : []),
    ],
  });
}

const weeksOf = (
  teamId: string,
  { contact, contactWeek }: DueMessage,
  { hash, week }: Address,
  id: string,
  at: string,
) =>
  weekWrites(
    teamId,
    { id, at },
    { id: contact.contact.id, since: contact.contact.inserted_at, week: contactWeek },
    { hash, week },
  );

/** The message is never sent. A first record is not left of a journey that is erased meanwhile. */
const refuse = (turn: Turn, work: JourneyWork, due: DueMessage, record: SendRecord) =>
  written(turn, [
    ...recordWrites(turn.teamId, due.place, record, due.record?.version ?? 0),
    ...(due.record ? [] : [existsCheck(turn.teamId, due.stored.journey)]),
    endOfWork(work),
  ]);

/** The message waits with its journey: it is due again at a time. */
async function postpone(
  turn: Turn,
  work: JourneyWork,
  { place, stored, record: before }: DueMessage,
  record: SendRecord,
  { until, reason }: { until: number; reason: SendReason | null },
): Promise<Step> {
  const { teamId, now } = turn;
  const at = dueAt(until, now()) ?? timestamp(until);
  const next = stored.dueAt === undefined || stored.dueAt > at ? at : stored.dueAt;
  return written(turn, [
    ...recordWrites(teamId, place, postponed(record, timestamp(now()), at, reason), before?.version ?? 0),
    endOfWork(work),
    // Who decides at the same time when the journey is due next sees this record, or fails.
    ...planOf(teamId, stored, next),
  ]);
}

async function workVerification(turn: Turn, work: VerificationWork): Promise<Step> {
  const { database, teamId, team, now, content } = turn;
  const { contactId, messageId, at } = work;
  const place = { contactId, messageId };
  const [contact, stored] = await Promise.all([
    loadContact(database, teamId, contactId),
    loadRecord(database, teamId, place),
  ]);
  const verification = contact?.verifications.find(({ id }) => id === messageId);
  if (!contact || !verification || verification.used_at !== undefined || !isWaiting(stored?.record)) {
    return end(turn, work);
  }
  const address = await loadAddress(turn, teamId, contact.contact.email);
  const isOld = Date.parse(verification.at) + verificationLifetime <= now();
  // The address has changed, or nothing may be sent to it any more.
  if (isOld || address?.hash !== verification.hash || address.entry?.all) return end(turn, work);
  const rendering = await turn.renderVerification({ team, contact: contact.contact, verification, now: now() });
  if ('fault' in rendering) return end(turn, work);
  const none = { journey_id: '', template_id: '', template_message_id: '' };
  return send(turn, work, {
    ...{ place, contact, address, version: stored?.version ?? 0 },
    record: stored?.record ?? newRecord({ ...none, id: messageId, channel: 'email', due_at: at }),
    ...{ mail: rendering.mail, revision: content.revision },
    conditions: [],
  });
}

/** Claims the message and hands it over. */
async function send(
  turn: Turn,
  work: WaitingMessage,
  {
    place,
    contact,
    address,
    version,
    record,
    mail: { values, ...mail },
    revision,
    conditions,
  }: {
    place: RecordPlace;
    contact: StoredContact;
    address: Address;
    version: number;
    record: SendRecord;
    mail: Rendered;
    revision: string | null;
    conditions: readonly Write[];
  },
): Promise<Step> {
  const { teamId, database, now } = turn;
  const claim = claimed(record, timestamp(now()), { address_hash: address.hash, revision, values });
  const since = { contact_since: contact.contact.inserted_at };
  const isClaimed = await database.transact([
    ...recordWrites(teamId, place, claim, version, since),
    endOfWork(work),
    // It fails if the person leaves, comes back, is erased or gets another address meanwhile.
    contactVersionCheck(teamId, contact),
    suppressionCheck(teamId, address.hash, address.entry),
    ...conditions,
  ]);
  if (!isClaimed) return 'lost race';
  const tags = { message: claim.id, address: address.hash, team: teamId };
  const outgoing: OutgoingMail = { ...mail, to: address.email, tags };
  const { readAt } = turn;
  const given = { teamId, place, work, claim, version: version + 1, readAt, mail: outgoing };
  return handOver(turn, turn.senderFor(teamId), given);
}

/** The code fails on it: it is noted as failed, without a condition on anything but itself. */
async function setAside(turn: Turn, work: WaitingMessage, id: string): Promise<Step> {
  if (!('journeyId' in work)) return end(turn, work);
  const { teamId, now } = turn;
  const due = await loadDueMessage(turn, teamId, work).catch((error: unknown) => {
    if (isOutage(error)) throw error;
    return undefined;
  });
  if (!due || !isWaiting(due.record?.record)) return end(turn, work);
  const { template_id, id: journey_id } = due.stored.journey;
  const of = { id, journey_id, template_id, template_message_id: work.templateMessageId };
  const record = due.record?.record ?? newRecord({ ...of, channel: 'email', due_at: work.at });
  return refuse(turn, work, due, failedHere(record, timestamp(now())));
}
