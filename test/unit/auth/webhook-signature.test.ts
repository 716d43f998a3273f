import { randomBytes } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signatureHeaders } from '../../../lib/auth/webhook-signature.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const id = '11111111-1111-5111-8111-000000000001';
const body = '{"type":"journey.completed","timestamp":"2026-03-01T12:00:00.000000Z","data":{"id":"é \\u2028"}}';

test('the library of Standard Webhooks accepts the signature, and returns the body', () => {
  const secret = newSecret();
  const headers = signatureHeaders([secret], { id, body }, Date.now());
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

test('the headers are those of the example of the specification', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
  expect(signatureHeaders([secret], example, 1_614_265_330_999)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('during a rotation, receivers with either secret accept it', () => {
  const [one, other, third] = [newSecret(), newSecret(), newSecret()];
  const headers = signatureHeaders([one, other], { id, body }, Date.now());
  expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  for (const secret of [one, other]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
  expect(() => new Webhook(third).verify(body, headers)).toThrow(WebhookVerificationError);
});

test.each([
  ['body', body.replace('completed', 'verified'), {}],
  ['id', body, { 'webhook-id': '11111111-1111-5111-8111-000000000002' }],
  ['time', body, { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) }],
])('a changed %s is not accepted', (_, changed, headers) => {
  const secret = newSecret();
  const signed = signatureHeaders([secret], { id, body }, Date.now());
  expect(() => new Webhook(secret).verify(changed, { ...signed, ...headers })).toThrow(WebhookVerificationError);
});
