import * as z from 'zod';
import { shownTemplateOf } from '../../lib/domain/campaigns/shown-template.ts';
import { shownTemplate } from '../../lib/domain/campaigns/template.ts';
import { contract } from '../../lib/http/contract.ts';
import { reply } from '../../lib/http/reply.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

const listTemplates = contract<typeof responses>()({
  id: 'list-templates',
  scope: 'campaigns:read',
  tag: 'Templates',
  summary: 'List templates (campaigns)',
  description: 'Returns the templates by `targeting_order`, then by name. Includes archived templates.',
});

const responses = () => {
  const templateList = z
    .object({ templates: z.array(shownTemplate).describe('By `targeting_order`, then by name') })
    .meta({ id: 'TemplateList', description: 'Templates' });
  return {
    200: { description: 'All templates of the team', schema: templateList },
  };
};

export const contracts = () => [{ ...listTemplates, responses: responses() }];

export const handler = bearerEndpoint(listTemplates, async ({ caller }) => {
  const { templates } = await contentCache().current(caller.teamId);
  return reply(200, { templates: templates.map(shownTemplateOf) });
});
