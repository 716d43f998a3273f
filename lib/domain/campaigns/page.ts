import * as z from 'zod';
import { standardizedTypes } from '../accounts/account-fields.ts';
import { flag } from '../values/fields.ts';
import { uuid } from '../values/uuid.ts';
import { blockOf, contentBlock } from './block.ts';
import { layouts, shownChannel } from './channel.ts';
import { shownTeam } from './team.ts';
import { anyJson, jsonObject, list, moment, number, oneOf, optional, prose, shapeOf } from './values.ts';

const completionConditions = ['action', 'confirm', 'objective', 'open', 'view'] as const;

const pageFields = {
  benchmark: optional(anyJson(), 'Benchmark'),
  completion_condition: optional(oneOf(completionConditions), 'Condition that completes the page'),
  completion_message: optional(prose(), 'Message shown on completion'),
  completion_product_id: optional(uuid(), 'Product that completes the page'),
  completion_product_type: optional(prose(), 'Product type that completes the page'),
  content: optional(anyJson(), 'Page content'),
  content_block_status: optional(oneOf(['draft', 'published']), 'State of the content blocks'),
  content_name: optional(prose(), 'Content name'),
  css: optional(prose(), 'Custom CSS'),
  cta: optional(anyJson(), 'Call to action'),
  exclude_from_cce: optional(flag(), 'True if the page is excluded from cross-channel engagement'),
  hide_when_complete: optional(flag(), 'True if the page is hidden when it is completed'),
  is_archived: optional(flag(), 'True if the page is archived'),
  is_live: optional(flag(), 'True if the page is live'),
  is_shared: optional(flag(), 'True if templates share the page'),
  layout_basis: optional(oneOf(['grid', 'none']), 'Basis of the layout'),
  navigation_title: optional(prose(), 'Title for navigation'),
  new_slug: optional(prose(), 'New slug'),
  old_slug: optional(prose(), 'Old slug'),
  slug: optional(prose(), 'Slug'),
  objective_id: optional(uuid(), 'Objective that completes the page'),
  styles: optional(jsonObject(), 'Custom styles'),
};

const containerFields = {
  css: optional(prose(), 'CSS'),
  engagement_channel_id: optional(uuid(), 'Id of the engagement channel'),
  layout_basis: optional(oneOf(layouts), 'Basis of the layout'),
  styles: optional(jsonObject(), 'Styles'),
};

const templatePageFields = {
  content_variables: optional(jsonObject(), 'Content variables of the page'),
  is_shared: optional(flag(), 'True if templates share the page'),
  order: optional(number(), 'Position of the page in the template'),
};

const standardizedType = () => oneOf(standardizedTypes);

const containerOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    id: id.describe('Container id'),
    ...containerFields,
    // Our addition: the container of the specification has no such field, so responses do not contain it.
    show_until: optional(oneOf(['journey_completed']), 'Until when the channel shows it; by default as the page says'),
    content_blocks: list(blockOf(id), 'Content blocks of the container'),
  });

export const pageOf = <Id extends z.ZodType>(id: Id) =>
  shapeOf({
    id: id.describe('Page id'),
    ...pageFields,
    completion_product_ids: list(uuid(), 'Products that complete the page'),
    completion_standardized_types: list(standardizedType(), 'Standardized types that complete the page'),
    content_blocks: list(blockOf(id), 'Content blocks of the page itself'),
    content_containers: list(containerOf(id), 'Content of the page by engagement channel'),
    updated_at: optional(moment(), 'Time of the last change'),
  });

/** In the import document, an existing page may be given as `page_id` only. */
export const templatePageOf = <Id extends z.ZodType, Page extends z.ZodType>(id: Id, page: Page) =>
  shapeOf({
    id: id.describe('Template page id'),
    ...templatePageFields,
    page_id: optional(uuid(), 'Id of the page; alone, it names one that exists'),
    page,
  });

const contentContainer = z
  .object({
    id: uuid().describe('Container id'),
    ...containerFields,
    content_blocks: z.array(contentBlock).describe('Content blocks of the container'),
    engagement_channel: shownChannel.nullable().describe('Channel that the content is for'),
    page_id: uuid().describe('Page that contains the container'),
  })
  .meta({ id: 'ContentContainer', description: 'Content of a page for one engagement channel' });
export type ContentContainer = z.output<typeof contentContainer> & {
  /** Our addition. `null`: until the page is hidden because it is complete. */
  show_until: 'journey_completed' | null;
};

const page = z
  .object({
    id: uuid().describe('Page id'),
    ...pageFields,
    completion_product_ids: z.array(uuid()).describe('Products that complete the page; empty when unused'),
    completion_standardized_types: z
      .array(standardizedType())
      .describe('Standardized types that complete the page; empty when unused'),
    content_blocks: z.array(contentBlock).describe('Content blocks of the page itself'),
    content_containers: z.array(contentContainer).describe('Content of the page by engagement channel'),
    team: shownTeam.nullable().describe('Owning team'),
    team_id: uuid().describe('Id of the owning team'),
    updated_at: moment().nullable().describe('Time of the last change'),
  })
  .meta({ id: 'Page', description: 'A page of a campaign' });
export type Page = Omit<z.output<typeof page>, 'content_containers'> & { content_containers: ContentContainer[] };

/** Specification, "Template page". */
export const templatePage = z
  .object({
    id: uuid().describe('Template page id'),
    ...templatePageFields,
    page: page.describe('The page'),
    page_id: uuid().describe('Id of the page'),
    template_id: uuid().describe('Id of the template'),
  })
  .meta({ id: 'TemplatePage', description: 'A page in a template, with its position' });
export type ShownTemplatePage = z.output<typeof templatePage>;
export type TemplatePage = Omit<ShownTemplatePage, 'page'> & { page: Page };
