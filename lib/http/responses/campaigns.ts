import * as z from 'zod';
import { shownChannel } from '../../domain/campaigns/channel.ts';
import { templateMessage } from '../../domain/campaigns/message.ts';
import { objective } from '../../domain/campaigns/objective.ts';
import { templatePage } from '../../domain/campaigns/page.ts';
import { shownTemplate } from '../../domain/campaigns/template.ts';
import { eventList } from '../../domain/events/event-list-responses.ts';
import { contentReference } from '../../domain/journeys/channel-content.ts';
import { templateResponseList } from '../../domain/results/journey-list-responses.ts';
import { results } from '../../domain/results/results.ts';
import { nextPage, responses } from '../contract.ts';

const templateList = z
  .object({ templates: z.array(shownTemplate).describe('By `targeting_order`, then by name') })
  .meta({ id: 'TemplateList', description: 'Templates' });

const flaggedTemplate = shownTemplate
  .extend({
    has_survey_content_blocks: z
      .boolean()
      .optional()
      .describe('True if any content block of the template is a survey. Present only if requested'),
  })
  .meta({ id: 'FlaggedTemplate', description: 'A template, with its survey flag if requested' });

const oneTemplate = z
  .object({ template: flaggedTemplate.describe('The template') })
  .meta({ id: 'TemplateDetails', description: 'One template' });

const messageList = z
  .object({ templates: z.array(templateMessage).describe('By `order`') })
  .meta({ id: 'TemplateMessageList', description: 'The messages of a template' });

export const listTemplates = responses({
  200: { description: 'All templates of the team', schema: templateList },
});

export const getTemplate = responses({ 200: { description: 'The template', schema: oneTemplate } });

export const listTemplateMessages = responses({
  200: { description: 'The template messages', schema: messageList },
});

export const listTemplatePages = responses({
  200: { description: 'The template pages', schema: z.array(templatePage) },
});

const objectiveList = z
  .object({ objectives: z.array(objective).describe('By `key`') })
  .meta({ id: 'ObjectiveList', description: 'Objectives' });

export const listObjectives = responses({ 200: { description: 'The objectives', schema: objectiveList } });

export const getTemplateResults = responses({ 200: { description: 'The results', schema: results } });

export const listTemplateResponses = responses({
  200: {
    description: 'A page of the responses, oldest first. It can have fewer than `limit` responses',
    schema: templateResponseList,
    headers: nextPage,
  },
});

const channelList = z
  .object({ engagement_channels: z.array(shownChannel).describe('By name') })
  .meta({ id: 'EngagementChannelList', description: 'Engagement channels' });

export const listEngagementChannels = responses({
  200: { description: 'The engagement channels', schema: channelList },
});

export const searchContentContainers = responses({
  200: {
    description: 'The URLs of the content and of the journey',
    schema: contentReference,
  },
});

export const listEvents = responses({ 200: { description: 'A page of events', schema: eventList } });
