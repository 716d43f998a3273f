import { expect, it } from 'vitest';
import { settingsOf } from '../imports/settings.ts';
import { simulate } from '../imports/simulation.ts';

/** `test/imports/law.test.ts` runs too many schedules to repeat it for each mutant. */
const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

it.each(seeds)('the law of the import holds in schedule %d', async (seed) => {
  expect((await simulate(settingsOf(seed))).problems).toEqual([]);
});
