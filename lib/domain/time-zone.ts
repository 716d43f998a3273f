/** True for a time zone that `Intl` knows: an IANA name such as `Europe/Prague`, or an offset. */
export function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** The `timezone` of a contact, which can be any text, if it is the IANA name of a time zone. Otherwise UTC. */
export const timeZoneFor = (value: string | null | undefined): string =>
  typeof value === 'string' && /[a-z]/i.test(value) && isTimeZone(value) ? value : 'UTC';
