import { expect, test } from 'vitest';
import { metIn } from '../weather.ts';
import { faultKinds, settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

const schedules = Number(process.env.SCHEDULES ?? 200);

/** The law of `lib/domain/waiting-work/lane.ts`, for imports, completions, webhooks, what is due, targeting and a user that is only a model. */
test(`the law of waiting work holds in ${schedules} schedules, each with its own mix of faults`, {
  timeout: schedules * 3000,
}, async () => {
  const met = await metIn(schedules, async (seed) => {
    const outcome = await simulate(settingsOf(seed));
    if (outcome.problems.length > 0) {
      const { trace } = await simulate(settingsOf(seed), true);
      expect.fail([...trace, `seed ${seed}:`, ...outcome.problems].join('\n'));
    }
    return outcome;
  });
  for (const kind of faultKinds) expect(met.get(kind), kind).toBeGreaterThan(5);
});
