import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { wholeNumber } from '../command.ts';
import { fairWeather, type Settings, settingsOf } from './settings.ts';
import { report } from './shrink.ts';
import { simulate } from './simulation.ts';
import { runOnThreads, type SimulationResult } from './threads.ts';

function settings(text: string): Settings {
  const { weather, ...given } = JSON.parse(text) as Settings;
  return { ...given, weather: { ...fairWeather, ...weather } };
}

const command = new Command('node test/laws/imports/run.ts')
  .description(
    'Runs imports on a model of table and queue, each schedule with its own faults, and checks the guarantees of ' +
      'docs/testing.md at the end. At the first violation it prints the smallest schedule found that violates them, ' +
      'with the command that repeats it, and exits with status 1.',
  )
  .option('--schedules <n>', 'the number of schedules', wholeNumber, 1_000_000)
  .option('--from <seed>', 'the first seed; each schedule uses the next one', wholeNumber, 1)
  .option('--threads <n>', 'the number of threads', wholeNumber, availableParallelism())
  .option('--replay <settings>', 'run only this schedule and print its steps', settings);

type Options = { schedules: number; from: number; threads: number; replay?: Settings };

async function replay(settings: Settings): Promise<boolean> {
  const { trace, problems } = await simulate(settings, { isTraced: true });
  for (const line of [...trace, ...problems.map((problem) => `violation: ${problem}`)]) console.log(line);
  return problems.length === 0;
}

async function run({ schedules, from, threads }: Options): Promise<boolean> {
  const progress = (done: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done.toLocaleString('en')} schedules`);
  };
  const result = await runOnThreads({ schedules, from, threads }, progress);
  console.log(textOf(result));
  if (result.broken_by === null) return true;
  console.error(await report(settingsOf(result.broken_by)));
  return false;
}

function textOf({ schedules, from, chunks, steps, seconds, schedules_a_second, faults, broken_by }: SimulationResult) {
  const n = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });
  return [
    `${n(schedules)} schedules from seed ${from}, ${n(chunks)} chunks accepted, ${n(steps)} steps`,
    `${n(seconds)} seconds, ${n(schedules_a_second)} schedules a second`,
    ...Object.entries(faults).map(([kind, times]) => `  ${kind.padEnd(28)}${n(times).padStart(12)}`),
    broken_by === null ? 'no violation' : `violation with seed ${broken_by}`,
  ].join('\n');
}

const options = command.parse().opts<Options>();
const isKept = options.replay ? await replay(options.replay) : await run(options);
if (!isKept) process.exitCode = 1;
