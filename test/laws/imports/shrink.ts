import { faultKinds, type Settings } from './settings.ts';
import { simulate } from './simulation.ts';

/** Maximum number of runs of the search. */
const mostRuns = 1500;
/** The number of other seeds to try with smaller settings if the same seed does not fail. */
const seedsAtOnce = 25;

/**
 * Finds a smaller schedule that also violates a guarantee: fewer teams, requests, steps and kinds of faults, then only the
 * faults that matter (delta debugging).
 */
export async function shrink(settings: Settings): Promise<Settings> {
  let runs = 0;
  const breaksLaw = async (candidate: Settings) => {
    runs++;
    return (await simulate(candidate)).problems.length > 0;
  };
  let smallest = settings;
  for (let isSmaller = true; isSmaller && runs < mostRuns; ) {
    isSmaller = false;
    for (const smaller of smallerThan(smallest)) {
      const found = await firstOf(nearSeeds(smaller, runs < mostRuns ? seedsAtOnce : 1), breaksLaw);
      if (!found) continue;
      smallest = found;
      isSmaller = true;
      break;
    }
  }
  const { fired } = await simulate(smallest);
  return (await fewestFaults({ ...smallest, allowed: fired }, breaksLaw)) ?? smallest;
}

function smallerThan(settings: Settings): Settings[] {
  const { teams, requests, steps, weather } = settings;
  const calmer = faultKinds
    .filter((kind) => weather[kind] > 0)
    .map((kind) => ({ ...settings, weather: { ...weather, [kind]: 0 } }));
  return [
    ...(teams > 1 ? [{ ...settings, teams: 1 }] : []),
    ...(requests > 1 ? [Math.ceil(requests / 2), requests - 1].map((fewer) => ({ ...settings, requests: fewer })) : []),
    ...(steps > 20 ? [{ ...settings, steps: Math.ceil(steps / 2) }] : []),
    ...calmer,
  ];
}

const nearSeeds = (settings: Settings, count: number): Settings[] =>
  Array.from({ length: count }, (_, near) => ({ ...settings, seed: settings.seed + near }));

async function firstOf<T>(candidates: T[], accepts: (candidate: T) => Promise<boolean>): Promise<T | undefined> {
  for (const candidate of candidates) if (await accepts(candidate)) return candidate;
  return undefined;
}

async function fewestFaults(
  settings: Settings,
  breaksLaw: (candidate: Settings) => Promise<boolean>,
): Promise<Settings | undefined> {
  let allowed = [...(settings.allowed ?? [])];
  if (!(await breaksLaw(settings))) return undefined;
  for (let size = Math.ceil(allowed.length / 2); size >= 1; ) {
    const parts = Array.from({ length: Math.ceil(allowed.length / size) }, (_, n) => n * size);
    const without = parts.map((from) => [...allowed.slice(0, from), ...allowed.slice(from + size)]);
    const found = await firstOf(without, (fewer) => breaksLaw({ ...settings, allowed: fewer }));
    if (found) allowed = found;
    else if (size === 1) break;
    else size = Math.ceil(size / 2);
  }
  return { ...settings, allowed };
}

/** The shrunk schedule as text: the violation, the steps, and the command that repeats it. */
export async function report(settings: Settings): Promise<string> {
  const smallest = await shrink(settings);
  const { problems, trace } = await simulate(smallest, { isTraced: true });
  return [
    `seed ${settings.seed} breaks the law; the smallest schedule found that does:`,
    ...trace,
    ...problems.map((problem) => `broken: ${problem}`),
    `replay: node test/laws/imports/run.ts --replay '${JSON.stringify(withoutZeros(smallest))}'`,
  ].join('\n');
}

/** Settings for `--replay`, without kinds of faults that do not occur. */
const withoutZeros = ({ weather, ...settings }: Settings) => ({
  ...settings,
  weather: Object.fromEntries(Object.entries(weather).filter(([, probability]) => probability > 0)),
});
