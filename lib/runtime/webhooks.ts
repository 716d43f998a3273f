import type { DeliveryService } from '../operations/events/deliver-webhook.ts';
import { publicExcept } from '../webhooks/addresses.ts';
import { webhookSender } from '../webhooks/sender.ts';
import { environment } from './base.ts';
import { service } from './table.ts';

/** For one invocation of the function that delivers. Call `close` at its end. */
export function deliveryService(): DeliveryService & { close(): void } {
  const { LOCAL_WEBHOOKS, WEBHOOK_DENIED_RANGES } = environment();
  const isAllowed = publicExcept(WEBHOOK_DENIED_RANGES);
  const { send, close } = webhookSender({ allowsLocal: LOCAL_WEBHOOKS === 'allowed', isAllowed });
  return { ...service(), send, close };
}
