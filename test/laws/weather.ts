import { Random } from './random.ts';

/** The probability of each fault in one schedule. */
type Weather<Kind extends string> = Readonly<Record<Kind, number>>;

/** A schedule is fixed by its seed. Each has its own probabilities, so that all combinations of faults occur. */
export type ScheduleSettings<Kind extends string> = {
  seed: number;
  weather: Weather<Kind>;
  /** Steps until the faults end. */
  steps: number;
  /** Milliseconds by which the clock of an instance can be wrong. */
  skew: number;
};

/** @param own what the schedule has besides: how much is done, in how many steps */
export function scheduleOf<Kind extends string, Own extends { steps: number }>(
  seed: number,
  usual: Weather<Kind>,
  own: (random: Random) => Own,
): Own & ScheduleSettings<Kind> {
  const random = new Random(seed ^ 0x5eed);
  const common = random.pick([0, 0.3, 0.6, 0.9]);
  const weather = Object.entries<number>(usual).map(([kind, often]) => [
    kind,
    random.chance(common) ? often * random.pick([0.5, 1, 1, 2]) : 0,
  ]);
  const given = { seed, weather: Object.fromEntries(weather) as Weather<Kind>, ...own(random) };
  return { ...given, skew: random.pick([0, 2000, 2000]) };
}

/** Runs so many schedules. @returns how often each fault was met */
export async function metIn<Kind>(
  schedules: number,
  run: (seed: number) => Promise<{ met: ReadonlyMap<Kind, number> }>,
): Promise<Map<Kind, number>> {
  const met = new Map<Kind, number>();
  for (let seed = 1; seed <= schedules; seed++) {
    for (const [kind, times] of (await run(seed)).met) met.set(kind, (met.get(kind) ?? 0) + times);
    // Lets the test runner communicate with its worker.
    if (seed % 20 === 0) await new Promise(setImmediate);
  }
  return met;
}
