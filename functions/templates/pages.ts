import { shownPagesOf } from '../../lib/domain/journeys/journey-page.ts';
import { listTemplatePages } from '../../lib/http/contracts/templates.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { findTemplate } from '../../lib/operations/campaigns/find-template.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(listTemplatePages, async ({ caller, params }) => {
  const { template_pages } = await findTemplate(contentCache(), caller.teamId, idParam(params, 'id'));
  return reply(200, shownPagesOf(template_pages));
});
