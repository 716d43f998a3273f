import { journeyUrl } from '../../lib/domain/journey.ts';
import { createJourney } from '../../lib/http/contracts/journeys.ts';
import { idParam } from '../../lib/http/params.ts';
import { created, ok } from '../../lib/http/reply.ts';
import { createJourney as create } from '../../lib/operations/journeys/create.ts';
import { environment } from '../../lib/runtime/base.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { contactDependencies } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(createJourney, async ({ caller, params, body }) => {
  const { journey, ...applied } = await create(
    contactDependencies(),
    caller.teamId,
    idParam(params, 'template_id'),
    body,
  );
  const { id, slug, template_id } = journey;
  const answer = { id, slug, template_id, web_client_url: journeyUrl(environment().ISSUER, slug) };
  return applied.created ? created(answer) : ok(answer);
});
