import { describe, expect, test } from 'vitest';
import { metIn } from '../weather.ts';
import { faultKinds, settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

/** `node test/laws/events/run.ts` runs many more schedules. */
const schedules = 300;

/**
 * Every fact is told to every reader, on the bus and to the webhook, with one id, in the order of each contact and batch;
 * completions are recorded. Whatever the faults are, the clocks of the instances and the order of the two shards.
 */
describe('the law of the events', () => {
  test(`holds in ${schedules} schedules, each with its own mix of faults`, { timeout: 600_000 }, async () => {
    let facts = 0;
    const met = await metIn(schedules, async (seed) => {
      const outcome = await simulate(settingsOf(seed));
      expect(outcome.problems, `node test/laws/events/run.ts --replay ${seed}`).toEqual([]);
      facts += outcome.facts;
      return outcome;
    });
    for (const kind of faultKinds) expect(met.get(kind), kind).toBeGreaterThan(2);
    expect(facts).toBeGreaterThan(5 * schedules);
  });

  test('is checked on the same schedule whenever the seed is the same', async () => {
    const [first, second] = [await simulate(settingsOf(7), true), await simulate(settingsOf(7), true)];
    expect(second.trace).toEqual(first.trace);
    expect(first.trace.length).toBeGreaterThan(100);
  });
});
