import * as z from 'zod';
import { contract } from '../contract.ts';
import type * as responses from '../responses/campaigns.ts';

const tag = 'Templates';

export const listTemplates = contract<typeof responses.listTemplates>()({
  id: 'list-templates',
  scope: 'campaigns:read',
  tag,
  summary: 'List templates (campaigns)',
  description: 'Returns the templates by `targeting_order`, then by name. Includes archived templates.',
});

export const getTemplate = contract<typeof responses.getTemplate>()({
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
});

export const listTemplateMessages = contract<typeof responses.listTemplateMessages>()({
  id: 'list-template-messages',
  scope: 'campaigns:read',
  tag,
  summary: 'List the messages of a template',
  description: 'Returns the messages by `order`, under the key `templates`.',
});

export const listTemplatePages = contract<typeof responses.listTemplatePages>()({
  id: 'list-template-pages',
  scope: 'campaigns:read',
  tag,
  summary: 'List the pages of a template',
  description: 'Returns the pages by `order`, as an array.',
});

export const listObjectives = contract<typeof responses.listObjectives>()({
  id: 'list-objectives',
  scope: 'campaigns:read',
  tag: 'Objectives',
  summary: 'List objectives',
  description:
    "Returns the team's objectives and the global ones, by `key`. A contact field with that name completes the objective.",
});
