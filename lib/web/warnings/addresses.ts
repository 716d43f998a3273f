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
  return fillUrl(named.replaceAll(otherPlaceholder, 'value'), { ...noValues, journeyUrl: sampleJourneyUrl });
}

/** A URL that a page shows as text, because its scheme is not allowed. */
export const urlWarnings = (url: unknown, path: string, variables?: JsonObject): ErrorDetail[] =>
  typeof url !== 'string' || url.trim() === '' || safeUrl(sampleUrl(url, variables)) !== undefined
    ? []
    : [{ path, message: 'is not a URL that a page can link to: https, http, mailto or tel' }];
