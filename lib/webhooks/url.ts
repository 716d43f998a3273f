import { isIP } from 'node:net';
import { maxWebhookUrl } from '../domain/events/webhook.ts';
import { isPublicAddress } from './addresses.ts';

/** Where webhooks may be sent. */
export type UrlPolicy = {
  /** Plain HTTP to this machine too: for the local service. */
  allowsLocal: boolean;
  /** Which addresses are allowed, if not all public ones. */
  isAllowed?: (address: string) => boolean;
};

/** Names that never lead to a host of the public internet. */
const privateName = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;

/**
 * Why the URL of a webhook is refused; `undefined` if it is not. The addresses of a name are checked when it is resolved,
 * at each connection.
 */
export function urlRefusal(text: string, policy: UrlPolicy): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'must be a URL';
  if (text.length > maxWebhookUrl) return `must have at most ${maxWebhookUrl} characters`;
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password';
  if (isLocalUrl(url, policy)) return undefined;
  if (url.protocol !== 'https:') return 'must begin with https://';
  const host = hostOf(url);
  if (isIP(host) !== 0)
    return (policy.isAllowed ?? isPublicAddress)(host) ? undefined : 'must not be a private or reserved address';
  if (host.endsWith('.')) return 'must not have a host name that ends with a dot';
  return privateName.test(host) ? 'must have a public host name' : undefined;
}

export const isLocalUrl = ({ protocol, hostname }: URL, { allowsLocal }: UrlPolicy): boolean =>
  allowsLocal && protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname);

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
