import * as z from 'zod';
import { eventListLimits, eventListPages, eventTypesParam } from '../../lib/domain/events/event-list.ts';
import { eventList } from '../../lib/domain/events/event-list-responses.ts';
import { responseOf } from '../../lib/domain/events/webhook.ts';
import { webhookDetails, webhookList } from '../../lib/domain/events/webhook-responses.ts';
import { notFound } from '../../lib/domain/values/problem.ts';
import { contract } from '../../lib/http/contract.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { cursorParam, idParam, paging, timeParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { listEvents as readEvents } from '../../lib/operations/events/list-events.ts';
import { type ListedWebhook, listShownWebhooks, showWebhook } from '../../lib/operations/events/webhooks.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { listEndpoint } from '../../lib/runtime/lists.ts';
import { service } from '../../lib/runtime/table.ts';
import { findWebhook } from '../../lib/store/events/webhooks.ts';

const listEvents = contract<typeof listEventsResponses>()({
  id: 'list-events',
  scope: 'events:read',
  tag: 'Events',
  summary: 'Read the events of the team',
  description:
    'Returns the events from the oldest that is kept or, with `since`, from that time on. Every response has ' +
    '`next_cursor`. Keep it and send it as `cursor` to read on, at once while `has_more` is true and otherwise after a ' +
    'while: no event is skipped. Events appear within 10 seconds. They are kept for 30 days unless the institution has ' +
    'chosen another time; 410 if the cursor is older, or from before a restore of the table.',
  query: z.object({
    type: eventTypesParam(),
    since: timeParam('Only events that were published at this time or later. Without effect beside `cursor`'),
    ...paging('Events', eventListLimits),
    cursor: cursorParam().describe(
      '`next_cursor` of an earlier response, with the same `type`, or without for all types',
    ),
  }),
  problems: ['gone'],
});

const listEventsResponses = () => ({ 200: { description: 'A page of events', schema: eventList } });

const events = listEndpoint(listEvents, eventListPages, async ({ caller, query }) =>
  reply(200, await readEvents(service(), caller.teamId, query)),
);

const [tag, scope] = ['Webhooks', 'webhooks:write'] as const;

const listWebhooks = contract<typeof listWebhooksResponses>()({
  ...{ id: 'list-webhooks', scope, tag },
  summary: 'List the webhooks of the team',
  description: 'Returns all webhooks with their state, and for 30 days those that their receivers ended.',
});

const listWebhooksResponses = () => ({ 200: { description: 'The webhooks of the team', schema: webhookList } });

const getWebhook = contract<typeof getWebhookResponses>()({
  ...{ id: 'get-webhook', scope, tag },
  summary: 'Get a webhook',
  description: 'Returns a webhook with its state, what waits and what was given up.',
});

const getWebhookResponses = () => ({ 200: { description: 'The webhook', schema: webhookDetails } });

export const contracts = () => [
  { ...listEvents, responses: listEventsResponses() },
  { ...listWebhooks, responses: listWebhooksResponses() },
  { ...getWebhook, responses: getWebhookResponses() },
];

const list = bearerEndpoint(listWebhooks, async ({ caller }) =>
  reply(200, { webhooks: (await listShownWebhooks(service(), caller.teamId)).map(listed) }),
);

const get = bearerEndpoint(getWebhook, async ({ caller, params }) => {
  const { database } = service();
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

export const handler = byRoute({ 'GET /v1/events': events, 'GET /v1/webhooks': list, 'GET /v1/webhooks/{id}': get });
