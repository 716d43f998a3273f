import { isReceived, responseOf, type Webhook } from '../../lib/domain/events/webhook.ts';
import { notFound, Problem } from '../../lib/domain/values/problem.ts';
import { createWebhook, deleteWebhook, rotateWebhook, testWebhook } from '../../lib/http/contracts/webhooks.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { idParam } from '../../lib/http/params.ts';
import { noContent, reply } from '../../lib/http/reply.ts';
import type { Caller } from '../../lib/http/request.ts';
import * as webhooks from '../../lib/operations/events/webhooks.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { recorded, refusalOf, webhookDependencies } from '../../lib/runtime/webhook-changes.ts';
import { findWebhook, deleteWebhook as remove } from '../../lib/store/events/webhooks.ts';

const create = bearerEndpoint(createWebhook, async ({ caller, body: { url, types = null } }) => {
  const { webhook, secret } = await recorded(
    {
      ...{ who: caller.clientId, what: 'webhook create', team_id: caller.teamId, ids: {} },
      resultIds: ({ webhook: { webhook_id } }) => ({ webhook_id }),
    },
    () => webhooks.createWebhook(webhookDependencies(), { team_id: caller.teamId, url, types }, refusalOf(url)),
  );
  const { webhook_id: id, team_id: _, ...made } = webhook;
  return reply(201, { id, ...made, secret });
});

/** Runs an act on a webhook of the caller's team. @throws Problem `not_found` */
async function act<T>(
  verb: string,
  caller: Caller,
  params: Record<string, string>,
  run: (webhook: Webhook) => Promise<T>,
) {
  const stored = await findWebhook(webhookDependencies().database, caller.teamId, idParam(params, 'id'));
  if (!stored) throw notFound();
  const { webhook } = stored;
  const ids = { webhook_id: webhook.webhook_id };
  const entry = { who: caller.clientId, what: `webhook ${verb}`, team_id: caller.teamId, ids };
  return { id: webhook.webhook_id, result: await recorded(entry, () => run(webhook)) };
}

const end = bearerEndpoint(deleteWebhook, async ({ caller, params }) => {
  await act('remove', caller, params, (webhook) => remove(webhookDependencies().database, webhook));
  return noContent;
});

const rotate = bearerEndpoint(rotateWebhook, async ({ caller, params }) => {
  const { id, result } = await act('rotate', caller, params, ({ webhook_id }) =>
    webhooks.rotateWebhook(webhookDependencies(), webhook_id),
  );
  return reply(200, { id, ...result });
});

const test = bearerEndpoint(testWebhook, async ({ caller, params }) => {
  const { id, result } = await act('test', caller, params, (webhook) =>
    webhooks.testWebhook(webhookDependencies(), webhook),
  );
  const { event, result: response } = result;
  if (response === undefined) throw new Problem('unavailable', undefined, { reason: 'the test was not sent in time' });
  return reply(200, { id, event_id: event.id, received: isReceived(response), ...responseOf(response) });
});

export const handler = byRoute({
  'POST /v1/webhooks': create,
  'DELETE /v1/webhooks/{id}': end,
  'POST /v1/webhooks/{id}/rotate': rotate,
  'POST /v1/webhooks/{id}/test': test,
});
