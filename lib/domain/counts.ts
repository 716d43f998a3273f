/**
 * What journeys count in the results of their template: numbers in groups, one for each day and one for each page.
 *
 * A journey keeps what it has counted. When it changes, the difference to what it counts now is added to the counters of
 * the template. So a repeat adds nothing, and a change that was missed is made good by the next one.
 */
export type Counts = { readonly [group: string]: { readonly [counter: string]: number } };

/** The group of a day in UTC. Its counters: `created`, `opened`, `completed` and `verified` journeys. */
export const dayGroup = (time: string): string => `${dayPrefix}${time.slice(0, 10)}`;
/**
 * The group of a page. Its counters: `viewed`, `completed` and `declined` journeys, and those of {@link answerCounter}
 * and {@link furtherCounter}.
 */
export const pageGroup = (pageId: string): string => `${pagePrefix}${pageId}`;
const [dayPrefix, pagePrefix] = ['day/', 'page/'];
export const dayOf = (group: string): string | undefined => after(group, dayPrefix);
export const pageOf = (group: string): string | undefined => after(group, pagePrefix);
const after = (group: string, prefix: string) => (group.startsWith(prefix) ? group.slice(prefix.length) : undefined);

/** An answer to a question of a survey. `option_key` is `null` for a typed text. */
export type CountedAnswer = { block_id: string; key: string; option_key: string | null };
/** The counter of an answer, in the group of its page. */
export const answerCounter = ({ block_id, key, option_key }: CountedAnswer): string =>
  JSON.stringify([block_id, key, option_key]);
/**
 * The counter of what persons chose for a question beyond their first option, in the group of its page. Without it, a
 * person who chose three options would count as three persons who answered.
 */
export const furtherCounter = ({ block_id, key }: Omit<CountedAnswer, 'option_key'>): string =>
  `further ${JSON.stringify([block_id, key])}`;
/** `undefined` for another counter. */
export function answerOfCounter(counter: string): CountedAnswer | undefined {
  if (!counter.startsWith('[')) return undefined;
  const [block_id, key, option_key] = JSON.parse(counter) as [string, string, string | null];
  return { block_id, key, option_key };
}

/** The sum, without counters that are zero. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum: Record<string, Record<string, number>> = {};
  for (const counts of all) {
    for (const [group, counters] of Object.entries(counts)) {
      sum[group] ??= {};
      for (const [name, count] of Object.entries(counters)) sum[group][name] = (sum[group][name] ?? 0) + count;
    }
  }
  return withoutZeros(sum);
}

/** What must be added to `before` to get `now`. */
export const difference = (now: Counts, before: Counts): Counts => sumOf([now, negative(before)]);

const negative = (counts: Counts): Counts => mapped(counts, (counters) => mapped(counters, (count) => -count));
const mapped = <Value>(values: { readonly [name: string]: Value }, change: (value: Value) => Value) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

const withoutZeros = (counts: Counts): Counts =>
  Object.fromEntries(
    Object.entries(counts)
      .map(([group, counters]) => [
        group,
        Object.fromEntries(Object.entries(counters).filter(([, count]) => count !== 0)),
      ])
      .filter(([, counters]) => Object.keys(counters!).length > 0),
  );

/** The first groups of these counts. */
export const firstGroups = (counts: Counts, most: number): Counts =>
  Object.fromEntries(Object.entries(counts).slice(0, most));
