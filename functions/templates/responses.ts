import { shownResponseOf } from '../../lib/domain/response.ts';
import { templateResponsePages } from '../../lib/domain/template-list.ts';
import { urlAt } from '../../lib/domain/url.ts';
import { listTemplateResponses } from '../../lib/http/contracts/results.ts';
import { idParam } from '../../lib/http/params.ts';
import { fits, linkToNext, reply } from '../../lib/http/reply.ts';
import { validatedWith } from '../../lib/http/validation.ts';
import { readsPrivate } from '../../lib/http/visibility.ts';
import { cursorErrors } from '../../lib/operations/cursors.ts';
import { listTemplateResponses as list } from '../../lib/operations/results/read.ts';
import { environment } from '../../lib/runtime/base.ts';
import { contentCache } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(listTemplateResponses, async ({ caller, params, validate, event }) => {
  const dependencies = { ...runtime(), content: contentCache() };
  const { query } = await validatedWith(validate, () =>
    cursorErrors(dependencies.database, caller.teamId, templateResponsePages, event.queryStringParameters?.cursor),
  );
  const templateId = idParam(params, 'template_id');
  const kept = await list(dependencies, caller.teamId, templateId, query, fits);
  const responses = kept.responses.map(({ journey_id, contact, ...response }) => ({
    ...shownResponseOf(response, readsPrivate(caller)),
    ...{ journey_id, contact },
  }));
  const url = urlAt(environment().ISSUER, `/v1/templates/${templateId}/responses`);
  return reply(200, { ...kept, responses }, linkToNext(url, kept.next_cursor));
});
