import type { JsonObject } from '../../domain/json.ts';
import { fillUrl, noValues } from '../../domain/placeholders.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { safeUrl } from '../links.ts';

export const sampleJourneyUrl = 'https://onboarding.example/j/sample';

/** Names of values, which a page replaces by values that are unknown here. */
const otherPlaceholder = /\{\{(?!\s*journey_url\s*\}\})[^{}]*\}\}/g;

/** The URL as it is with some value for each of its placeholders. @param variables of the page (`content_variables`) */
export function sampleUrl(url: string, variables: JsonObject = {}): string {
  const named = url.replaceAll(/\{\{([^{}]*)\}\}/g, (whole, name: string) =>
    variables[name.trim()] === 'journey_url' ? '{{journey_url}}' : whole,
  );
  const sample = /^\s*mailto:/i.test(url) ? 'a%40value.example' : '1';
  return fillUrl(named.replaceAll(otherPlaceholder, sample), { ...noValues, journeyUrl: sampleJourneyUrl });
}

/** A URL to which a page does not link, because its scheme is not allowed or it leads nowhere. */
export const urlWarnings = (url: unknown, path: string, variables?: JsonObject): ErrorDetail[] =>
  typeof url !== 'string' || url.trim() === '' || safeUrl(sampleUrl(url, variables)) !== undefined
    ? []
    : [{ path, message: reasonNotLinked(url) }];

function reasonNotLinked(url: string): string {
  if (/^\s*tel:/i.test(url)) return 'cannot be a link, because it has no phone number: write it after `tel:`';
  if (/^\s*mailto:/i.test(url)) {
    return 'cannot be a link, because it has no email address: write it after `mailto:`';
  }
  return 'cannot be a link: write a complete URL that begins with https://, http://, mailto: or tel:';
}
