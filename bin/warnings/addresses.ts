import { fillUrl, noValues } from '../../lib/domain/journeys/placeholders.ts';
import type { ErrorDetail } from '../../lib/domain/values/problem.ts';
import { isEmailAddress, safeUrl } from '../../lib/web/links.ts';

export const sampleJourneyUrl = 'https://onboarding.example/j/sample';

/** Names of values, which a page replaces by values that are unknown here. */
const otherPlaceholder = /\{\{(?!\s*journey_url\s*\}\})[^{}]*\}\}/g;

/** The URL as it is with some value for each of its placeholders. */
export function sampleUrl(url: string): string {
  const sample = /^\s*mailto:/i.test(url) ? 'a%40value.example' : /^\s*tel:/i.test(url) ? '15550100199' : '1';
  return fillUrl(url.replaceAll(otherPlaceholder, sample), {
    ...noValues,
    journeyUrl: sampleJourneyUrl,
  });
}

/** A URL to which a page does not link. A variable alone can name the URL of the journey. */
export function urlWarnings(url: string, path: string): ErrorDetail[] {
  if (/^(?:\{\{\s*\w+\s*\}\})?$/.test(url.trim())) return [];
  const sample = sampleUrl(url).trim();
  if (safeUrl(sample) === undefined) {
    return [
      { path, message: 'cannot be a link: write a complete URL that begins with https://, http://, mailto: or tel:' },
    ];
  }
  const reason = reasonDead(url.trim(), sample);
  return reason === undefined ? [] : [{ path, message: `is a link that does not work, because it ${reason}` }];
}

/** The same for a link inside a text. */
export const linkWarnings = (url: string, path: string): ErrorDetail[] =>
  urlWarnings(url, path).map(({ message }) => ({ path, message: `has the link \`${url}\`, which ${message}` }));

/** @param url as it is written @param sample the same with values for its placeholders */
function reasonDead(url: string, sample: string): string | undefined {
  if (/^\{\{\s*journey_url\s*\}\}./s.test(url)) {
    return 'has more text after `{{journey_url}}`, which is complete: write `{{journey_url}}` alone';
  }
  if (/^tel:/i.test(sample)) {
    const [number = ''] = sample.slice('tel:'.length).split(';');
    return /^\D*(?:\d\D*){3,15}$/.test(number) && !/\p{L}/u.test(number)
      ? undefined
      : 'has no phone number: write one number in digits after `tel:`';
  }
  if (/^mailto:/i.test(sample)) {
    const address = sample.slice('mailto:'.length).replace(/\?.*/s, '').replaceAll('%40', '@').trim();
    return isEmailAddress(address) && !/\s/.test(address) && isHost(address.slice(address.lastIndexOf('@') + 1))
      ? undefined
      : 'has no email address: write it after `mailto:`';
  }
  const [, host = ''] = sample.match(/^https?:\/\/([^/?#]*)/i) ?? [];
  return isHost(host.replace(/:\d*$/, '')) ? undefined : `has the host \`${host}\`, which people cannot reach`;
}

/** Hosts of this machine or of a private network (RFC 1918, 4193, 6598, 6761, 6762), as browsers write them. */
const ownNetwork =
  /^(?:(?:.*\.)?(?:localhost|local|internal)|(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\..*|\[(?:::1?|f[cd].*|fe[89ab].*)\])$/;

/** @param host a number alone is the value of a placeholder */
function isHost(host: string): boolean {
  if (/^\d+$/.test(host)) return true;
  const url = `https://${host}`;
  const hasDots = host.startsWith('[') || /^[^.,{}\s]+(?:\.[^.,{}\s]+)+$/.test(host);
  return hasDots && URL.canParse(url) && !ownNetwork.test(new URL(url).hostname);
}
