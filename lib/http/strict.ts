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

/** Characters of a path that are sent: the headers of a response have at most 10 KB. */
const maxPath = 64;

/** The header that names the fields without use. They are percent-encoded, because a name can have any character. */
export function unusedFieldsHeader(paths: readonly string[] = []): Record<string, string> {
  const encoded = paths.map((path) => encodeURI(path.slice(0, maxPath).toWellFormed()).replaceAll(',', '%2C'));
  return encoded.length > 0 ? { 'unused-fields': encoded.join(', ') } : {};
}

/** The parameter and the headers in the OpenAPI document. */
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
export const unusedFieldsDescription = {
  description:
    'Fields of the body that had no use, if the request was not strict: JSON Pointers of the first 10, percent-encoded, ' +
    'each cut after 64 characters. They are the fields that a strict request gets as errors.',
  schema: { type: 'string', examples: ['/first_name, /email'] },
};
