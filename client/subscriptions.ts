import { Area } from './transport.ts';
import type {
  CallOptions,
  NewWebhook,
  RotatedWebhook,
  Webhook,
  WebhookDetails,
  WebhookInput,
  WebhookTest,
} from './types.ts';

/** URLs to which the events of the team are sent. `verifyWebhook` checks what arrives there. */
export class Webhooks extends Area {
  /**
   * All webhooks with their state, oldest first.
   *
   * @example
   * for (const { url, state } of await client.webhooks.list()) console.log(url, state);
   */
  async list({ signal }: CallOptions = {}): Promise<Webhook[]> {
    return (await this.transport.call('GET /v1/webhooks', { signal })).webhooks;
  }

  /**
   * A webhook with its state and what waits.
   *
   * @example
   * const { backlog } = await client.webhooks.get(id);
   */
  async get(id: string, { signal }: CallOptions = {}): Promise<WebhookDetails> {
    return this.transport.call('GET /v1/webhooks/{id}', { path: { id }, signal });
  }

  /**
   * Sends the events that are published from now on to a URL. Save the secret: it is returned only here. The call is not
   * repeated, because a second one would make a second webhook.
   *
   * @example
   * const { id, secret } = await client.webhooks.create({ url: 'https://receiver.example.com/', types: ['journey.*'] });
   */
  async create(body: WebhookInput, { signal }: CallOptions = {}): Promise<NewWebhook> {
    return this.transport.call('POST /v1/webhooks', { body, signal, onlyOnce: true });
  }

  /**
   * Ends a webhook.
   *
   * @example
   * await client.webhooks.delete(id);
   */
  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.transport.respond('DELETE /v1/webhooks/{id}', { path: { id }, signal });
  }

  /**
   * Gives a webhook a new secret. The one before signs for 24 more hours. The call is not repeated.
   *
   * @example
   * const { secret } = await client.webhooks.rotate(id);
   */
  async rotate(id: string, { signal }: CallOptions = {}): Promise<RotatedWebhook> {
    return this.transport.call('POST /v1/webhooks/{id}/rotate', { path: { id }, signal, onlyOnce: true });
  }

  /**
   * Sends one event of the type `webhook.test`, and returns the response of the receiver.
   *
   * @example
   * const { received, status } = await client.webhooks.test(id);
   */
  async test(id: string, { signal }: CallOptions = {}): Promise<WebhookTest> {
    return this.transport.call('POST /v1/webhooks/{id}/test', { path: { id }, signal });
  }
}
