/**
 * What journeys count in the results of their template: numbers in groups, one for each day, each page and each survey.
 *
 * A journey keeps what it has counted. When it changes, the difference to what it counts now is added to the counters of
 * the template. So a repeat adds nothing, and a change that was missed is made good by the next one.
 */
export type Counts = { readonly [group: string]: { readonly [counter: string]: number } };

/**
 * The group of a day in UTC. Its counters: `created`, `opened`, `completed`, `verified`, `cancelled` and `expired` journeys.
 */
export const dayGroup = (time: string): string => `${dayPrefix}${time.slice(0, 10)}`;
/**
 * The group of a page. Its counters: `viewed`, `completed`, `declined` and `undone` journeys. A journey that is `undone`
 * has completed the page, and declined it with a later answer: the results count it as declined only.
 */
export const pageGroup = (pageId: string): string => `${pagePrefix}${pageId}`;
/**
 * The group of a template message. Its counters: messages that were `due`, `sent`, `delivered`, `bounced`, `complained` of and
 * `unsubscribed` by.
 */
export const messageGroup = (templateMessageId: string): string => `${messagePrefix}${templateMessageId}`;
const [dayPrefix, pagePrefix, answersPrefix, sourcePrefix] = ['day/', 'page/', 'answers/', 'source/'];
const messagePrefix = 'message/';
export const templateMessageOf = (group: string): string | undefined => after(group, messagePrefix);
export const dayOf = (group: string): string | undefined => after(group, dayPrefix);
export const pageOf = (group: string): string | undefined => after(group, pagePrefix);
const after = (group: string, prefix: string) => (group.startsWith(prefix) ? group.slice(prefix.length) : undefined);

/** The counter of journeys with this source. It is like no other counter, whatever the source. */
export const sourceCounter = (source: string): string => JSON.stringify(source);
/** The group of a counter of a source, as of a counter of a survey: a client chooses the names, and their number. */
export const sourceGroup = (counter: string): string => `${sourcePrefix}${spreadOf(counter) ?? ''}`;
/** Sources of a template that its results name. A client chooses their number. */
export const mostSources = 100;
/** The number of journeys of each source, by source: those with the most journeys. */
export const countsBySource = (counts: Counts): Record<string, number> =>
  Object.fromEntries(
    Object.entries(counts)
      .filter(([group]) => after(group, sourcePrefix) !== undefined)
      .flatMap(([, counters]) =>
        Object.entries(counters).map(([name, count]) => [JSON.parse(name) as string, count] as const),
      )
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .slice(0, mostSources)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** An answer to a question of a survey. `option_key` is `null` for a typed text. */
export type CountedAnswer = { block_id: string; key: string; option_key: string | null };
/** The counter of an answer, see {@link answersGroup}. */
export const answerCounter = ({ key, option_key }: Omit<CountedAnswer, 'block_id'>): string =>
  JSON.stringify([key, option_key]);
/**
 * The counter of what persons chose for a question beyond their first option, see {@link answersGroup}. Without it, a
 * person who chose three options would count as three persons who answered.
 */
export const furtherCounter = (key: string): string => `${furtherPrefix}${JSON.stringify([key])}`;
const furtherPrefix = 'further ';

/**
 * The group of a counter of a survey on a page. A group is an item, which has 400 KB at most. Names of up to 64 bytes
 * share one group: with their numbers, 5,900 fit into it. Longer names are spread over 32 groups: of 600 bytes, 20,000.
 */
export function answersGroup(pageId: string, blockId: string, counter: string): string {
  const survey = `${answersPrefix}${pageId}/${blockId}`;
  const part = spreadOf(counter);
  return part === undefined ? survey : `${survey}/${part}`;
}
function spreadOf(counter: string): number | undefined {
  const bytes = new TextEncoder().encode(counter);
  if (bytes.length <= shortName) return undefined;
  return bytes.reduce((hash, byte) => (hash * 31 + byte) % largePrime, 0) % spread;
}
const [shortName, spread, largePrime] = [64, 32, 1_000_003];

/** A counter of the answers to a question. `isFurther`: see {@link furtherCounter}. */
export type AnswerCount = CountedAnswer & { isFurther: boolean; count: number };

/** The counted answers on each page, by block, question and option. */
export function answersByPage(counts: Counts): Map<string, AnswerCount[]> {
  const found = Object.entries(counts).flatMap(([group, counters]) => {
    const [pageId, block_id] = after(group, answersPrefix)?.split('/') ?? [];
    if (pageId === undefined || block_id === undefined) return [];
    return Object.entries(counters).map(([counter, count]) => {
      const isFurther = counter.startsWith(furtherPrefix);
      const names = JSON.parse(isFurther ? counter.slice(furtherPrefix.length) : counter) as [string, string | null];
      const [key, option_key = null] = names;
      return { pageId, block_id, key, option_key, isFurther, count };
    });
  });
  const nameOf = ({ pageId, block_id, key, option_key, isFurther }: (typeof found)[number]) =>
    JSON.stringify([pageId, block_id, key, option_key, isFurther]);
  const summed = [...Map.groupBy(found, nameOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, same]) => ({ ...same[0]!, count: same.reduce((sum, { count }) => sum + count, 0) }));
  return Map.groupBy(
    summed.filter(({ count }) => count !== 0),
    ({ pageId }) => pageId,
  );
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

/** The first counters of the first groups of these counts. */
export const firstOf = (counts: Counts, most: { groups: number; counters: number }): Counts =>
  Object.fromEntries(
    Object.entries(counts)
      .slice(0, most.groups)
      .map(([group, counters]) => [group, Object.fromEntries(Object.entries(counters).slice(0, most.counters))]),
  );

/** True if the counts have no more groups, and no more counters in a group. */
export const isWithin = (counts: Counts, most: { groups: number; counters: number }): boolean =>
  Object.keys(counts).length <= most.groups &&
  Object.values(counts).every((counters) => Object.keys(counters).length <= most.counters);
