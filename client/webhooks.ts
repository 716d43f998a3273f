import type { components } from './schema.ts';

/**
 * The body of a webhook: an event, or a test by an administrator.
 *
 * @example
 * const isCompletion = ({ type }: WebhookMessage) => type === 'journey.completed';
 */
export type WebhookMessage =
  | components['schemas']['WebhookDelivery']
  | {
      type: 'webhook.test';
      timestamp: string;
      data: { id: string; type: 'webhook.test'; at: string; team_id: string };
    };

/**
 * Options of `verifyWebhook`.
 *
 * @example
 * const options: VerifyWebhookOptions = { tolerance: 60 };
 */
export type VerifyWebhookOptions = {
  /** Seconds that the time of the request may differ from now. 300 by default, so that an old request cannot be repeated. */
  tolerance?: number;
  /** Milliseconds since the epoch. The clock of the platform by default. */
  now?: number;
};

/**
 * The request is not a webhook that was signed with the secret.
 *
 * @example
 * if (error instanceof WebhookVerificationError) console.log('refused', error.message);
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

type HeaderValue = string | readonly string[] | undefined;

/**
 * Checks the signature of a webhook, by Standard Webhooks 1.0, and returns its body.
 *
 * @param secret the secret of the webhook (`whsec_…`), or several during a rotation
 * @param headers of the request: `Headers`, or an object with lower-case names, as in Node
 * @param body the bytes or the text of the request as it arrived, before anything parsed it
 * @throws WebhookVerificationError
 *
 * @example
 * const { type, data } = await verifyWebhook(secret, request.headers, await request.text());
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: Headers | Readonly<Record<string, HeaderValue>>,
  body: string | Uint8Array,
  { tolerance = 300, now = Date.now() }: VerifyWebhookOptions = {},
): Promise<WebhookMessage> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string') throw new WebhookVerificationError(`the header ${name} is missing`);
    return value;
  };
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  const signatures = signaturesIn(header('webhook-signature'));
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > tolerance) {
    throw new WebhookVerificationError('the time of the webhook is not now');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = await new Blob([`${id}.${timestamp}.`, bytes as Uint8Array<ArrayBuffer>]).arrayBuffer();
  for (const each of [secret].flat()) {
    const expected = await signatureOf(each, signed);
    if (signatures.some((signature) => isSame(signature, expected))) {
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage;
    }
  }
  throw new WebhookVerificationError('the signature is not that of the secret');
}

/** The service sends two signatures at most. So many others of a sender cost only a comparison. */
const maxSignatures = 10;
const lengthOfSignature = 44;

const signaturesIn = (header: string): string[] =>
  header
    .split(' ', maxSignatures)
    .filter((offered) => offered.startsWith('v1,') && offered.length === lengthOfSignature + 3)
    .map((offered) => offered.slice(3));

/** Base64, 44 characters. */
async function signatureOf(secret: string, signed: ArrayBuffer): Promise<string> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes) throw new TypeError('the secret must be that of a webhook: whsec_ and base64');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return btoa(Array.from(signature, (byte) => String.fromCharCode(byte)).join(''));
}

/** Takes the same time for every text of this length. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < other.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return bytes.length > 0 ? bytes : undefined;
  } catch {
    return undefined;
  }
}
