import * as z from 'zod';
import { eventFilter } from '../../domain/events/event-list.ts';
import { maxWebhookUrl } from '../../domain/events/webhook.ts';
import { text } from '../../domain/values/fields.ts';
import { contract } from '../contract.ts';
import type * as responses from '../responses/webhooks.ts';

const [tag, scope] = ['Webhooks', 'webhooks:write'] as const;

export const listWebhooks = contract<typeof responses.listWebhooks>()({
  ...{ id: 'list-webhooks', scope, tag },
  summary: 'List the webhooks of the team',
  description: 'Returns all webhooks with their state, and for 30 days those that their receivers ended.',
});

export const getWebhook = contract<typeof responses.getWebhook>()({
  ...{ id: 'get-webhook', scope, tag },
  summary: 'Get a webhook',
  description: 'Returns a webhook with its state, what waits and what was given up.',
});

export const createWebhook = contract<typeof responses.createWebhook>()({
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

export const deleteWebhook = contract<typeof responses.deleteWebhook>()({
  ...{ id: 'delete-webhook', scope, tag },
  summary: 'Delete a webhook',
  description: 'Nothing more is sent, also none of the events that wait.',
});

export const rotateWebhook = contract<typeof responses.rotateWebhook>()({
  ...{ id: 'rotate-webhook', scope, tag },
  summary: 'Give a webhook a new secret',
  description:
    'The secret before signs beside the new one for 24 more hours. If it is itself younger than that, the one that it ' +
    'replaced ends at once. Only this response contains the new secret.',
});

export const testWebhook = contract<typeof responses.testWebhook>()({
  ...{ id: 'test-webhook', scope, tag },
  summary: 'Send a test event',
  description:
    'Sends one event of the type `webhook.test` and waits for the response of the receiver. Whatever it is, it ends ' +
    'nothing. If the test could not be sent within 25 seconds, the response is 503.',
});
