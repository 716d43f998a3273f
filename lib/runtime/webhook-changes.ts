import * as z from 'zod/mini';
import { recordedAct } from '../operations/access/audit.ts';
import type { WebhookService } from '../operations/events/webhooks.ts';
import { webhookWaker } from '../store/events/webhook-queue.ts';
import { urlRefusal } from '../webhooks/url.ts';
import { queues } from './aws.ts';
import { environment, once } from './base.ts';
import { service } from './table.ts';

/** For the functions that change webhooks. */
export const webhookService = once(
  (): WebhookService => ({
    ...service(),
    wake: webhookWaker(z.url().parse(environment().WEBHOOK_QUEUE_URL), queues()),
  }),
);

/** Why the URL of a webhook is refused. */
export const refusalOf = (url: string): string | undefined =>
  urlRefusal(url, { allowsLocal: environment().LOCAL_WEBHOOKS === 'allowed' });

/** Runs an act of a client between its entries in the audit log. */
export const recorded = <T>(act: Parameters<typeof recordedAct<T>>[1], run: () => Promise<T>): Promise<T> =>
  recordedAct(service(), act, run);
