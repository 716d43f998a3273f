import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../../client/index.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const id = '11111111-1111-5111-8111-000000000001';
const message = {
  type: 'contact.created',
  timestamp: '2026-03-01T12:00:00.000000Z',
  data: { id, type: 'contact.created', at: '2026-03-01T12:00:00.000000Z', team_id: id, batch_id: 'č \u2028 🎉' },
};
const body = JSON.stringify(message);

/** Signed by the library of Standard Webhooks. */
function headersOf(signedWith: string, text = body, time = Date.now()): Record<string, string> {
  const signature = new Webhook(signedWith).sign(id, new Date(time), text);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time / 1000)),
    'webhook-signature': signature,
  };
}

describe('a signature of the library of Standard Webhooks', () => {
  test.each([
    ['a text', body],
    ['bytes', new TextEncoder().encode(body)],
    ['a Buffer', Buffer.from(body)],
  ])('is accepted with %s as the body, which is returned', async (_, given) => {
    expect(await verifyWebhook(secret, headersOf(secret), given)).toEqual(message);
  });

  test('is accepted with Headers, with a secret without its prefix, and with several secrets', async () => {
    const headers = new Headers(headersOf(secret));
    for (const given of [secret, secret.slice(6), [newSecret(), secret]]) {
      expect(await verifyWebhook(given, headers, body)).toEqual(message);
    }
  });

  test('is accepted beside others, also of other versions', async () => {
    const headers = headersOf(secret);
    const others = `v1a,abc v2,${headers['webhook-signature']!.slice(3)} v1,%%% ${headersOf(newSecret())['webhook-signature']}`;
    const all = { ...headers, 'webhook-signature': `${others} ${headers['webhook-signature']}` };
    expect(await verifyWebhook(secret, all, body)).toEqual(message);
    await expect(verifyWebhook(secret, { ...headers, 'webhook-signature': others }, body)).rejects.toThrow(
      WebhookVerificationError,
    );
  });

  test('is computed once a secret and looked for among ten, however many are offered', async () => {
    const headers = headersOf(secret);
    const others = Array.from({ length: 1300 }, () => `v1,${randomBytes(32).toString('base64')}`);
    const offer = (at: number) => ({
      ...headers,
      'webhook-signature': others.with(at, headers['webhook-signature']!).join(' '),
    });
    const sign = vi.spyOn(crypto.subtle, 'sign');
    const verify = vi.spyOn(crypto.subtle, 'verify');
    expect(await verifyWebhook([newSecret(), secret], offer(9), body)).toEqual(message);
    await expect(verifyWebhook([newSecret(), secret], offer(10), body)).rejects.toThrow(WebhookVerificationError);
    expect([sign.mock.calls.length, verify.mock.calls.length]).toEqual([4, 0]);
  });

  test('is refused with characters beside its 44', async () => {
    const headers = headersOf(secret);
    for (const signature of [`${headers['webhook-signature']}=`, `${headers['webhook-signature']!.slice(0, -1)}`]) {
      await expect(verifyWebhook(secret, { ...headers, 'webhook-signature': signature }, body)).rejects.toThrow(
        WebhookVerificationError,
      );
    }
  });
});

describe('refused is', () => {
  const refused = (...args: Parameters<typeof verifyWebhook>) =>
    expect(verifyWebhook(...args)).rejects.toThrow(WebhookVerificationError);

  test('another secret, body, id or time', async () => {
    const headers = headersOf(secret);
    await refused(newSecret(), headers, body);
    await refused(secret, headers, `${body} `);
    await refused(secret, { ...headers, 'webhook-id': `${id}2` }, body);
    await refused(secret, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }, body);
  });

  test.each([['webhook-id'], ['webhook-timestamp'], ['webhook-signature']])('a request without %s', async (name) => {
    const { [name]: _, ...headers } = headersOf(secret);
    await refused(secret, headers, body);
    await refused(secret, { ...headers, [name]: [headersOf(secret)[name]!, 'again'] }, body);
  });

  test.each(['', 'soon', '1e9', '-1', '0x10'])('the time %j', async (time) => {
    await refused(secret, { ...headersOf(secret), 'webhook-timestamp': time }, body);
  });

  test('a time of more than five minutes ago or ahead, unless the caller tolerates it', async () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    for (const seconds of [-301, 301]) {
      const headers = headersOf(secret, body, now + seconds * 1000);
      await refused(secret, headers, body, { now });
      expect(await verifyWebhook(secret, headers, body, { now, tolerance: 302 })).toEqual(message);
    }
    for (const seconds of [-299, 299]) {
      expect(await verifyWebhook(secret, headersOf(secret, body, now + seconds * 1000), body, { now })).toEqual(
        message,
      );
    }
  });

  test('an empty secret or signature, with which anybody could sign', async () => {
    await expect(verifyWebhook('', headersOf(secret), body)).rejects.toThrow(TypeError);
    await expect(verifyWebhook('whsec_', headersOf(secret), body)).rejects.toThrow(TypeError);
    await refused(secret, { ...headersOf(secret), 'webhook-signature': 'v1,' }, body);
  });
});
