import * as z from 'zod';
import { hasSurvey, shownTemplateOf } from '../../lib/domain/campaigns/shown-template.ts';
import { shownTemplate } from '../../lib/domain/campaigns/template.ts';
import { contract } from '../../lib/http/contract.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { findTemplate } from '../../lib/operations/campaigns/find-template.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

const getTemplate = contract<typeof responses>()({
  id: 'get-template',
  scope: 'campaigns:read',
  tag: 'Templates',
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

const responses = () => {
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
  return { 200: { description: 'The template', schema: oneTemplate } };
};

export const contracts = () => [{ ...getTemplate, responses: responses() }];

export const handler = bearerEndpoint(getTemplate, async ({ caller, params, query }) => {
  const template = await findTemplate(contentCache(), caller.teamId, idParam(params, 'id'));
  const flag = query.has_survey_content_blocks === 'true' ? { has_survey_content_blocks: hasSurvey(template) } : {};
  return reply(200, { template: { ...shownTemplateOf(template), ...flag } });
});
