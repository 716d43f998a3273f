import { hasSurvey, shownTemplateOf } from '../../lib/domain/campaigns/shown-template.ts';
import { getTemplate } from '../../lib/http/contracts/templates.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { findTemplate } from '../../lib/operations/campaigns/find-template.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(getTemplate, async ({ caller, params, query }) => {
  const template = await findTemplate(contentCache(), caller.teamId, idParam(params, 'id'));
  const flag = query.has_survey_content_blocks === 'true' ? { has_survey_content_blocks: hasSurvey(template) } : {};
  return reply(200, { template: { ...shownTemplateOf(template), ...flag } });
});
