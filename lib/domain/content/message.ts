import * as z from 'zod';
import { flag } from '../fields.ts';
import { blockOf, contentBlock } from './block.ts';
import { objective } from './objective.ts';
import { anyJson, jsonObject, list, moment, number, oneOf, optional, prose, shapeOf, uuid } from './values.ts';

const messageFields = {
  content_block_status: optional(oneOf(['draft', 'published'])),
  content_name: optional(prose()),
  css: optional(prose()),
  is_archived: optional(flag()),
  is_shared: optional(flag()),
  is_transactional: optional(flag()),
  layout_basis: optional(prose()),
  objective_id: optional(uuid()),
  payload: optional(anyJson()),
  styles: optional(jsonObject()),
  type: optional(oneOf(['email', 'sms'])),
};

const templateMessageFields = {
  content_variables: optional(jsonObject()),
  order: optional(number()),
  queue: optional(prose()),
  scheduled_at: optional(moment()),
  template_page_id: optional(uuid()),
};

export const messageOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({ id, ...messageFields, content_blocks: list(blockOf(id)) });

/** In the document a message that stands elsewhere may be named by `message_id` alone. */
export const templateMessageOf = <Id extends z.ZodType, Message extends z.ZodType>(id: Id, message: Message) =>
  shapeOf({ id, ...templateMessageFields, message_id: optional(uuid()), message });

export const message = z
  .object({
    id: uuid(),
    ...messageFields,
    content_blocks: z.array(contentBlock),
    objective: objective.nullable(),
  })
  .meta({ id: 'Message' });
export type Message = z.output<typeof message>;

/** Specification, "Template message". */
export const templateMessage = z
  .object({ id: uuid(), ...templateMessageFields, message, message_id: uuid(), template_id: uuid() })
  .meta({ id: 'TemplateMessage' });
export type TemplateMessage = z.output<typeof templateMessage>;
