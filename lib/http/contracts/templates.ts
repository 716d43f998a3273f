import * as z from 'zod';
import { templateMessage } from '../../domain/content/message.ts';
import { templatePage } from '../../domain/content/page.ts';
import { shownTemplate } from '../../domain/content/template.ts';
import { contract } from '../contract.ts';

const tag = 'Templates';

const templateList = z
  .object({ templates: z.array(shownTemplate).meta({ description: 'By `targeting_order`, then by name' }) })
  .meta({ id: 'TemplateList', description: 'Templates' });

export const listTemplates = contract({
  id: 'list-templates',
  scope: 'campaigns:read',
  tag,
  summary: 'List templates (campaigns)',
  description: 'Returns the templates by `targeting_order`, then by name. Includes archived templates.',
  responses: {
    200: { description: 'All templates of the team', schema: templateList },
  },
});

const flaggedTemplate = shownTemplate
  .extend({
    has_survey_content_blocks: z.boolean().optional().meta({
      description: 'True if any content block of the template is a survey. Present only if requested',
    }),
  })
  .meta({ id: 'FlaggedTemplate', description: 'A template, with its survey flag if requested' });
const oneTemplate = z
  .object({ template: flaggedTemplate.meta({ description: 'The template' }) })
  .meta({ id: 'TemplateDetails', description: 'One template' });

export const getTemplate = contract({
  id: 'get-template',
  scope: 'campaigns:read',
  tag,
  summary: 'Get a template',
  description: 'Returns the template. On request, also says if it has survey content blocks.',
  query: z.object({
    has_survey_content_blocks: z.enum(['true', 'false'], 'must be true or false').optional().meta({
      description: 'With `true` the response has the field `has_survey_content_blocks`',
      type: 'boolean',
      enum: undefined,
    }),
  }),
  responses: { 200: { description: 'The template', schema: oneTemplate } },
});

const messageList = z
  .object({ templates: z.array(templateMessage).meta({ description: 'By `order`' }) })
  .meta({ id: 'TemplateMessageList', description: 'The messages of a template' });

export const listTemplateMessages = contract({
  id: 'list-template-messages',
  scope: 'campaigns:read',
  tag,
  summary: 'List the messages of a template',
  description: 'Returns the messages by `order`, under the key `templates`.',
  responses: {
    200: { description: 'The template messages', schema: messageList },
  },
});

export const listTemplatePages = contract({
  id: 'list-template-pages',
  scope: 'campaigns:read',
  tag,
  summary: 'List the pages of a template',
  description: 'Returns the pages by `order`, as an array.',
  responses: { 200: { description: 'The template pages', schema: z.array(templatePage) } },
});
