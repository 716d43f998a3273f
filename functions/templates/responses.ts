import { shownResponseOf } from '../../lib/domain/journeys/answer.ts';
import { templateResponsePages } from '../../lib/domain/results/journey-list.ts';
import { listTemplateResponses } from '../../lib/http/contracts/results.ts';
import { idParam } from '../../lib/http/params.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { readsPrivate } from '../../lib/http/visibility.ts';
import { listTemplateResponses as list } from '../../lib/operations/results/read.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = listEndpoint(listTemplateResponses, templateResponsePages, async ({ caller, params, query }) => {
  const dependencies = { ...runtime(), content: contentCache() };
  const templateId = idParam(params, 'template_id');
  const kept = await list(dependencies, caller.teamId, templateId, query, fits);
  const responses = kept.responses.map((each) => shownResponseOf(each, readsPrivate(caller)));
  const next = nextPageOf(`/v1/templates/${templateId}/responses`, kept.next_cursor);
  return reply(200, { ...kept, responses }, next);
});
