import { describe, expect, test } from 'vitest';
import { metIn } from '../weather.ts';
import { faultKinds, settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

/** `node test/laws/targeting/run.ts` runs many more schedules. */
const schedules = 50;

/**
 * Whoever a rule is for has what it gives, once, at rest; whatever the faults were. Nothing is started for others, beyond a
 * brake, or for a campaign that is not live at this moment.
 */
describe('the law of targeting', () => {
  test(`holds in ${schedules} schedules, each with its own mix of faults`, { timeout: 600_000 }, async () => {
    let starts = 0;
    const met = await metIn(schedules, async (seed) => {
      const outcome = await simulate(settingsOf(seed));
      expect(outcome.problems, `node test/laws/targeting/run.ts --replay ${seed}`).toEqual([]);
      starts += outcome.starts;
      return outcome;
    });
    // Some need more schedules to happen.
    expect(met.size).toBeGreaterThan(faultKinds.length - 3);
    expect(starts).toBeGreaterThan(schedules);
  });

  test('is checked on the same schedule whenever the seed is the same', async () => {
    const [first, second] = [await simulate(settingsOf(7), true), await simulate(settingsOf(7), true)];
    expect(second.trace).toEqual(first.trace);
    expect(first.trace.length).toBeGreaterThan(100);
  });
});
