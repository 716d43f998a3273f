/** True for a time zone that `Intl` knows: an IANA name such as `Europe/Prague`, or an offset. */
export function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** True for the IANA name of a time zone. */
export const isNamedTimeZone = (value: string): boolean => /[a-z]/i.test(value) && isTimeZone(value);

/** The first value that is the IANA name of a time zone. The `timezone` of a contact can be any text. Otherwise UTC. */
export const timeZoneFor = (...values: readonly (string | null | undefined)[]): string =>
  values.find((value) => typeof value === 'string' && isNamedTimeZone(value)) ?? 'UTC';
