import { Command, InvalidArgumentError } from 'commander';
import { type FaultKind, settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
};

type Options = { schedules: number; from: number; seconds?: number; replay?: number; json: boolean };
const { schedules, from, seconds, replay, json } = new Command('node test/events/run.ts')
  .description(
    'Runs writers, the publisher, readers of the feed and a webhook on a model of the table and its stream, each ' +
      'schedule with its own faults, and checks the guarantees of docs/events.md. At the first violation it prints the ' +
      'seed, and exits with status 1.',
  )
  .option('--schedules <n>', 'the number of schedules', wholeNumber, 100_000)
  .option('--from <seed>', 'the first seed; each schedule uses the next one', wholeNumber, 1)
  .option('--seconds <n>', 'stop after this time', wholeNumber)
  .option('--replay <seed>', 'run only this schedule and print its steps', wholeNumber)
  .option('--json', 'print the result as one JSON value', false)
  .parse()
  .opts<Options>();

async function run(): Promise<boolean> {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  const total = { schedules: 0, facts: 0, steps: 0 };
  const faults: Partial<Record<FaultKind, number>> = {};
  let broken: number | null = null;
  for (let seed = from; seed < from + schedules && elapsed() < (seconds ?? Number.POSITIVE_INFINITY); seed++) {
    const outcome = await simulate(settingsOf(seed));
    total.schedules += 1;
    total.facts += outcome.facts;
    total.steps += outcome.steps;
    for (const [kind, times] of outcome.met) faults[kind] = (faults[kind] ?? 0) + times;
    if (outcome.problems.length === 0) continue;
    broken = seed;
    for (const problem of outcome.problems) console.error(`violation: ${problem}`);
    console.error(`Run it again: node test/events/run.ts --replay ${seed}`);
    break;
  }
  const result = { ...total, from, seconds: Math.round(elapsed()), faults, broken_by: broken };
  if (json) console.log(JSON.stringify(result));
  else {
    const n = (value: number) => value.toLocaleString('en');
    console.log(`${n(total.schedules)} schedules from seed ${from}, ${n(total.facts)} facts, ${n(total.steps)} steps`);
    for (const [kind, times] of Object.entries(faults)) console.log(`  ${kind.padEnd(32)}${n(times).padStart(10)}`);
    console.log(broken === null ? `no violation, ${result.seconds} seconds` : `violation with seed ${broken}`);
  }
  return broken === null;
}

async function runAgain(seed: number): Promise<boolean> {
  const { trace, problems } = await simulate(settingsOf(seed), true);
  for (const line of trace) console.log(line);
  return problems.length === 0;
}

if (!(await (replay === undefined ? run() : runAgain(replay)))) process.exitCode = 1;
