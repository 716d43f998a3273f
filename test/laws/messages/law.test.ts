import { describe, expect, test } from 'vitest';
import { metIn } from '../weather.ts';
import { faultKinds, settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

/** `node test/laws/messages/run.ts` runs many more schedules. */
const schedules = 100;

/**
 * Nothing is handed over twice, to a leaver later than a minute after the leaving was acknowledged, in the quiet hours, above
 * the cap or in a pause; and nothing that is due is forgotten, whatever the faults were.
 */
describe('the law of messages', () => {
  test(`holds in ${schedules} schedules, each with its own mix of faults`, { timeout: 600_000 }, async () => {
    let sent = 0;
    const met = await metIn(schedules, async (seed) => {
      const outcome = await simulate(settingsOf(seed));
      expect(outcome.problems, `node test/laws/messages/run.ts --replay ${seed}`).toEqual([]);
      sent += outcome.sent;
      return outcome;
    });
    // Some need more schedules to happen.
    expect(met.size).toBeGreaterThan(faultKinds.length - 3);
    expect(sent).toBeGreaterThan(schedules);
  });

  test('is checked on the same schedule whenever the seed is the same', async () => {
    const [first, second] = [await simulate(settingsOf(7), true), await simulate(settingsOf(7), true)];
    expect(second.trace).toEqual(first.trace);
    expect(first.trace.length).toBeGreaterThan(100);
  });
});
