import { Random } from '../random.ts';
import { queueFaults } from '../waiting-work/timed-queue.ts';

/** Faults and other events during imports, with their probability by step or by call when they are frequent. */
const usual = {
  /** By step: */
  crash: 0.012,
  stall: 0.012,
  'process slow': 0.04,
  'restart with an empty queue': 0.002,
  'store outage': 0.004,
  'write outage': 0.004,
  'message lost': 0.006,
  'message doubled': 0.006,
  'payload gone': 0.004,
  'payload unreadable for a while': 0.02,
  redrive: 0.012,
  discard: 0.006,
  cancel: 0.012,
  rename: 0.02,
  'repeat of a pair': 0.03,
  /** By call of the store: */
  'call refused': 0.02,
  'response lost': 0.02,
  'statements throttled': 0.04,
  'call split': 0.08,
  'transaction torn': 0.2,
  ...queueFaults,
  /** By worker: */
  'time runs out': 0.15,
} as const;

export type FaultKind = keyof typeof usual;
export const faultKinds = Object.keys(usual) as FaultKind[];
export type Weather = Readonly<Record<FaultKind, number>>;

/** A schedule is fixed by its settings: the same settings, the same schedule. */
export type Settings = {
  seed: number;
  weather: Weather;
  teams: number;
  /** Requests of all teams, without repeats. */
  requests: number;
  /** Steps until the faults end. */
  steps: number;
  /** Numbers of the draws that may become faults; all if absent. Shrinking removes those that do not matter. */
  allowed?: readonly number[];
};

/** Each seed has its own probabilities: some faults never, others rarely or often, so that all combinations occur. */
export function settingsOf(seed: number): Settings {
  const random = new Random(seed ^ 0x5eed);
  const isFair = random.chance(0.06);
  const common = random.pick([0.3, 0.5, 0.8]);
  const weather = Object.fromEntries(
    faultKinds.map((kind) => {
      const force = random.chance(common) ? random.pick([0.5, 1, 1, 2]) : 0;
      return [kind, isFair && kind !== 'repeat of a pair' ? 0 : usual[kind] * force];
    }),
  ) as Weather;
  return {
    seed,
    // With renames the guarantee for links is weaker, so most schedules have none.
    weather: random.chance(0.75) ? { ...weather, rename: 0 } : weather,
    teams: 1 + random.below(3),
    requests: 3 + random.below(9),
    steps: 150 + random.below(250),
  };
}

export const fairWeather = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Weather;

/** Decides which draws become faults, independent of the random numbers of the schedule, and counts them. */
export class Faults {
  readonly met = new Map<FaultKind, number>();
  /** The draws that became faults, by their number. */
  readonly fired: number[] = [];
  /** From this moment on there are no faults. */
  isCalm = false;
  readonly #settings: Settings;
  readonly #allowed: ReadonlySet<number> | undefined;
  readonly #onFault: (kind: FaultKind) => void;
  #draws = 0;

  constructor(settings: Settings, onFault: (kind: FaultKind) => void) {
    this.#settings = settings;
    this.#allowed = settings.allowed && new Set(settings.allowed);
    this.#onFault = onFault;
  }

  happens(kind: FaultKind): boolean {
    const { weather, seed } = this.#settings;
    if (this.isCalm || weather[kind] === 0) return false;
    const draw = this.#draws++;
    const happens = new Random(Math.imul(seed, 0x9e3779b1) ^ draw).next() < weather[kind];
    if (!happens || this.#allowed?.has(draw) === false) return false;
    this.fired.push(draw);
    this.met.set(kind, (this.met.get(kind) ?? 0) + 1);
    this.#onFault(kind);
    return true;
  }
}
