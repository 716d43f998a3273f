import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryDependencies } from '../operations/events/deliver-webhook.ts';
import { webhookSender } from '../webhooks/sender.ts';
import { environment } from './base.ts';
import { runtime } from './table.ts';

/** For one invocation of the function that delivers. Call `close` at its end. */
export function deliveryDependencies(): DeliveryDependencies & { close(): void } {
  const { EVENT_RETENTION_DAYS: eventRetentionDays, LOCAL_WEBHOOKS } = environment();
  const { send, close } = webhookSender({ allowsLocal: LOCAL_WEBHOOKS === 'allowed' });
  const { database, now } = runtime();
  return { database, now, eventRetentionDays, send, close, sleep: (milliseconds) => sleep(milliseconds) };
}
