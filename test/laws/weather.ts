import type { Random } from './random.ts';

/** The probability of each fault in one schedule, so that all combinations occur. */
export function weatherOf<Kind extends string>(
  random: Random,
  usual: Readonly<Record<Kind, number>>,
): Readonly<Record<Kind, number>> {
  const common = random.pick([0, 0.3, 0.6, 0.9]);
  const weather = Object.entries<number>(usual).map(([kind, often]) => [
    kind,
    random.chance(common) ? often * random.pick([0.5, 1, 1, 2]) : 0,
  ]);
  return Object.fromEntries(weather) as Record<Kind, number>;
}
