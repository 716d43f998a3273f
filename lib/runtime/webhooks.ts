import type { DeliveryDependencies } from '../operations/events/deliver-webhook.ts';
import { publicExcept } from '../webhooks/addresses.ts';
import { webhookSender } from '../webhooks/sender.ts';
import { environment } from './base.ts';
import { runtime } from './table.ts';

/** For one invocation of the function that delivers. Call `close` at its end. */
export function deliveryDependencies(): DeliveryDependencies & { close(): void } {
  const {
    EVENT_RETENTION_DAYS: eventRetentionDays,
    AUDIT_RETENTION_DAYS: retentionDays,
    LOCAL_WEBHOOKS,
    WEBHOOK_DENIED_RANGES,
  } = environment();
  const isAllowed = publicExcept(WEBHOOK_DENIED_RANGES);
  const { send, close } = webhookSender({ allowsLocal: LOCAL_WEBHOOKS === 'allowed', isAllowed });
  const { database, now } = runtime();
  return { database, now, eventRetentionDays, retentionDays, send, close };
}
