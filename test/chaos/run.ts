import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { type ChaosOptions, chaos } from './chaos.ts';
import { replayed, textOf } from './report.ts';
import { singleFaults } from './single-faults.ts';

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number below a thousand million.');
  return Number(text);
};

const command = new Command('node test/chaos/run.ts')
  .description(
    'Runs the local service with a database and a queue that fail, kills and restarts it, and checks from outside that ' +
      'every acknowledged write is there, in order and counted exactly. Exit status 1 where one is not.',
  )
  .option('--seconds <number>', 'how long faults are injected', wholeNumber, 60)
  .option('--kills <number>', 'how often the service or its database is killed', wholeNumber, 8)
  .option('--teams <number>', 'how many teams work at once', wholeNumber, 3)
  .option('--single', 'one fault at a time instead, of every kind: how long does each make chunks wait?', false)
  .option('--rounds <number>', 'with --single, how often each kind', wholeNumber, 1)
  .option('--seed <number>', 'the same seed makes the same choices', wholeNumber, Math.floor(Math.random() * 1e9))
  .option('--history <file>', 'where the history is written, as JSON lines')
  .option('--replay <file>', 'run nothing: check the history in this file again')
  .option('--json', 'print the report as one JSON value', false);

type Given = Omit<ChaosOptions, 'history'> & {
  history?: string;
  replay?: string;
  json: boolean;
  single: boolean;
  rounds: number;
};

// The service ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

async function main(): Promise<void> {
  const { json, single, rounds, history: file, replay, ...options } = command.parse().opts<Given>();
  const history = file ?? join(tmpdir(), `onboarding-chaos-${options.seed}.jsonl`);
  const report =
    replay !== undefined
      ? replayed(replay)
      : single
        ? await singleFaults({ seed: options.seed, rounds, history })
        : await chaos({ ...options, history });
  console.log(json ? JSON.stringify(report) : textOf(report));
  if (report.violations.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
