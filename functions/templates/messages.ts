import { listTemplateMessages } from '../../lib/http/contracts/templates.ts';
import { idParam } from '../../lib/http/params.ts';
import { ok } from '../../lib/http/reply.ts';
import { findTemplate } from '../../lib/operations/find-template.ts';
import { contents } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(listTemplateMessages, async ({ caller, params }) => {
  const { template_messages } = await findTemplate(contents(), caller.teamId, idParam(params, 'id'));
  return ok({ templates: template_messages });
});
