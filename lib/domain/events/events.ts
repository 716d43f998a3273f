import type { ContactState } from '../contacts/contact.ts';
import type { BatchStatus } from '../imports/batch-responses.ts';
import type { ActionKind } from '../journeys/completion.ts';
import type { ActionState, JourneyState, ResponseState } from '../journeys/journey.ts';
import type { SendRecord } from '../messages/record.ts';
import type { EventType, ServiceEvent } from './event.ts';

export type FileState = {
  status: 'completed' | 'failed' | 'refused' | 'repeated';
  rows: NonNullable<ServiceEvent['rows']>;
  finished_at: string;
};

/** A contact was noted as targeted, instead of starting a journey. */
export type NoteState = { at: string };

/** What decides whether a change of the record of a message is an event. */
export type SendChange = Pick<
  SendRecord,
  'id' | 'journey_id' | 'template_id' | 'state' | 'channel' | 'sent_at' | 'updated_at' | 'attempt'
>;

type Both<State> = { before: State | undefined; after: State | undefined };
/** `accountId` if the journey is about an account. */
type Journey = { contactId: string; templateId: string; accountId?: string | undefined };

/** A change of a stored item that can be an event. */
export type Change =
  | ({ kind: 'contact'; contactId: string; isErased: boolean } & Both<ContactState>)
  | ({ kind: 'journey' } & Journey & Both<JourneyState>)
  | ({ kind: 'action' } & Journey & Both<ActionState>)
  | ({ kind: 'response'; contactId: string } & Both<ResponseState>)
  | ({ kind: 'note' } & Journey & Both<NoteState>)
  | ({ kind: 'send'; contactId: string } & Both<SendChange>)
  | ({ kind: 'file'; fileId: string } & Both<FileState>);

/** An event without its team, and what its id is derived from. It is the same whenever the change is read again. */
export type NewEvent = Omit<ServiceEvent, 'id' | 'team_id'> & { fact: readonly unknown[] };

type Rules = {
  [Kind in Change['kind']]: (change: Extract<Change, { kind: Kind }>, at: string) => NewEvent | undefined;
};

/**
 * Everything that can happen (contract, section 12), by the item that changes. Only the end of a batch depends on several
 * items: see {@link batchEnd}. A fact identifies its event, so it contains what differs after an erasure.
 */
const rules: Rules = {
  contact({ contactId: contact_id, before, after, isErased }, at) {
    const event = (type: EventType, time: string, { inserted_at, version }: ContactState) => ({
      ...{ type, at: time, contact_id },
      fact: [type, contact_id, inserted_at, version],
    });
    if (!after) return before && isErased ? event('contact.erased', at, before) : undefined;
    if (!before) return event('contact.created', after.inserted_at, after);
    const isSame = before.data === after.data && before.unique_id === after.unique_id;
    return isSame ? undefined : event('contact.updated', after.updated_at, after);
  },

  journey({ contactId: contact_id, templateId: template_id, accountId, before, after }) {
    if (!after) return undefined;
    const event = (type: EventType, at: string, ...more: string[]) => ({
      ...{ type, at, contact_id, ...aboutAccount(after.account_id ?? accountId), journey_id: after.id, template_id },
      fact: [type, after.id, ...more],
    });
    if (!before) return event('journey.created', after.inserted_at);
    // A journey can be cancelled and reopened several times.
    for (const [field, type] of changesOfJourney) {
      const at = after[field];
      if (at && at !== before[field]) return type === 'journey.verified' ? event(type, at) : event(type, at, at);
    }
    return undefined;
  },

  note({ contactId: contact_id, templateId: template_id, accountId, before, after }) {
    if (before || !after) return undefined;
    const type = 'contact.targeted';
    const ids = { contact_id, ...aboutAccount(accountId), template_id };
    return { type, at: after.at, ...ids, fact: [type, contact_id, template_id, accountId ?? null, after.at] };
  },

  action({ contactId: contact_id, templateId: template_id, accountId, before, after }) {
    if (before || !after) return undefined;
    const { kind, page_id, journey_id, at } = after;
    // Two last pages that are completed at the same time are one completion of the journey.
    const page = kind === 'finished' ? {} : { page_id };
    return {
      ...{ type: typeOfAction[kind], at, contact_id, ...aboutAccount(accountId), journey_id, template_id, ...page },
      fact: [typeOfAction[kind], contact_id, template_id, journey_id, page],
    };
  },

  response({ contactId: contact_id, before, after }) {
    if (before || !after) return undefined;
    const { id, ...ids } = after;
    return { type: 'response.recorded', contact_id, ...ids, fact: ['response.recorded', id] };
  },

  send({ contactId: contact_id, before, after }) {
    if (!after || after.state === before?.state) return undefined;
    const type = typeOfState[after.state];
    if (type === undefined) return undefined;
    return messageEvent(type, contact_id, after, after.updated_at);
  },

  file({ fileId: file_id, before, after }) {
    if (before || !after) return undefined;
    const { status, rows, finished_at: at } = after;
    if (status === 'repeated') return undefined;
    const type = status === 'completed' && rows.accepted > 0 ? 'file.completed' : 'file.failed';
    return { type, at, file_id, rows, fact: ['file', file_id] };
  },
};

const aboutAccount = (accountId: string | undefined) => (accountId === undefined ? {} : { account_id: accountId });

const changesOfJourney = [
  ['completion_verified_at', 'journey.verified'],
  ['cancelled_at', 'journey.cancelled'],
  ['expired_at', 'journey.expired'],
  ['reopened_at', 'journey.reopened'],
] as const satisfies readonly (readonly [keyof JourneyState, EventType])[];

const typeOfState: Partial<Record<SendRecord['state'], EventType>> = {
  sent: 'message.sent',
  delivered: 'message.delivered',
  bounced: 'message.bounced',
  complained: 'message.complained',
  failed: 'message.failed',
};

const messageEvent = (
  type: EventType,
  contact_id: string,
  { id: message_id, journey_id, template_id, channel, attempt }: SendChange,
  at: string,
): NewEvent => ({
  ...{ type, at, contact_id, journey_id, template_id, message_id, channel },
  fact: [type, message_id, attempt],
});

/** That a message was sent, if the provider reported what became of it before its answer was recorded. */
export function overtakenEvents({ contactId, before, after }: Extract<Change, { kind: 'send' }>): NewEvent[] {
  if (!after?.sent_at || before?.sent_at || after.state === 'sent') return [];
  return [messageEvent('message.sent', contactId, after, after.sent_at)];
}

const typeOfAction = {
  viewed: 'journey.page_viewed',
  completed: 'journey.page_completed',
  finished: 'journey.completed',
} as const satisfies Record<ActionKind, EventType>;

/**
 * The event of a change, if it is one.
 * @param at time of the change, if the item does not have it
 */
export const eventOf = (change: Change, at: string): NewEvent | undefined =>
  (rules[change.kind] as (change: Change, at: string) => NewEvent | undefined)(change, at);

type ChunkThatEnded = { order: number; closed_at: string; chunk_index: number | undefined; status: string };

/** The event of a batch that ended when this chunk was closed. */
export const batchEnd = (
  { batch_id, status, records }: Pick<BatchStatus, 'batch_id' | 'records'> & { status: 'completed' | 'failed' },
  { order, closed_at, chunk_index, status: ended }: ChunkThatEnded,
): NewEvent => ({
  ...{ type: `batch.${status}`, at: closed_at, batch_id, chunk_index, records },
  // A chunk can end the batch several times: it fails, and is discarded or completed later. Clocks of workers differ, so
  // the times can be equal.
  fact: ['batch', batch_id, order, closed_at, ...(ended === 'completed' ? [] : [ended])],
});

/**
 * What a person has said with a link in a message, or had said: that it leaves, that it takes this back, or that the address
 * is its own. The same write can be a `contact.updated` too.
 */
export function consentEvents({ contactId, before, after }: Extract<Change, { kind: 'contact' }>): NewEvent[] {
  return factsOfConsent.flatMap(([field, type]) => {
    const at = after?.[field];
    if (!after || !at || at === before?.[field]) return [];
    return [{ type, at, contact_id: contactId, channel: 'email', fact: [type, contactId, after.inserted_at, at] }];
  });
}

const factsOfConsent = [
  ['left_at', 'contact.unsubscribed'],
  ['returned_at', 'contact.resubscribed'],
  ['verified_at', 'contact.verified'],
] as const satisfies readonly (readonly [keyof ContactState, EventType])[];
