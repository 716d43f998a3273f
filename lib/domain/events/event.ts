import * as z from 'zod';
import { batchRecords } from '../imports/batch-counts.ts';
import { uuid } from '../values/uuid.ts';

/** What can happen (contract, section 12). */
export const eventTypes = [
  'contact.created',
  'contact.updated',
  'contact.erased',
  'contact.targeted',
  'contact.unsubscribed',
  'contact.resubscribed',
  'contact.verified',
  'account.opened',
  'account.closed',
  'journey.created',
  'journey.page_viewed',
  'journey.page_completed',
  'journey.completed',
  'journey.verified',
  'journey.cancelled',
  'journey.expired',
  'journey.reopened',
  'response.recorded',
  'message.sent',
  'message.delivered',
  'message.bounced',
  'message.complained',
  'message.failed',
  'batch.completed',
  'batch.failed',
  'file.completed',
  'file.failed',
] as const;
export type EventType = (typeof eventTypes)[number];

const id = (description: string) => uuid().optional().describe(description);
const rows = (description: string) => z.int().min(0).describe(description);

/** An event names what happened and ids. It never contains data of a person. */
export const serviceEvent = z
  .object({
    id: uuid().describe('Event id: the same in every repeat of the event'),
    type: z.enum(eventTypes).describe('What happened'),
    at: z.iso.datetime().describe('When it happened'),
    team_id: uuid().describe('The team'),
    contact_id: id('The contact'),
    account_id: id('The account; of a journey, the one that it is about'),
    journey_id: id('The journey'),
    template_id: id('The template of the journey'),
    page_id: id('The page'),
    block_id: id('The block that was answered'),
    batch_id: z.string().optional().describe('The batch'),
    chunk_index: z
      .int()
      .min(0)
      .optional()
      .describe('The chunk with which the batch ended, if it was sent with a `chunk_index`'),
    file_id: id('The dropped file'),
    message_id: id('The message'),
    channel: z.enum(['email', 'sms']).optional().describe('The channel of the message'),
    records: batchRecords.optional(),
    rows: z
      .object({
        read: rows('Rows that were read'),
        accepted: rows('Rows that were accepted'),
        rejected: rows('Rows that were rejected'),
        applied: rows('Accounts: rows that changed something').optional(),
        unchanged: rows('Accounts: rows that were equal to the stored data').optional(),
        superseded: rows('Accounts: rows that a later file or batch had overtaken').optional(),
        created: rows('Contacts: contacts that were created').optional(),
        existing: rows('Contacts: contacts that existed').optional(),
      })
      .optional()
      .meta({ id: 'FileRows', description: 'Counts of the rows of a dropped file' }),
  })
  .meta({ id: 'Event', description: 'Something that happened in the team' });
export type ServiceEvent = z.output<typeof serviceEvent>;

/** A type of event, or the first word of several types: `journey.*`. */
export const matchesType = (filter: string, type: string): boolean =>
  filter === type || (filter.endsWith('.*') && type.startsWith(filter.slice(0, -1)));

export const isEventFilter = (text: string): boolean => eventTypes.some((type) => matchesType(text, type));
