export type LocalTime = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;

/** A format takes long to make, and there are few time zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const two = '2-digit' as const;
    const options = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...options });
    formats.set(timeZone, format);
  }
  return format;
}

/** The date and time in the time zone. @param time milliseconds since the epoch */
export const localTime = (time: number, timeZone: string): LocalTime =>
  Object.fromEntries(
    formatIn(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  ) as LocalTime;
