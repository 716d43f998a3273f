import * as z from 'zod';
import { templatePage } from '../../lib/domain/campaigns/page.ts';
import { shownPagesOf } from '../../lib/domain/journeys/journey-page.ts';
import { contract } from '../../lib/http/contract.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { findTemplate } from '../../lib/operations/campaigns/find-template.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

const listTemplatePages = contract<typeof responses>()({
  id: 'list-template-pages',
  scope: 'campaigns:read',
  tag: 'Templates',
  summary: 'List the pages of a template',
  description: 'Returns the pages by `order`, as an array.',
});

const responses = () => ({
  200: { description: 'The template pages', schema: z.array(templatePage) },
});

export const contracts = () => [{ ...listTemplatePages, responses: responses() }];

export const handler = bearerEndpoint(listTemplatePages, async ({ caller, params }) => {
  const { template_pages } = await findTemplate(contentCache(), caller.teamId, idParam(params, 'id'));
  return reply(200, shownPagesOf(template_pages));
});
