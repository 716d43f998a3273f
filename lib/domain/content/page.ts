import * as z from 'zod';
import { standardizedTypes } from '../account.ts';
import { flag } from '../fields.ts';
import { blockOf, contentBlock } from './block.ts';
import { shownChannel } from './channel.ts';
import { shownTeam } from './team.ts';
import { anyJson, jsonObject, list, moment, number, oneOf, optional, prose, shapeOf, uuid } from './values.ts';

export const completionConditions = ['action', 'confirm', 'objective', 'open', 'view'] as const;

const pageFields = {
  benchmark: optional(anyJson()),
  completion_condition: optional(oneOf(completionConditions)),
  completion_message: optional(prose()),
  completion_product_id: optional(uuid()),
  completion_product_type: optional(prose()),
  content: optional(anyJson()),
  content_block_status: optional(oneOf(['draft', 'published'])),
  content_name: optional(prose()),
  css: optional(prose()),
  cta: optional(anyJson()),
  exclude_from_cce: optional(flag()),
  hide_when_complete: optional(flag()),
  is_archived: optional(flag()),
  is_live: optional(flag()),
  is_shared: optional(flag()),
  layout_basis: optional(oneOf(['grid', 'none'])),
  navigation_title: optional(prose()),
  new_slug: optional(prose()),
  old_slug: optional(prose()),
  slug: optional(prose()),
  objective_id: optional(uuid()),
  styles: optional(jsonObject()),
};

const containerFields = {
  css: optional(prose()),
  engagement_channel_id: optional(uuid()),
  layout_basis: optional(oneOf(['grid', 'table', 'none'])),
  styles: optional(jsonObject()),
};

const templatePageFields = {
  content_variables: optional(jsonObject()),
  is_shared: optional(flag()),
  order: optional(number()),
};

const standardizedType = () => oneOf(standardizedTypes);

export const containerOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({ id, ...containerFields, content_blocks: list(blockOf(id)) });

export const pageOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    id,
    ...pageFields,
    completion_product_ids: list(uuid()),
    completion_standardized_types: list(standardizedType()),
    content_blocks: list(blockOf(id)),
    content_containers: list(containerOf(id)),
    updated_at: optional(moment()),
  });

/** In the document a page that stands elsewhere may be named by `page_id` alone. */
export const templatePageOf = <Id extends z.ZodType, Page extends z.ZodType>(id: Id, page: Page) =>
  shapeOf({ id, ...templatePageFields, page_id: optional(uuid()), page });

export const contentContainer = z
  .object({
    id: uuid(),
    ...containerFields,
    content_blocks: z.array(contentBlock),
    engagement_channel: shownChannel.nullable(),
    page_id: uuid(),
  })
  .meta({ id: 'ContentContainer' });
export type ContentContainer = z.output<typeof contentContainer>;

export const page = z
  .object({
    id: uuid(),
    ...pageFields,
    completion_product_ids: z.array(uuid()),
    completion_standardized_types: z.array(standardizedType()),
    content_blocks: z.array(contentBlock),
    content_containers: z.array(contentContainer),
    team: shownTeam.nullable(),
    team_id: uuid(),
    updated_at: moment().nullable(),
  })
  .meta({ id: 'Page' });
export type Page = z.output<typeof page>;

/** Specification, "Template page". */
export const templatePage = z
  .object({ id: uuid(), ...templatePageFields, page, page_id: uuid(), template_id: uuid() })
  .meta({ id: 'TemplatePage' });
export type TemplatePage = z.output<typeof templatePage>;
