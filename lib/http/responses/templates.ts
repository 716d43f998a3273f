import * as z from 'zod';
import { templateMessage } from '../../domain/content/message.ts';
import { templatePage } from '../../domain/content/page.ts';
import { shownTemplate } from '../../domain/content/template.ts';
import { responses } from '../contract.ts';

const templateList = z
  .object({ templates: z.array(shownTemplate).meta({ description: 'By `targeting_order`, then by name' }) })
  .meta({ id: 'TemplateList', description: 'Templates' });

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

const messageList = z
  .object({ templates: z.array(templateMessage).meta({ description: 'By `order`' }) })
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
