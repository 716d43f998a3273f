import type { Event } from './request.ts';

/**
 * True if the request has `Prefer: handling=strict` (RFC 7240, section 4.4; contract, section 1). A repeated header
 * arrives as one, with commas. Of a preference that is sent more than once, the first counts.
 */
export function isStrict({ headers }: Event): boolean {
  const preferences = headers.prefer?.match(/(?:[^,"]|"(?:\\.|[^"\\])*"?)+/gs) ?? [];
  const handling = preferences.find((each) => /^\s*handling\s*(?:[=;]|$)/i.test(each));
  return handling !== undefined && /^[^=]*=\s*(?:strict|"strict")\s*(?:;|$)/i.test(handling);
}

export const strictPreference = 'handling=strict';

/** The parameter and the header in the OpenAPI document. */
export const preferParameter = {
  name: 'Prefer',
  in: 'header',
  description:
    'With `handling=strict` (RFC 7240), unknown fields of the body are errors (422), and so are values that are stored but ' +
    'cannot be used: an email without `@`, an unknown time zone, a phone of fewer than five digits.',
  schema: { type: 'string', examples: [strictPreference] },
};
export const preferenceAppliedHeader = {
  description: '`handling=strict` if the request had it as `Prefer`. Error responses have it too.',
  schema: { type: 'string' },
};
