import * as z from 'zod';
import { flag } from '../values/fields.ts';
import { uuid } from '../values/uuid.ts';
import { blockOf, contentBlock } from './block.ts';
import { objective } from './objective.ts';
import { anyJson, jsonObject, list, moment, number, oneOf, optional, prose, shapeOf } from './values.ts';

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
export type TemplateMessage = z.output<typeof templateMessage>;
