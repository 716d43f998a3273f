import * as z from 'zod';
import { templateMessage } from '../../domain/content/message.ts';
import { templatePage } from '../../domain/content/page.ts';
import { shownTemplate } from '../../domain/content/template.ts';
import { contract } from '../contract.ts';

const tag = 'Templates';

const templateList = z
  .object({ templates: z.array(shownTemplate).meta({ description: 'In `targeting_order`, then by name' }) })
  .meta({ id: 'TemplateList', description: 'Campaigns' });

export const listTemplates = contract({
  id: 'list-templates',
  scope: 'campaigns:read',
  tag,
  summary: "The team's templates (campaigns)",
  description: 'In `targeting_order`, then by name, archived ones included.',
  responses: {
    200: { description: 'All templates of the team', schema: templateList },
  },
});

const flaggedTemplate = shownTemplate
  .extend({
    has_survey_content_blocks: z.boolean().optional().meta({
      description: 'Whether any content block of the template, wherever it stands, is a survey; on request only',
    }),
  })
  .meta({ id: 'FlaggedTemplate', description: 'A campaign, with its survey flag where it was asked for' });
const oneTemplate = z
  .object({ template: flaggedTemplate.meta({ description: 'The campaign' }) })
  .meta({ id: 'TemplateDetails', description: 'One campaign' });

export const getTemplate = contract({
  id: 'get-template',
  scope: 'campaigns:read',
  tag,
  summary: 'One template',
  description: 'The campaign, and on request whether it has survey content blocks.',
  query: z.object({
    has_survey_content_blocks: z.enum(['true', 'false'], 'must be true or false').optional().meta({
      description: 'With `true` the answer says whether the template has survey content blocks',
      type: 'boolean',
      enum: undefined,
    }),
  }),
  responses: { 200: { description: 'The template', schema: oneTemplate } },
});

const messageList = z
  .object({ templates: z.array(templateMessage).meta({ description: 'In their `order`' }) })
  .meta({ id: 'TemplateMessageList', description: 'The messages of a campaign' });

export const listTemplateMessages = contract({
  id: 'list-template-messages',
  scope: 'campaigns:read',
  tag,
  summary: 'The messages of a template',
  description: 'In their `order`, under the key `templates`.',
  responses: {
    200: { description: 'The template messages', schema: messageList },
  },
});

export const listTemplatePages = contract({
  id: 'list-template-pages',
  scope: 'campaigns:read',
  tag,
  summary: 'The pages of a template',
  description: 'In their `order`, as a bare array.',
  responses: { 200: { description: 'The template pages', schema: z.array(templatePage) } },
});
