import * as z from 'zod';
import { type ServiceEvent, serviceEvent } from '../../domain/events/event.ts';
import {
  type AttemptResult,
  attemptResult,
  type TestEvent,
  type Webhook,
  type WebhookProgress,
  type WebhookSecrets,
  webhookSecrets,
} from '../../domain/events/webhook.ts';
import { all, type Database, type Item, pages, readOne, writeOne } from '../table/database.ts';
import {
  eventPackPrefix,
  eventPartition,
  logPlace,
  webhookEventKey,
  webhookEventPartition,
  webhookEventPrefix,
  webhookKey,
  webhookSecretsKey,
} from '../table/keys.ts';
import { itemReader, jsonText, storedTime } from '../table/stored-item.ts';

/** @returns false if the id is taken */
export function insertWebhook(
  database: Database,
  webhook: Webhook,
  progress: WebhookProgress,
  secrets: WebhookSecrets,
): Promise<boolean> {
  const { team_id, webhook_id } = webhook;
  const content = { data: JSON.stringify(webhook), progress: JSON.stringify(progress), version: 1 };
  return database.transact([
    { kind: 'insert', item: { ...webhookKey(team_id, webhook_id), ...content } },
    { kind: 'insert', item: { ...webhookSecretsKey(webhook_id), team_id, secrets: JSON.stringify(secrets) } },
  ]);
}

const secretsItem = itemReader(
  'secrets of a webhook',
  z.object({ team_id: z.string(), secrets: jsonText(webhookSecrets) }),
);

/** The team of the webhook with this id, and its secrets. */
export const loadWebhookSecrets = (database: Database, webhookId: string) =>
  readOne(database, webhookSecretsKey(webhookId), secretsItem);

/** @returns false if the stored secrets are no longer those that were read */
export async function saveWebhookSecrets(
  database: Database,
  webhookId: string,
  secrets: WebhookSecrets,
  before: WebhookSecrets,
): Promise<boolean> {
  const [key, set] = [webhookSecretsKey(webhookId), { secrets: JSON.stringify(secrets) }];
  const expect = { secrets: JSON.stringify(before) };
  return writeOne(database, { kind: 'update', key, set, expect });
}

/** An event that was given up. */
export type FailedEvent = { key: string; place: string; event: ServiceEvent; attempts: number; since: string };

const failedItem = itemReader(
  'event that was given up',
  z.object({ place: z.string(), event: jsonText(serviceEvent), attempts: z.int(), since: storedTime }),
);

const failedOf = ({ team_id, webhook_id }: Webhook) => ({
  pk: webhookEventPartition(team_id, webhook_id),
  prefix: webhookEventPrefix('FAILED'),
});
const failedEvent = (item: Item): FailedEvent => ({ key: item.sk, ...failedItem(item) });

/** The events that were given up, oldest first. */
export const listFailedEvents = async (database: Database, webhook: Webhook): Promise<FailedEvent[]> =>
  (await all(database, failedOf(webhook))).map(failedEvent);

/** The last of the events that were given up, newest first. */
export async function lastFailedEvents(database: Database, webhook: Webhook, limit: number): Promise<FailedEvent[]> {
  const { items } = await database.query({ ...failedOf(webhook), descending: true, limit });
  return items.map(failedEvent);
}

export async function deleteFailedEvents(
  database: Database,
  { team_id, webhook_id }: Webhook,
  failed: readonly FailedEvent[],
): Promise<void> {
  for (const { key: sk } of failed) {
    const key = { pk: webhookEventPartition(team_id, webhook_id), sk };
    await database.transact([{ kind: 'delete', key, expect: {} }]);
  }
}

const packItem = itemReader('pack of events', z.object({ seq: z.int(), published_at: storedTime, events: z.string() }));
const packEvents = itemReader('pack of events', z.object({ events: jsonText(z.array(serviceEvent)) }));

/** The event with this id and its place in the log. Looks at the newest events first, and no further back than `since`. */
export async function findEvent(
  database: Database,
  teamId: string,
  eventId: string,
  since = '',
): Promise<{ event: ServiceEvent; place: string } | undefined> {
  const query = { pk: eventPartition(teamId), prefix: eventPackPrefix, descending: true, limit: 50 };
  for await (const items of pages(database, query)) {
    for (const item of items) {
      const { seq, published_at, events: text } = packItem(item);
      if (published_at < since) return undefined;
      // Most packs do not have it, and need not be parsed.
      if (!text.includes(eventId)) continue;
      const { events } = packEvents(item);
      const index = events.findIndex(({ id }) => id === eventId);
      if (index >= 0) return { event: events[index]!, place: logPlace({ seq, index }) };
    }
  }
  return undefined;
}

const testDays = 1;

export async function insertTest(
  database: Database,
  { team_id, webhook_id }: Webhook,
  event: TestEvent,
  now: number,
): Promise<void> {
  const key = webhookEventKey(team_id, webhook_id, 'TEST', event.id);
  const expires_at = Math.ceil(now / 1000) + testDays * 24 * 3600;
  await database.write([{ kind: 'insert', item: { ...key, event: JSON.stringify(event), expires_at } }]);
}

const testItem = itemReader('test of a webhook', z.object({ result: attemptResult.optional() }));

/** `undefined` until the test was sent. */
export async function loadTestResult(
  database: Database,
  { team_id, webhook_id }: Webhook,
  testId: string,
): Promise<AttemptResult | undefined> {
  return (await readOne(database, webhookEventKey(team_id, webhook_id, 'TEST', testId), testItem))?.result;
}
