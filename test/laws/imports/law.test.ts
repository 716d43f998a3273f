import { describe, expect, it } from 'vitest';
import { freshTable } from '../../support/engine/engine.ts';
import { metIn } from '../weather.ts';
import { faultKinds, settingsOf } from './settings.ts';
import { report } from './shrink.ts';
import { simulate } from './simulation.ts';

/** `node test/laws/imports/run.ts` runs many more schedules. */
const schedules = 200;
/** Few, because the engine is slow; without renames, which read the table after every step. */
const engineSeeds = [1, 2, 5];

/**
 * The guarantees of the import, under all faults: the result is the chunks applied in the order of their numbers, which is
 * the order of acceptance, except for superseded records; each chunk with a 202 is visibly completed, failed, cancelled
 * or discarded; the counts add up; no team waits longer than two minutes after the last fault.
 */
describe('the law of the import', () => {
  it(`holds in ${schedules} schedules, each with its own mix of faults`, { timeout: 600_000 }, async () => {
    const met = await metIn(schedules, async (seed) => {
      const outcome = await simulate(settingsOf(seed));
      if (outcome.problems.length > 0) expect.fail(await report(settingsOf(seed)));
      return outcome;
    });
    for (const kind of faultKinds) expect(met.get(kind), kind).toBeGreaterThan(5);
  });

  it('is checked on the same schedule whenever the seed is the same', async () => {
    const [first, second] = [await simulate(settingsOf(7), traced), await simulate(settingsOf(7), traced)];
    expect(second.trace).toEqual(first.trace);
    expect(first.trace.length).toBeGreaterThan(100);
  });

  it.each(engineSeeds)('holds on the real engine as on the model: seed %d', async (seed) => {
    const { database } = await freshTable();
    const settings = settingsOf(seed);
    const { problems } = await simulate({ ...settings, weather: { ...settings.weather, rename: 0 } }, { database });
    expect(problems).toEqual([]);
  });
});

const traced = { isTraced: true };
