import type { Results } from '../../../lib/domain/results/results.ts';

/** What happened in a week, named by its Monday. */
export type Week = { monday: string; created: number; opened: number; completed: number };

const day = 86_400_000;

function mondayOf(date: string): string {
  const time = Date.parse(date);
  return new Date(time - ((new Date(time).getUTCDay() + 6) % 7) * day).toISOString().slice(0, 10);
}

/** The weeks from the first to the last day, also those in which nothing happened, oldest first. */
export function weeksOf(days: Results['by_day']): Week[] {
  const mondays = days.map(({ date }) => mondayOf(date)).sort();
  const [first, last] = [mondays[0], mondays.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = (Date.parse(last) - Date.parse(first)) / (7 * day) + 1;
  const weeks = Array.from({ length: count }, (_, at): Week => {
    const monday = new Date(Date.parse(first) + at * 7 * day).toISOString().slice(0, 10);
    return { monday, created: 0, opened: 0, completed: 0 };
  });
  for (const { date, created, opened, completed } of days) {
    const week = weeks.find(({ monday }) => monday === mondayOf(date))!;
    week.created += created;
    week.opened += opened;
    week.completed += completed;
  }
  return weeks;
}
