import * as z from 'zod';

/** The states of a message as they are stored. `claimed`: one worker may hand it to the provider. */
export const sendStates = [
  'scheduled',
  'claimed',
  'not_sent',
  'failed',
  'sent',
  'delivered',
  'bounced',
  'complained',
] as const;

/** Why a message waits, or was not sent (contract, section 15). */
export const sendReasons = [
  ...(['not_verified', 'not_opted_in', 'suppressed', 'completed', 'cancelled', 'expired', 'page_completed'] as const),
  ...([
    'objective_completed',
    'quiet_hours',
    'held_back',
    'muted',
    'paused',
    'no_address',
    'no_postal_address',
  ] as const),
  ...(['too_large', 'restored', 'channel_off'] as const),
] as const;
export type SendReason = (typeof sendReasons)[number];

/** What became of a message: of one journey and one template message. */
export const sendRecord = z.object({
  /** The id of the message. */
  id: z.string(),
  journey_id: z.string(),
  template_id: z.string(),
  template_message_id: z.string(),
  channel: z.enum(['email', 'sms']),
  state: z.enum(sendStates),
  reason: z.enum(sendReasons).nullable(),
  due_at: z.string(),
  /** Of one that waits: when it is looked at again. */
  try_at: z.string().nullable(),
  claimed_at: z.string().nullable(),
  sent_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  /** How often it was claimed. */
  attempt: z.int(),
  provider_id: z.string().nullable(),
  /** The keyed hash of the address that it was sent to. */
  address_hash: z.string().nullable(),
  /** The revision of the content, and the values, from which it was made. */
  revision: z.string().nullable(),
  values: z.record(z.string(), z.string()).nullable(),
  /** Somebody has asked to send it again, though it may have been sent. */
  resent_at: z.string().nullable(),
  /** When the person left by the link in this message. */
  unsubscribed_at: z.string().nullable().default(null),
  updated_at: z.string(),
});
export type SendRecord = z.output<typeof sendRecord>;

export const newRecord = (
  of: Pick<SendRecord, 'id' | 'journey_id' | 'template_id' | 'template_message_id' | 'channel' | 'due_at'>,
): SendRecord => ({
  ...{ ...of, state: 'scheduled', reason: null, try_at: null, claimed_at: null, sent_at: null, delivered_at: null },
  ...{ attempt: 0, provider_id: null, address_hash: null, revision: null, values: null, resent_at: null },
  unsubscribed_at: null,
  updated_at: of.due_at,
});

/** True if the message can be looked at, and so be sent. */
export const isWaiting = (record: Pick<SendRecord, 'state'> | undefined): boolean =>
  record === undefined || record.state === 'scheduled';

/** The claim of one worker, which then may hand the message to the provider once. */
export const claimed = (
  record: SendRecord,
  now: string,
  made: Pick<SendRecord, 'address_hash' | 'revision' | 'values'>,
): SendRecord => ({
  ...record,
  ...{ ...made, state: 'claimed', reason: null, try_at: null },
  ...{ claimed_at: now, attempt: record.attempt + 1, updated_at: now },
});

/** The message waits until a time, with the reason. */
export const postponed = (record: SendRecord, now: string, until: string, reason: SendReason | null): SendRecord => ({
  ...record,
  ...{ state: 'scheduled', reason, try_at: until, claimed_at: null, updated_at: now },
});

/** The message is never sent. */
export const refused = (record: SendRecord, now: string, reason: SendReason): SendRecord => ({
  ...record,
  ...{ state: 'not_sent', reason, try_at: null, updated_at: now },
});

/** The service cannot make the message. */
export const failedHere = (record: SendRecord, now: string): SendRecord => ({
  ...record,
  ...{ state: 'failed', reason: null, try_at: null, updated_at: now },
});

/** Later states are further on. A state never goes back, in whatever order reports arrive (contract, section 15). */
const rank = { scheduled: 0, claimed: 1, not_sent: 2, failed: 2, sent: 3, delivered: 4, bounced: 5, complained: 6 };

/** What the provider answered, or reported later. */
export type Outcome = {
  state: 'sent' | 'failed' | 'delivered' | 'bounced' | 'complained';
  at: string;
  providerId?: string;
};

/**
 * The record after what the provider said. The times that it says are kept, even if the state is further on already.
 * @returns the same record if nothing is new
 */
export function withOutcome(record: SendRecord, { state, at, providerId }: Outcome, now: string): SendRecord {
  const isFurther = rank[state] > rank[record.state];
  const isHandedOver = state !== 'failed';
  const next: SendRecord = {
    ...record,
    ...(isFurther ? { state, reason: null, try_at: null } : {}),
    sent_at: record.sent_at ?? (isHandedOver ? (state === 'sent' ? at : (record.claimed_at ?? at)) : null),
    // Who complains has got the message.
    delivered_at: record.delivered_at ?? (state === 'delivered' || state === 'complained' ? at : null),
    provider_id: record.provider_id ?? providerId ?? null,
  };
  const fields = ['state', 'sent_at', 'delivered_at', 'provider_id'] as const;
  return fields.every((field) => next[field] === record[field]) ? record : { ...next, updated_at: now };
}

/** Milliseconds after which a message that was claimed, and of which nothing was heard, is `unconfirmed`. */
export const unconfirmedAfter = 15 * 60_000;

export const shownStates = [
  ...(['scheduled', 'sent', 'delivered', 'bounced', 'complained', 'failed', 'unconfirmed', 'not_sent'] as const),
] as const;
export type ShownState = (typeof shownStates)[number];

/** The state that others see. */
export function shownState({ state, claimed_at }: Pick<SendRecord, 'state' | 'claimed_at'>, now: number): ShownState {
  if (state !== 'claimed') return state;
  return claimed_at !== null && Date.parse(claimed_at) <= now - unconfirmedAfter ? 'unconfirmed' : 'scheduled';
}

/** A message that may be sent again if somebody asks for it. */
export const isResendable = (record: SendRecord, now: number): boolean =>
  ['unconfirmed', 'failed'].includes(shownState(record, now));

/** The message is due again, because somebody has asked for it. */
export const resent = (record: SendRecord, now: string): SendRecord => ({
  ...record,
  ...{ state: 'scheduled', reason: null, try_at: null, claimed_at: null, resent_at: now, updated_at: now },
});

/** As `GET /v1/journeys/:journey_id/messages` shows a message. */
export const shownMessage = z
  .object({
    id: z.uuid().describe('Message id'),
    template_message_id: z.uuid().describe('The template message'),
    channel: z.enum(['email', 'sms']).describe('Channel'),
    state: z.enum(shownStates).describe('What became of it. A state never goes back'),
    reason: z.enum(sendReasons).nullable().describe('Why it waits, or was not sent'),
    due_at: z.iso.datetime().describe('When it was due'),
    sent_at: z.iso.datetime().nullable().describe('When it was handed to the provider'),
    delivered_at: z.iso.datetime().nullable().describe('When the provider delivered it'),
  })
  .meta({ id: 'SentMessage', description: 'A message of a journey, and what became of it' });
export type ShownMessage = z.output<typeof shownMessage>;

export function shownMessageOf(record: SendRecord, now: number): ShownMessage {
  const { id, template_message_id, channel, reason, due_at, sent_at, delivered_at } = record;
  return { id, template_message_id, channel, state: shownState(record, now), reason, due_at, sent_at, delivered_at };
}
