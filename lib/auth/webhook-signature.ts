import { createHmac } from 'node:crypto';

/** Signatures of Standard Webhooks 1.0 (https://www.standardwebhooks.com): HMAC-SHA-256 of `<id>.<timestamp>.<body>`. */

const prefix = 'whsec_';

/** @param secrets one signature for each @param now milliseconds since the epoch */
export function signatureHeaders(
  secrets: readonly string[],
  { id, body }: { id: string; body: string },
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
