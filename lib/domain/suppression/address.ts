/**
 * The form in which an email address is compared and hashed (contract, section 15): without surrounding spaces, NFC,
 * lower case, and the domain in ASCII. Two spellings of one address have one form.
 * @returns `undefined` for a text without an `@` between other characters: nothing can be sent to it
 */
export function normalizedAddress(email: string): string | undefined {
  const text = email.trim().normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1).replace(/\.$/, '');
  return at < 1 || domain === '' ? undefined : `${text.slice(0, at)}@${asciiDomain(domain)}`;
}

/** Only a name is converted: in a URL, other characters end the host or have a meaning of their own. */
function asciiDomain(domain: string): string {
  const url = /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) && /[^ -~]/.test(domain) ? `http://${domain}` : '';
  return URL.canParse(url) ? new URL(url).hostname : domain;
}

/** The address for its owner, who knows it: `a••••@e••••.com`. */
export function halfHidden(email: string): string {
  const at = email.lastIndexOf('@');
  const dot = email.lastIndexOf('.');
  const [name, domain, end] = [email.slice(0, at), email.slice(at + 1, Math.max(dot, at + 1)), email.slice(dot)];
  const hidden = (text: string) => `${[...text][0] ?? ''}••••`;
  return dot > at ? `${hidden(name)}@${hidden(domain)}${end}` : `${hidden(name)}@${hidden(email.slice(at + 1))}`;
}
