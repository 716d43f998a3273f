import { expect, test } from 'vitest';
import { type FaultKind, faultKinds, settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

const schedules = Number(process.env.SCHEDULES ?? 200);

/** The law of `lib/domain/waiting-work/lane.ts`, for imports, completions, webhooks, what is due, targeting and a user that is only a model. */
test(`the law of waiting work holds in ${schedules} schedules, each with its own mix of faults`, {
  timeout: schedules * 3000,
}, async () => {
  const met = new Map<FaultKind, number>();
  for (let seed = 1; seed <= schedules; seed++) {
    const outcome = await simulate(settingsOf(seed));
    if (outcome.problems.length > 0) {
      const { trace } = await simulate(settingsOf(seed), true);
      expect.fail([...trace, `seed ${seed}:`, ...outcome.problems].join('\n'));
    }
    for (const [kind, times] of outcome.met) met.set(kind, (met.get(kind) ?? 0) + times);
    // Lets the test runner communicate with its worker.
    if (seed % 20 === 0) await new Promise(setImmediate);
  }
  for (const kind of faultKinds) expect(met.get(kind), kind).toBeGreaterThan(5);
});
