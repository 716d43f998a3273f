import * as z from 'zod';
import type { Caller } from '../../lib/domain/access/caller.ts';
import { eventFilter } from '../../lib/domain/events/event-list.ts';
import { isReceived, maxWebhookUrl, responseOf, type Webhook } from '../../lib/domain/events/webhook.ts';
import { newWebhook, rotatedWebhook, webhookTest } from '../../lib/domain/events/webhook-responses.ts';
import { text } from '../../lib/domain/values/fields.ts';
import { notFound, Problem } from '../../lib/domain/values/problem.ts';
import { contract } from '../../lib/http/contract.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { idParam } from '../../lib/http/params.ts';
import { noContent, reply } from '../../lib/http/reply.ts';
import * as webhooks from '../../lib/operations/events/webhooks.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { recorded, refusalOf, webhookService } from '../../lib/runtime/webhook-changes.ts';
import { findWebhook, deleteWebhook as remove } from '../../lib/store/events/webhooks.ts';

const [tag, scope] = ['Webhooks', 'webhooks:write'] as const;

const createWebhook = contract<typeof createWebhookResponses>()({
  ...{ id: 'create-webhook', scope, tag },
  summary: 'Create a webhook',
  description:
    'Sends the events that are published from now on to a URL. Each request is signed with the secret, which only this ' +
    'response contains. A team has at most 100 webhooks (409).',
  body: z
    .object({
      url: text(maxWebhookUrl).describe('Where the events are sent: `https`, and a public address'),
      types: z
        .array(eventFilter, 'must be an array')
        .min(1, 'must name a type; without it, all are sent')
        .max(100, 'must have at most 100 entries')
        .nullish()
        .describe('The types of events to send. All by default'),
    })
    .meta({ id: 'WebhookInput', description: 'A webhook to create' }),
  problems: ['conflict'],
});

const createWebhookResponses = () => ({ 201: { description: 'The new webhook', schema: newWebhook } });

const deleteWebhook = contract<typeof deleteWebhookResponses>()({
  ...{ id: 'delete-webhook', scope, tag },
  summary: 'Delete a webhook',
  description: 'Nothing more is sent, also none of the events that wait.',
});

const deleteWebhookResponses = () => ({ 204: { description: 'The webhook is removed' } });

const rotateWebhook = contract<typeof rotateWebhookResponses>()({
  ...{ id: 'rotate-webhook', scope, tag },
  summary: 'Give a webhook a new secret',
  description:
    'The secret before signs beside the new one for 24 more hours. If it is itself younger than that, the one that it ' +
    'replaced ends at once. Only this response contains the new secret.',
});

const rotateWebhookResponses = () => ({ 200: { description: 'The new secret', schema: rotatedWebhook } });

const testWebhook = contract<typeof testWebhookResponses>()({
  ...{ id: 'test-webhook', scope, tag },
  summary: 'Send a test event',
  description:
    'Sends one event of the type `webhook.test` and waits for the response of the receiver. Whatever it is, it ends ' +
    'nothing. If the test could not be sent within 25 seconds, the response is 503.',
});

const testWebhookResponses = () => ({ 200: { description: 'What the receiver responded', schema: webhookTest } });

export const contracts = () => [
  { ...createWebhook, responses: createWebhookResponses() },
  { ...deleteWebhook, responses: deleteWebhookResponses() },
  { ...rotateWebhook, responses: rotateWebhookResponses() },
  { ...testWebhook, responses: testWebhookResponses() },
];

const create = bearerEndpoint(createWebhook, async ({ caller, body: { url, types = null } }) => {
  const { webhook, secret } = await recorded(
    {
      ...{ who: caller.clientId, what: 'webhook create', team_id: caller.teamId, ids: {} },
      resultIds: ({ webhook: { webhook_id } }) => ({ webhook_id }),
    },
    () => webhooks.createWebhook(webhookService(), { team_id: caller.teamId, url, types }, refusalOf(url)),
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
  const stored = await findWebhook(webhookService().database, caller.teamId, idParam(params, 'id'));
  if (!stored) throw notFound();
  const { webhook } = stored;
  const ids = { webhook_id: webhook.webhook_id };
  const entry = { who: caller.clientId, what: `webhook ${verb}`, team_id: caller.teamId, ids };
  return { id: webhook.webhook_id, result: await recorded(entry, () => run(webhook)) };
}

const end = bearerEndpoint(deleteWebhook, async ({ caller, params }) => {
  await act('remove', caller, params, (webhook) => remove(webhookService().database, webhook));
  return noContent;
});

const rotate = bearerEndpoint(rotateWebhook, async ({ caller, params }) => {
  const { id, result } = await act('rotate', caller, params, ({ webhook_id }) =>
    webhooks.rotateWebhook(webhookService(), webhook_id),
  );
  return reply(200, { id, ...result });
});

const test = bearerEndpoint(testWebhook, async ({ caller, params }) => {
  const { id, result } = await act('test', caller, params, (webhook) =>
    webhooks.testWebhook(webhookService(), webhook),
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
