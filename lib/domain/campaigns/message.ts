import * as z from 'zod';
import { flag } from '../values/fields.ts';
import { uuid } from '../values/uuid.ts';
import { blockOf, contentBlock } from './block.ts';
import { objective } from './objective.ts';
import { anyJson, clockTime, jsonObject, list, moment, number, oneOf, optional, prose, shapeOf } from './values.ts';

/** Messages that a template can have. */
export const mostMessages = 50;
/** One year, in hours. */
const mostOffset = 8760;
const notOffset = `must be a number from 0 to ${mostOffset}`;

const messageFields = {
  content_block_status: optional(oneOf(['draft', 'published']), 'State of the content blocks'),
  content_name: optional(prose(), 'Content name'),
  css: optional(prose(), 'CSS'),
  is_archived: optional(flag(), 'True if the message is archived'),
  is_shared: optional(flag(), 'True if templates share the message'),
  is_transactional: optional(flag(), 'True if the message is transactional'),
  layout_basis: optional(prose(), 'Basis of the layout, for example `grid`'),
  objective_id: optional(uuid(), 'Objective that the message serves'),
  payload: optional(anyJson(), 'Payload of the message'),
  styles: optional(jsonObject(), 'Styles'),
  type: optional(oneOf(['email', 'sms']), 'Channel by which the message is sent'),
};

const templateMessageFields = {
  content_variables: optional(jsonObject(), 'Content variables'),
  order: optional(number(), 'Position of the message in the template'),
  queue: optional(prose(), 'Queue that processes the message'),
  scheduled_at: optional(moment(), 'Time at which the message is to be sent'),
  template_page_id: optional(uuid(), 'Template page that the message belongs to'),
};

/** Our additions: when the message is due (contract, section 15). Responses do not contain them. */
const timingFields = {
  send_offset_hours: optional(
    number().min(0, notOffset).max(mostOffset, notOffset),
    'Hours after the start of the journey at which the message is sent, instead of `scheduled_at`',
  ),
  send_at: optional(clockTime(), 'Local time of the contact, `HH:MM`, at which the message is sent next after that'),
};

export const messageOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    id: id.describe('Message id'),
    ...messageFields,
    content_blocks: list(blockOf(id), 'Content blocks of the message'),
  });

/** In the import document, an existing message may be given as `message_id` only. */
export const templateMessageOf = <Id extends z.ZodType, Message extends z.ZodType>(id: Id, message: Message) =>
  shapeOf({
    id: id.describe('Template message id'),
    ...templateMessageFields,
    ...timingFields,
    message_id: optional(uuid(), 'Id of the message; alone, it names one that exists'),
    message,
  });

const message = z
  .object({
    id: uuid().describe('Message id'),
    ...messageFields,
    content_blocks: z.array(contentBlock).describe('Content blocks of the message'),
    objective: objective.nullable().describe('Objective that the message serves'),
  })
  .meta({ id: 'Message', description: 'An email or sms of a campaign' });
export type Message = z.output<typeof message>;

/** Specification, "Template message". */
export const templateMessage = z
  .object({
    id: uuid().describe('Template message id'),
    ...templateMessageFields,
    message: message.describe('The message'),
    message_id: uuid().describe('Id of the message'),
    template_id: uuid().describe('Id of the template'),
  })
  .meta({ id: 'TemplateMessage', description: 'A message in a template, with its position' });
export type ShownTemplateMessage = z.output<typeof templateMessage>;

/** When a message is due. */
export type MessageTiming = {
  send_offset_hours: number | null;
  send_at: string | null;
  scheduled_at: string | null;
  /** When the message went live in this timing. It is never due at an earlier time. Absent while it is not live. */
  live_since?: string | undefined;
};
export type TemplateMessage = ShownTemplateMessage & MessageTiming;
