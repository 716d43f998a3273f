import type { JsonObject } from '../../domain/json.ts';
import { fillUrl, noValues } from '../../domain/placeholders.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { isEmailAddress, safeUrl } from '../links.ts';
import { reasonForAuthors } from './author-links.ts';
import { invisible } from './invisible.ts';

export const sampleJourneyUrl = 'https://onboarding.example/j/sample';

/** Names of values, which a page replaces by values that are unknown here. */
const otherPlaceholder = /\{\{(?!\s*journey_url\s*\}\})[^{}]*\}\}/g;

/** The URL as it is with some value for each of its placeholders. @param variables of the page (`content_variables`) */
export function sampleUrl(url: string, variables: JsonObject = {}): string {
  const sample = /^\s*mailto:/i.test(url) ? 'a%40value.example' : /^\s*tel:/i.test(url) ? '15550100199' : '1';
  return fillUrl(withJourneyUrl(url, variables).replaceAll(otherPlaceholder, sample), {
    ...noValues,
    journeyUrl: sampleJourneyUrl,
  });
}

const withJourneyUrl = (url: string, variables: JsonObject): string =>
  url.replaceAll(/\{\{([^{}]*)\}\}/g, (whole, name: string) =>
    variables[name.trim()] === 'journey_url' ? '{{journey_url}}' : whole,
  );

/** A URL to which a page does not link, because its scheme is not allowed or it leads nowhere. */
export function urlWarnings(url: unknown, path: string, variables: JsonObject = {}): ErrorDetail[] {
  if (typeof url !== 'string' || url.trim() === '') return [];
  const sample = sampleUrl(url, variables).trim();
  const isLink = safeUrl(sample) !== undefined;
  const reason = reasonDead(withJourneyUrl(url, variables).trim(), sample);
  if (reason !== undefined) {
    return [{ path, message: `${isLink ? 'is a link that does not work' : 'cannot be a link'}, because it ${reason}` }];
  }
  if (!isLink) {
    return [
      { path, message: 'cannot be a link: write a complete URL that begins with https://, http://, mailto: or tel:' },
    ];
  }
  const other = reasonForAuthors(sample);
  return other === undefined ? [] : [{ path, message: `is probably not the link for people, because it ${other}` }];
}

/** @param url as it is written @param sample the same with values for its placeholders */
function reasonDead(url: string, sample: string): string | undefined {
  if (/^\{\{\s*journey_url\s*\}\}./s.test(url)) {
    return 'has more text after `{{journey_url}}`, which is complete: write `{{journey_url}}` alone';
  }
  if (/^(?:tel|mailto):/i.test(sample) && invisible.test(sample)) return 'has an invisible character: type it again';
  if (/^tel:/i.test(sample)) return reasonOfPhone(decoded(sample.slice('tel:'.length)));
  if (/^mailto:/i.test(sample)) return reasonOfMail(decoded(sample.slice('mailto:'.length).replace(/\?.*/s, '')));
  if (/^https?:\/\/[^/?#]*\{\{\s*(?:team|template)\.name\s*\}\}/i.test(url)) {
    return 'has a name in the host, which cannot have spaces: write the host itself';
  }
  return /^https?:/i.test(sample) ? reasonOfSite(sample) : undefined;
}

function reasonOfPhone(number: string): string | undefined {
  const [digits = ''] = number.split(';');
  if (!/\d/.test(digits)) return 'has no phone number: write it after `tel:`';
  if (/\p{L}/u.test(digits)) return 'has letters in the phone number: write digits';
  if (digits.replaceAll(/\D/g, '').length > 15) return 'has more digits than a phone number: write one number';
  return digits.replaceAll(/\D/g, '').length < 3 ? 'has a phone number of fewer than three digits' : undefined;
}

function reasonOfMail(address: string): string | undefined {
  if (!isEmailAddress(address)) return 'has no email address: write it after `mailto:`';
  if (/\s/.test(address.trim())) return 'has a space in the email address';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return reasonOfHost(domain, 'email address');
}

function reasonOfSite(url: string): string | undefined {
  if (/^https?:\/*https?[:/]/i.test(url)) return 'has `https://` twice';
  if (/^https?:\/\/[^/?#]*@/i.test(url)) {
    return 'has a user name or a password before the host: write only the host after `https://`';
  }
  const [, host = ''] = url.match(/^https?:\/\/([^/?#]*)/i) ?? [];
  if (host === '') return 'has no host after `https://`';
  return (
    reasonOfCharacters(url) ??
    reasonOfNetwork(url, host) ??
    reasonOfHost(host.replace(/:\d*$/, ''), 'host') ??
    reasonOfEnd(url)
  );
}

/** Hosts of this machine or of a private network (RFC 1918, 4193, 6598, 6761, 6762), as browsers write them. */
const ownNetwork =
  /^(?:(?:.*\.)?(?:localhost|local|internal)|(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\..*|\[(?:::1?|f[cd].*|fe[89ab].*)\])$/;

/** @param host a number alone is the value of a placeholder */
function reasonOfNetwork(url: string, host: string): string | undefined {
  const hostname = URL.canParse(url) && !/^\d+(?::\d*)?$/.test(host) ? new URL(url).hostname : '';
  return ownNetwork.test(hostname)
    ? `has the host \`${host}\`, which is reached only from a private network`
    : undefined;
}

const reasonOfCharacters = (url: string): string | undefined => {
  if (invisible.test(url)) return 'has an invisible character: type the URL again';
  if (/\s/.test(url)) return 'has a space: write %20 for a space in a path';
  if (/[{}]/.test(url)) return 'has a `{` or `}` that is not part of a placeholder such as `{{meta_public.id}}`';
  if (/[“”„‟«»]/.test(url)) return 'has a quotation mark';
  if (/&amp;/i.test(url)) return 'has `&amp;`: write `&`';
  if (/%7b%7b/i.test(url)) return 'has `%7B%7B`: write a placeholder as `{{meta_public.id}}`';
  return url.includes('…') ? 'has `…`: write the complete URL' : undefined;
};

function reasonOfEnd(url: string): string | undefined {
  const [, end] = /([.,;:!'"’])$/.exec(url) ?? [];
  return end === undefined ? undefined : `ends with \`${end}\`, which is probably not part of it`;
}

/** @param what has the host */
function reasonOfHost(host: string, what: string): string | undefined {
  if (host.startsWith('[')) return undefined;
  if (host.includes(',')) return `has a comma in the ${what}: write a dot`;
  if (/\.\.|^\.|\.$/.test(host)) return `has a dot too many in the ${what}`;
  if (/^www\.[^.]*$/i.test(host)) return `has no ending such as \`.com\` after \`${host}\``;
  return host.includes('.') || /^\d+$/.test(host) ? undefined : `has no dot in the ${what}, after \`${host}\``;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
