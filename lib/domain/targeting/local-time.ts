/** The calendar day, YYYY-MM-DD, and the hour of a moment in a time zone. */
export function localTime(milliseconds: number, timeZone: string): { day: string; hour: number } {
  const options = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...options });
  const parts = Object.fromEntries(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]));
  return { day: `${parts.year}-${parts.month}-${parts.day}`, hour: Number(parts.hour) };
}
