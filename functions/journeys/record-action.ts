import { journeyUrl } from '../../lib/domain/journey.ts';
import { pageAction, recordAction } from '../../lib/http/contracts/journeys.ts';
import { jsonOrForm } from '../../lib/http/form.ts';
import { seeOther } from '../../lib/http/reply.ts';
import { recordPageAction } from '../../lib/operations/journeys/record-action.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';
import { progress } from '../../lib/runtime/table.ts';

export const handler = publicEndpoint(recordAction, async ({ params, event }) => {
  const { isForm, body } = jsonOrForm(event, pageAction);
  const slug = params.slug ?? '';
  await recordPageAction(progress(), slug, body);
  if (!isForm) return { status: 204 };
  const journey = journeyUrl(environment().ISSUER, slug);
  return seeOther(body.stay === undefined ? journey : `${journey}?page=${body.page_id}`);
});
