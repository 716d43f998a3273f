import { isBlank } from '../values/fields.ts';
import type { JsonObject } from '../values/json.ts';
import type { ErrorDetail } from '../values/problem.ts';
import { isNamedTimeZone } from '../values/timestamp.ts';
import { errorsOf, unknownFieldErrors } from '../values/unknown-fields.ts';
import { knownFields, normalizedPhone, phoneFields } from './contact.ts';
import { contactRecord, type ParsedContact } from './contact-record.ts';
import type { Objective } from './objective.ts';

/** Fewer digits are stored, and reach nobody. */
const minPhoneDigits = 5;

/**
 * The errors of a record in a strict request (contract, section 1): fields that are neither fields of a contact nor keys
 * of objectives, and values that are stored but cannot be used.
 */
export function strictErrors({ sent, unknown }: ParsedContact, objectives: readonly Objective[]): ErrorDetail[] {
  return [...unknownContactFields(unknown, objectives), ...journeyErrors(sent), ...unusableValues(sent)];
}

/** @param unknown fields of which some may be known */
export function unknownContactFields(unknown: JsonObject, objectives: readonly Objective[]): ErrorDetail[] {
  const keys = new Set(objectives.map(({ key }) => key));
  const names = Object.keys(unknown).filter((name) => !keys.has(name) && !knownFields.has(name));
  const known = [...knownFields, ...keys];
  return errorsOf(names.map((name) => ({ path: [name], known })));
}

const journeyErrors = ({ journey }: JsonObject): ErrorDetail[] =>
  unknownFieldErrors(contactRecord.shape.journey, journey).map(({ path, message }) => {
    return { path: `/journey${path}`, message };
  });

function unusableValues(sent: JsonObject): ErrorDetail[] {
  const { email, timezone } = sent;
  const errors: ErrorDetail[] = [];
  if (isText(email) && !/.@./s.test(email)) errors.push({ path: '/email', message: 'must be an email address with @' });
  if (isText(timezone) && !isNamedTimeZone(timezone)) {
    errors.push({ path: '/timezone', message: 'must be the name of a time zone, such as America/Chicago' });
  }
  for (const field of phoneFields) {
    const value = sent[field];
    const digits = isText(value) ? normalizedPhone(value) : undefined;
    if (!digits || digits.length >= minPhoneDigits) continue;
    errors.push({ path: `/${field}`, message: `must have at least ${minPhoneDigits} digits` });
  }
  return errors;
}

const isText = (value: unknown): value is string => typeof value === 'string' && !isBlank(value);
