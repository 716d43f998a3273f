import { type Child, type Html, html } from './html.ts';

const schemes: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/** The URL if content may link to it: absolute, with an allowed scheme and without credentials, and not dead. */
export function safeUrl(address: string): string | undefined {
  // If the host is missing, for example because its placeholder is empty, browsers take it from the path.
  if (!URL.canParse(address.trim()) || /^\s*https?:(?!\/\/[^/\\])/i.test(address)) return undefined;
  const url = new URL(address.trim());
  const isSafe = schemes.has(url.protocol) && url.username === '' && url.password === '';
  return isSafe && leadsSomewhere(url) ? url.href : undefined;
}

export const isEmailAddress = (text: string): boolean => /[^@\s](?:@|%40)[^@\s]/i.test(text);

/** False for `tel:` without a digit and `mailto:` without an address, which open a program with nothing in it. */
function leadsSomewhere({ protocol, pathname }: URL): boolean {
  if (protocol === 'tel:') return /\d/.test(pathname.replaceAll(/%[0-9a-f]{2}/gi, ''));
  return protocol !== 'mailto:' || isEmailAddress(pathname);
}

/** Images must be data URLs, so that a page loads nothing. An image of these types cannot run scripts. */
export const isImageData = (address: string): boolean =>
  /^data:image\/(?:png|gif|jpeg|webp|avif|svg\+xml)(?:;[\w=-]+)*,[^\s<>"'\\]*$/i.test(address);

/** A link that leaves the page. Only text if content may not link to the URL. */
export function link(address: string | undefined, text: Child, className = 'link'): Html {
  const safe = address === undefined ? undefined : safeUrl(address);
  if (safe === undefined) return html`<span>${text}</span>`;
  // A phone or mail program opens outside the browser, so a new tab would stay empty.
  const isProgram = /^(?:mailto|tel):/.test(safe) && html` target="_self"`;
  return html`<a class="${className}" href="${safe}"${isProgram} rel="noopener noreferrer">${text}</a>`;
}
