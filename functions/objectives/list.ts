import { listObjectives } from '../../lib/http/contracts/templates.ts';
import { reply } from '../../lib/http/reply.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(listObjectives, async ({ caller }) => {
  const { objectives } = await contentCache().current(caller.teamId);
  return reply(200, { objectives });
});
