import { shownResults } from '../../lib/domain/results/results.ts';
import { getTemplateResults } from '../../lib/http/contracts/results.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { readResults } from '../../lib/operations/results/read.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(getTemplateResults, async ({ caller, params }) => {
  const dependencies = { ...runtime(), content: contentCache() };
  return reply(200, shownResults(await readResults(dependencies, caller.teamId, idParam(params, 'template_id'))));
});
