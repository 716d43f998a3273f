import { recordedAct } from '../operations/access/audit.ts';
import type { WebhookService } from '../operations/events/webhooks.ts';
import { urlRefusal } from '../webhooks/url.ts';
import { environment, once } from './base.ts';
import { service } from './table.ts';
import { webhookQueue } from './waiting-work.ts';

/** For the functions that change webhooks. */
export const webhookService = once((): WebhookService & { wait(milliseconds: number): Promise<void> } => ({
  ...service(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  wake: (lane) => webhookQueue().wake(lane),
}));

/** Why the URL of a webhook is refused. */
export const refusalOf = (url: string): string | undefined =>
  urlRefusal(url, { allowsLocal: environment().LOCAL_WEBHOOKS === 'allowed' });

/** Runs an act of a client between its entries in the audit log. */
export const recorded = <T>(act: Parameters<typeof recordedAct<T>>[1], run: () => Promise<T>): Promise<T> =>
  recordedAct(service(), act, run);
