import * as z from 'zod';
import { serviceEvent } from '../../domain/events/event.ts';
import {
  type AttemptResult,
  attemptResult,
  type EndedWebhook,
  endedDays,
  endedWebhook,
  failedDays,
  type PendingDelivery,
  type TestEvent,
  testEvent,
  type Webhook,
  type WebhookProgress,
  type WebhookSecrets,
  webhookProgress,
  webhookSchema,
  webhookSecrets,
} from '../../domain/events/webhook.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { all, chunksOf, type Database, type Item, versioned, type Write, writeOne } from '../table/database.ts';
import {
  endedWebhookKey,
  isWebhookTest,
  type Key,
  nameOfWebhookEvent,
  retriesAndTests,
  webhookEventKey,
  webhookEventPartition,
  webhookKey,
  webhookPartition,
  webhookSecretsKey,
} from '../table/keys.ts';
import { itemReader, jsonText, storedTime, storedVersion } from '../table/stored-item.ts';

/** A webhook and how far it has got. Every write of the progress gives it another version. */
export type StoredWebhook = { webhook: Webhook; progress: WebhookProgress; version: number };

const webhookItem = itemReader(
  'webhook',
  z.object({ data: jsonText(webhookSchema), progress: jsonText(webhookProgress), version: storedVersion }),
);
const webhookOf = (item: Item): StoredWebhook => {
  const { data: webhook, ...rest } = webhookItem(item);
  return { webhook, ...rest };
};
const secretsItem = itemReader('secrets of a webhook', z.object({ secrets: jsonText(webhookSecrets) }));
const pendingItem = itemReader(
  'event that waits for another attempt',
  z.object({
    event: jsonText(serviceEvent),
    attempts: z.int(),
    since: storedTime.nullable(),
    tried_at: storedTime.nullable(),
  }),
);
const testItem = itemReader(
  'test of a webhook',
  z.object({ event: jsonText(testEvent), result: attemptResult.optional() }),
);

/** The team's webhooks. */
export const listWebhooks = async (database: Database, teamId: string): Promise<StoredWebhook[]> =>
  (await all(database, { pk: webhookPartition(teamId), prefix: webhookKey(teamId, '').sk })).map(webhookOf);

const endedItem = itemReader('ended webhook', z.object({ data: jsonText(endedWebhook) }));

/** The team's webhooks that their receivers ended in the last thirty days. */
export async function listEndedWebhooks(database: Database, teamId: string, now: number): Promise<EndedWebhook[]> {
  const items = await all(database, { pk: webhookPartition(teamId), prefix: endedWebhookKey(teamId, '').sk });
  const oldest = timestamp(now - endedDays * day);
  return items.map((item) => endedItem(item).data).filter(({ ended_at }) => ended_at >= oldest);
}

export async function findWebhook(
  database: Database,
  teamId: string,
  webhookId: string,
): Promise<StoredWebhook | undefined> {
  const [item] = await database.get([webhookKey(teamId, webhookId)]);
  return item && webhookOf(item);
}

/** The webhook with its secrets. */
export async function loadWebhook(
  database: Database,
  teamId: string,
  webhookId: string,
): Promise<(StoredWebhook & { secrets: WebhookSecrets }) | undefined> {
  const [item, secrets] = await database.get([webhookKey(teamId, webhookId), webhookSecretsKey(webhookId)]);
  return item && secrets && { ...webhookOf(item), ...secretsItem(secrets) };
}

/** What waits besides the log: events for another attempt, in the order of the log, and tests without a result. */
export type WaitingEvents = { pending: PendingDelivery[]; tests: TestEvent[] };

export async function loadWaiting(database: Database, { team_id, webhook_id }: Webhook): Promise<WaitingEvents> {
  const items = await all(database, { pk: webhookEventPartition(team_id, webhook_id), ...retriesAndTests });
  const tests = items.filter(isWebhookTest).map(testItem);
  return {
    pending: items
      .filter((item) => !isWebhookTest(item))
      .map((item) => ({ place: nameOfWebhookEvent(item), ...pendingItem(item) })),
    tests: tests.filter(({ result }) => result === undefined).map(({ event }) => event),
  };
}

/** What a turn changes besides the progress. `givenUp` are no longer pending. */
export type PendingChanges = {
  added: readonly PendingDelivery[];
  changed: readonly PendingDelivery[];
  received: readonly PendingDelivery[];
  givenUp: readonly PendingDelivery[];
};

/** One transaction. @returns false if another write has changed the progress since it was read, or the webhook is gone. */
export async function saveProgress(
  database: Database,
  { webhook, version }: StoredWebhook,
  progress: WebhookProgress,
  now: number,
  { added, changed, received, givenUp }: PendingChanges = noChanges,
): Promise<boolean> {
  const { team_id, webhook_id } = webhook;
  const keyOf = ({ place }: PendingDelivery) => webhookEventKey(team_id, webhook_id, 'RETRY', place);
  const update = versioned(webhookKey(team_id, webhook_id), version, { progress: JSON.stringify(progress) });
  const writes: Write[] = [
    ...added.map((each): Write => ({ kind: 'insert', item: { ...keyOf(each), ...attributesOf(each) } })),
    ...changed.map((each): Write => ({ kind: 'update', key: keyOf(each), set: attributesOf(each), expect: {} })),
    ...[...received, ...givenUp].map((each): Write => ({ kind: 'delete', key: keyOf(each), expect: {} })),
    ...givenUp.map((each): Write => {
      const at = timestamp(now);
      const key = webhookEventKey(team_id, webhook_id, 'FAILED', `${at}#${each.event.id}`);
      const expires_at = Math.ceil(now / 1000) + failedDays * 24 * 3600;
      return { kind: 'insert', item: { ...key, place: each.place, ...attributesOf(each), expires_at } };
    }),
  ];
  if (writes.length > 0) return database.transact([update, ...writes]);
  return writeOne(database, update);
}

const noChanges: PendingChanges = { added: [], changed: [], received: [], givenUp: [] };

const attributesOf = ({ event, attempts, since, tried_at }: PendingDelivery) => ({
  ...{ event: JSON.stringify(event), attempts, since, tried_at },
});

/** Stores the result of a test. */
export async function saveTest(
  database: Database,
  { team_id, webhook_id }: Webhook,
  test: TestEvent,
  result: AttemptResult,
): Promise<void> {
  const key = webhookEventKey(team_id, webhook_id, 'TEST', test.id);
  await database.write([{ kind: 'update', key, set: { result }, expect: {} }]);
}

const day = 24 * 3_600_000;

/** Deletes the webhook, and keeps that it ended. */
export async function endWebhook(database: Database, ended: EndedWebhook, now: number): Promise<void> {
  const key = endedWebhookKey(ended.team_id, ended.webhook_id);
  const expires_at = Math.ceil(now / 1000) + endedDays * 24 * 3600;
  await deleteWebhook(database, ended, [{ kind: 'insert', item: { ...key, data: JSON.stringify(ended), expires_at } }]);
}

/** Deletes the webhook with everything of it. @returns false if there is none. A repeat deletes what an interrupted one left. */
export async function deleteWebhook(
  database: Database,
  { team_id, webhook_id }: Pick<Webhook, 'team_id' | 'webhook_id'>,
  beside: readonly Write[] = [],
): Promise<boolean> {
  await deleteEvents(database, team_id, webhook_id);
  const keys = [webhookKey(team_id, webhook_id), webhookSecretsKey(webhook_id)];
  const isDeleted = await database.transact([...keys.map(deletion), ...beside]);
  await deleteEvents(database, team_id, webhook_id);
  return isDeleted;
}

/** Those that something else deletes at the same time are passed over. */
async function deleteEvents(database: Database, teamId: string, webhookId: string): Promise<void> {
  const items = await all(database, { pk: webhookEventPartition(teamId, webhookId) });
  for (const group of chunksOf(items.map(deletion), 100)) {
    if (await database.transact(group)) continue;
    for (const each of group) await database.transact([each]);
  }
}

const deletion = ({ pk, sk }: Key): Write => ({ kind: 'delete', key: { pk, sk }, expect: {} });
