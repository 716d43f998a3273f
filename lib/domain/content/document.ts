import type * as z from 'zod';
import { uuid } from '../uuid.ts';
import { channelOf } from './channel.ts';
import { messageOf, templateMessageOf } from './message.ts';
import { objectiveOf } from './objective.ts';
import { pageOf, templatePageOf } from './page.ts';
import { templateOf } from './template.ts';
import { list, optional, shapeOf } from './values.ts';

const documentOf = <Id extends z.ZodType, Template extends z.ZodType>(id: Id, template: Template) =>
  shapeOf({
    objectives: list(objectiveOf(id), 'What contacts can complete'),
    engagement_channels: list(channelOf(id), 'Places outside the service where content is embedded'),
    templates: list(template, 'Campaigns'),
  });

const given = optional(uuid());
const whole = uuid();

/** The document that `content import` takes: ids may lack, pages and messages may be named only (contract, section 9). */
export const contentDocument = documentOf(
  given,
  templateOf(
    given,
    templatePageOf(given, optional(pageOf(given), 'The page')),
    templateMessageOf(given, optional(messageOf(given), 'The message')),
  ),
);
export type GivenDocument = z.output<typeof contentDocument>;

/** All content of a team as it is stored: the same, with every id, page and message in its place. */
export const storedDocument = documentOf(
  whole,
  templateOf(whole, templatePageOf(whole, pageOf(whole)), templateMessageOf(whole, messageOf(whole))),
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

export const noContent: StoredDocument = { objectives: [], engagement_channels: [], templates: [] };
