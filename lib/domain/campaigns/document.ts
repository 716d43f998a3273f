import * as z from 'zod';
import { uuid } from '../values/uuid.ts';
import { channelOf } from './channel.ts';
import { messageOf, templateMessageOf } from './message.ts';
import { objectiveOf } from './objective.ts';
import { pageOf, templatePageOf } from './page.ts';
import { targetingGroups } from './targeting-input.ts';
import { templateOf } from './template.ts';
import { list, optional, shapeOf } from './values.ts';

const documentOf = <Id extends z.ZodType, Template extends z.ZodType>(id: Id, template: Template) =>
  shapeOf({
    objectives: list(objectiveOf(id), 'What contacts can complete'),
    engagement_channels: list(channelOf(id), 'Places outside the service where content is embedded'),
    templates: list(template, 'Campaigns'),
  });

const given = optional(uuid(), 'Id');
const required = uuid();

/**
 * The document for `content import` (contract, section 9). Ids are optional, and a page or message may be only an id.
 */
export const contentDocument = documentOf(
  given,
  templateOf(
    given,
    templatePageOf(given, optional(pageOf(given), 'The page')),
    templateMessageOf(given, optional(messageOf(given), 'The message')),
    targetingGroups(),
  ),
);
export type GivenDocument = z.output<typeof contentDocument>;

/** All content of a team as it is stored: the same document with all ids, pages and messages. */
export const storedDocument = documentOf(
  required,
  templateOf(
    required,
    templatePageOf(required, pageOf(required)),
    // The import sets it.
    templateMessageOf(required, messageOf(required)).extend({ live_since: z.string().optional() }),
    targetingGroups(),
  ),
);
export type StoredDocument = z.output<typeof storedDocument>;

export type StoredTemplate = StoredDocument['templates'][number];
export type StoredTemplatePage = StoredTemplate['template_pages'][number];
export type StoredTemplateMessage = StoredTemplate['template_messages'][number];
export type StoredPage = StoredTemplatePage['page'];
export type StoredMessage = StoredTemplateMessage['message'];
export type StoredContainer = StoredPage['content_containers'][number];
export type StoredBlock = StoredTemplate['content_blocks'][number];
export type StoredObjective = StoredDocument['objectives'][number];
export type StoredChannel = StoredDocument['engagement_channels'][number];
