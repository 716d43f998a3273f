import * as z from 'zod';
import { templateMessage } from '../../lib/domain/campaigns/message.ts';
import { shownTemplateMessageOf } from '../../lib/domain/campaigns/shown-template.ts';
import { contract } from '../../lib/http/contract.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { findTemplate } from '../../lib/operations/campaigns/find-template.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

const listTemplateMessages = contract<typeof responses>()({
  id: 'list-template-messages',
  scope: 'campaigns:read',
  tag: 'Templates',
  summary: 'List the messages of a template',
  description: 'Returns the messages by `order`, under the key `templates`.',
});

const responses = () => {
  const messageList = z
    .object({ templates: z.array(templateMessage).describe('By `order`') })
    .meta({ id: 'TemplateMessageList', description: 'The messages of a template' });
  return {
    200: { description: 'The template messages', schema: messageList },
  };
};

export const contracts = () => [{ ...listTemplateMessages, responses: responses() }];

export const handler = bearerEndpoint(listTemplateMessages, async ({ caller, params }) => {
  const { template_messages } = await findTemplate(contentCache(), caller.teamId, idParam(params, 'id'));
  return reply(200, { templates: template_messages.map(shownTemplateMessageOf) });
});
