import type { Service } from '../service.ts';

/** How much longer than it worked a lane waits: what it does costs the publisher about three times as much. */
const restAfterWork = 3;
/** Milliseconds. */
const longestRest = 10_000;
const restStep = 200;

/**
 * Waits after work that the publisher, which works for all teams, must tell and count.
 * @param began when the work began
 * @param share of the work that it must tell, from 0 to 1
 */
export async function restAfter(
  { now, wait }: Pick<Service, 'now' | 'wait'>,
  began: number,
  share: number,
  hasTime: () => boolean,
): Promise<void> {
  let left = Math.min(restAfterWork * share * (now() - began), longestRest);
  for (; left > 0 && hasTime(); left -= restStep) await wait(Math.min(left, restStep));
}
