import { shownTemplateOf } from '../../lib/domain/campaigns/shown-template.ts';
import { listTemplates } from '../../lib/http/contracts/templates.ts';
import { reply } from '../../lib/http/reply.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(listTemplates, async ({ caller }) => {
  const { templates } = await contentCache().current(caller.teamId);
  return reply(200, { templates: templates.map(shownTemplateOf) });
});
