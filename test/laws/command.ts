import { Command, InvalidArgumentError } from 'commander';

export const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
};

type Outcome = { problems: readonly string[]; met: ReadonlyMap<string, number>; trace: readonly string[] };

type Law<Schedule extends Outcome> = {
  /** The command, as it is called. */
  name: string;
  /** What each schedule runs, and which guarantees are checked. */
  description: string;
  simulate: (seed: number, isTraced?: boolean) => Promise<Schedule>;
  /** The name of what a schedule counts. */
  counted: string;
  count: (outcome: NoInfer<Schedule>) => number;
};

/** The command of a simulation: many schedules, each fixed by its seed, or one of them again with its steps. */
export async function runLaw<Schedule extends Outcome>(law: Law<Schedule>): Promise<void> {
  const { schedules, from, replay } = new Command(law.name)
    .description(`${law.description} At the first violation it prints the seed, and exits with status 1.`)
    .option('--schedules <n>', 'the number of schedules', wholeNumber, 100_000)
    .option('--from <seed>', 'the first seed; each schedule uses the next one', wholeNumber, 1)
    .option('--replay <seed>', 'run only this schedule and print its steps', wholeNumber)
    .parse()
    .opts<{ schedules: number; from: number; replay?: number }>();
  const isKept = await (replay === undefined ? run(law, schedules, from) : runAgain(law, replay));
  if (!isKept) process.exitCode = 1;
}

async function run<Schedule extends Outcome>(law: Law<Schedule>, schedules: number, from: number): Promise<boolean> {
  const faults = new Map<string, number>();
  let count = 0;
  for (let seed = from; seed < from + schedules; seed++) {
    const outcome = await law.simulate(seed);
    count += law.count(outcome);
    for (const [kind, times] of outcome.met) faults.set(kind, (faults.get(kind) ?? 0) + times);
    if (outcome.problems.length === 0) continue;
    for (const problem of outcome.problems) console.error(`violation: ${problem}`);
    console.error(`Run it again: ${law.name} --replay ${seed}`);
    return false;
  }
  const n = (value: number) => value.toLocaleString('en');
  console.log(`${n(schedules)} schedules from seed ${from}, ${n(count)} ${law.counted}, no violation`);
  for (const [kind, times] of faults) console.log(`  ${kind.padEnd(32)}${n(times).padStart(10)}`);
  return true;
}

async function runAgain<Schedule extends Outcome>({ simulate }: Law<Schedule>, seed: number): Promise<boolean> {
  const { trace, problems } = await simulate(seed, true);
  for (const line of trace) console.log(line);
  return problems.length === 0;
}
