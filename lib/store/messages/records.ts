import * as z from 'zod';
import { type SendRecord, sendRecord } from '../../domain/messages/record.ts';
import { all, type Database, type Expectation, type Item, readOne, versioned, type Write } from '../table/database.ts';
import {
  contactPartition,
  messageIdKey,
  sendRecordKey,
  sendRecordPrefix,
  sendRecordsPrefix,
  verificationRecordKey,
} from '../table/keys.ts';
import { itemReader, storedTime, storedVersion } from '../table/stored-item.ts';

/** What became of a message, and its version as the condition of the next write. */
export type StoredRecord = { record: SendRecord; version: number };

const recordItem = itemReader(
  'record of a message',
  // What a caller can set as a property name is no name of an attribute.
  sendRecord.extend({ values: z.record(z.string(), z.string()).nullable(), version: storedVersion }),
);

export function storedRecord(item: Item): StoredRecord {
  const { version, ...record } = recordItem(item);
  return { record, version };
}

/** Where the record of a message is: of a journey and a template message, or of a verification. */
export type RecordPlace =
  | { contactId: string; journeyId: string; templateMessageId: string }
  | { contactId: string; messageId: string };

const keyOfRecord = (teamId: string, place: RecordPlace) =>
  'journeyId' in place
    ? sendRecordKey(teamId, place.contactId, place.journeyId, place.templateMessageId)
    : verificationRecordKey(teamId, place.contactId, place.messageId);

export const loadRecord = (database: Database, teamId: string, place: RecordPlace): Promise<StoredRecord | undefined> =>
  readOne(database, keyOfRecord(teamId, place), storedRecord);

/** The records of the messages of a journey, by their template messages. */
export const loadJourneyRecords = async (
  database: Database,
  teamId: string,
  { contactId, journeyId }: { contactId: string; journeyId: string },
): Promise<StoredRecord[]> =>
  (await all(database, { pk: contactPartition(teamId, contactId), prefix: sendRecordPrefix(journeyId) })).map(
    storedRecord,
  );

/** Those of all journeys of the contact. */
export const loadContactRecords = async (
  database: Database,
  teamId: string,
  contactId: string,
): Promise<StoredRecord[]> =>
  (await all(database, { pk: contactPartition(teamId, contactId), prefix: sendRecordsPrefix })).map(storedRecord);

/**
 * Writes for one transaction: the record on the condition of its version, and with its first one the item that finds it
 * by the id of the message.
 * @param same attributes that an erasure looks at
 */
export function recordWrites(
  teamId: string,
  place: RecordPlace,
  record: SendRecord,
  version: number,
  same: Expectation = {},
): Write[] {
  const key = keyOfRecord(teamId, place);
  const pointer: Write = { kind: 'insert', item: { ...messageIdKey(teamId, record.id), ...pointerTo(place) } };
  return [versioned(key, version, { ...record, ...same }), ...(version === 0 ? [pointer] : [])];
}

const pointerTo = (place: RecordPlace) =>
  'journeyId' in place
    ? {
        contact_id: place.contactId,
        journey_id: place.journeyId,
        template_message_id: place.templateMessageId,
      }
    : { contact_id: place.contactId };

const pointerItem = itemReader(
  'id of a message',
  z.object({
    contact_id: z.string(),
    journey_id: z.string().optional(),
    template_message_id: z.string().optional(),
  }),
);

/** Where the record of the message with this id is. */
export async function findRecord(
  database: Database,
  teamId: string,
  messageId: string,
): Promise<RecordPlace | undefined> {
  const found = await readOne(database, messageIdKey(teamId, messageId), pointerItem);
  if (!found) return undefined;
  const { contact_id: contactId, journey_id: journeyId, template_message_id: templateMessageId } = found;
  return journeyId === undefined || templateMessageId === undefined
    ? { contactId, messageId }
    : { contactId, journeyId, templateMessageId };
}

const sendStateItem = itemReader(
  'record of a message',
  sendRecord.pick({ id: true, journey_id: true, template_id: true, state: true, channel: true, sent_at: true }).extend({
    updated_at: storedTime,
    attempt: z.int(),
  }),
);
/** What decides whether a change of the record is an event. */
export const sendStateOf = (item: Item) => sendStateItem(item);
