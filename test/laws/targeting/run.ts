import { Command, InvalidArgumentError } from 'commander';
import { type FaultKind, settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
};

const { schedules, from, replay } = new Command('node test/laws/targeting/run.ts')
  .description(
    'Runs clients, an administrator, the publisher and the workers of targeting on a model of the table and its stream, ' +
      'each schedule with its own faults, and checks the guarantees of docs/targeting.md. At the first violation it ' +
      'prints the seed, and exits with status 1.',
  )
  .option('--schedules <n>', 'the number of schedules', wholeNumber, 100_000)
  .option('--from <seed>', 'the first seed; each schedule uses the next one', wholeNumber, 1)
  .option('--replay <seed>', 'run only this schedule and print its steps', wholeNumber)
  .parse()
  .opts<{ schedules: number; from: number; replay?: number }>();

async function run(): Promise<boolean> {
  const faults: Partial<Record<FaultKind, number>> = {};
  let starts = 0;
  for (let seed = from; seed < from + schedules; seed++) {
    const outcome = await simulate(settingsOf(seed));
    starts += outcome.starts;
    for (const [kind, times] of outcome.met) faults[kind] = (faults[kind] ?? 0) + times;
    if (outcome.problems.length === 0) continue;
    for (const problem of outcome.problems) console.error(`violation: ${problem}`);
    console.error(`Run it again: node test/laws/targeting/run.ts --replay ${seed}`);
    return false;
  }
  const n = (value: number) => value.toLocaleString('en');
  console.log(`${n(schedules)} schedules from seed ${from}, ${n(starts)} starts, no violation`);
  for (const [kind, times] of Object.entries(faults)) console.log(`  ${kind.padEnd(32)}${n(times).padStart(10)}`);
  return true;
}

async function runAgain(seed: number): Promise<boolean> {
  const { trace, problems } = await simulate(settingsOf(seed), true);
  for (const line of trace) console.log(line);
  return problems.length === 0;
}

if (!(await (replay === undefined ? run() : runAgain(replay)))) process.exitCode = 1;
