import { type Child, type Html, html } from './html.ts';

const schemes: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/** The address, where it is one that content may lead to: whole, of a harmless scheme, without credentials. */
export function safeUrl(address: string): string | undefined {
  // Where no host is written, as when a placeholder for it stays empty, browsers take one from the path.
  if (!URL.canParse(address.trim()) || /^\s*https?:(?!\/\/[^/\\])/i.test(address)) return undefined;
  const url = new URL(address.trim());
  return schemes.has(url.protocol) && url.username === '' && url.password === '' ? url.href : undefined;
}

/** Images come along with the page: nothing is loaded from elsewhere, and none of these can run anything. */
export const isImageData = (address: string): boolean =>
  /^data:image\/(?:png|gif|jpeg|webp|avif|svg\+xml)(?:;[\w=-]+)*,[^\s<>"'\\]*$/i.test(address);

/** A link that leaves the page; mere text where the address is none that content may lead to. */
export function link(address: string | undefined, text: Child, className = 'link'): Html {
  const safe = address === undefined ? undefined : safeUrl(address);
  if (safe === undefined) return html`<span>${text}</span>`;
  // A telephone or mail program opens beside the page: a tab for it would stay empty.
  const isProgram = /^(?:mailto|tel):/.test(safe) && html` target="_self"`;
  return html`<a class="${className}" href="${safe}"${isProgram} rel="noopener noreferrer">${text}</a>`;
}
