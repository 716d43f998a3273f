import * as z from 'zod';
import { eventTypes } from './event.ts';
import { eventFilter } from './event-list.ts';

/** What the API returns of webhooks (contract, section 12). The secret is only in the responses that make one. */

const time = () => z.iso.datetime();
const subscription = {
  id: z.uuid().describe('The id of the webhook'),
  url: z.url().describe('Where its events are sent'),
  types: z.array(eventFilter).nullable().describe('The types of events that it gets; `null` for all'),
  inserted_at: time().describe('When it was made. It gets what was published since then'),
};
const secret = () => z.string().describe('The secret (`whsec_…`). It is shown only here');

export const newWebhook = z
  .object({ ...subscription, secret: secret() })
  .meta({ id: 'NewWebhook', description: 'A webhook that the request made, with its secret' });

const listed = {
  ...subscription,
  state: z.enum(['up', 'failing', 'ended']).describe('`ended`: the receiver responded 410. Listed for 30 days'),
  failing_since: time().nullable().describe('When the failed attempts began; `null` if the last one was received'),
  last_attempt: z
    .object({
      at: time().describe('When it ended'),
      status: z.int().nullable().describe('The status of the response'),
      error: z.string().nullable().describe('Why there was no response'),
    })
    .nullable()
    .describe('The last attempt'),
  next_attempt_at: time().nullable().describe('When what was not received is tried again'),
  ended_at: time().nullable().describe('When it ended'),
  cause: z.string().nullable().describe('Why it ended'),
};
export const listedWebhook = z.object(listed).meta({ id: 'Webhook', description: 'A webhook with its state' });

export const webhookList = z
  .object({ webhooks: z.array(listedWebhook).describe('Oldest first') })
  .meta({ id: 'WebhookList', description: 'The webhooks of the team' });

export const webhookDetails = z
  .object({
    ...listed,
    backlog: z
      .object({
        waiting: z.int().describe('Events that failed, or wait behind one that failed'),
        unread: z.int().describe('Events that were not tried yet: this number or more'),
      })
      .describe('What is still to be sent'),
    failed: z
      .array(
        z.object({
          event_id: z.uuid().describe('The id of the event'),
          type: z.enum(eventTypes).describe('Its type'),
          attempts: z.int().describe('Number of attempts'),
        }),
      )
      .describe('The last 100 events that were given up, newest first. They are kept for 14 days'),
    given_up_until: time().nullable().describe('What was published before this time and not tried was given up'),
  })
  .meta({ id: 'WebhookDetails', description: 'A webhook with its state and what waits' });

export const rotatedWebhook = z
  .object({
    id: z.uuid().describe('The id of the webhook'),
    secret: secret(),
    old_secret_until: time().describe('Until then the secret before signs too'),
  })
  .meta({ id: 'RotatedWebhook', description: 'The new secret of a webhook' });

export const webhookTest = z
  .object({
    id: z.uuid().describe('The id of the webhook'),
    event_id: z.uuid().describe('The id of the event that was sent'),
    received: z.boolean().describe('True if the receiver responded 2xx within ten seconds'),
    status: z.int().nullable().describe('The status of the response'),
    error: z.string().nullable().describe('Why there was no response'),
  })
  .meta({ id: 'WebhookTest', description: 'The response of the receiver to a test' });
