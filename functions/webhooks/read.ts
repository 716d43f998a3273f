import { responseOf } from '../../lib/domain/events/webhook.ts';
import { notFound } from '../../lib/domain/values/problem.ts';
import { getWebhook, listWebhooks } from '../../lib/http/contracts/webhooks.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { type ListedWebhook, listShownWebhooks, showWebhook } from '../../lib/operations/events/webhooks.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { runtime } from '../../lib/runtime/table.ts';
import { findWebhook } from '../../lib/store/events/webhooks.ts';

const list = bearerEndpoint(listWebhooks, async ({ caller }) =>
  reply(200, { webhooks: (await listShownWebhooks(runtime(), caller.teamId)).map(listed) }),
);

const get = bearerEndpoint(getWebhook, async ({ caller, params }) => {
  const { database } = runtime();
  const stored = await findWebhook(database, caller.teamId, idParam(params, 'id'));
  if (!stored) throw notFound();
  const { backlog, failed, given_up_until, ...webhook } = await showWebhook(database, stored);
  const events = failed.map(({ event: { id, type }, attempts }) => ({ event_id: id, type, attempts }));
  return reply(200, { ...listed(webhook), backlog, failed: events, given_up_until });
});

const isRunning = { failing_since: null, last_attempt: null, next_attempt_at: null, ended_at: null, cause: null };

function listed({ webhook_id: id, team_id: _, ...webhook }: ListedWebhook) {
  const last = 'last_attempt' in webhook ? webhook.last_attempt : null;
  return { id, ...isRunning, ...webhook, last_attempt: last && { at: last.at, ...responseOf(last.result) } };
}

export const handler = byRoute({ 'GET /v1/webhooks': list, 'GET /v1/webhooks/{id}': get });
