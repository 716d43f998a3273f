import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { type ChaosOptions, chaos } from './chaos.ts';
import { reportOf } from './report.ts';

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
  .option('--seed <number>', 'the same seed makes the same choices', wholeNumber, Math.floor(Math.random() * 1e9));

// The service ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

async function main(): Promise<void> {
  const options = command.parse().opts<Omit<ChaosOptions, 'history'>>();
  const { seed, seconds, kills, teams } = options;
  const history = join(tmpdir(), `onboarding-chaos-${seed}.jsonl`);
  const { events, judgement } = await chaos({ ...options, history });
  console.log(reportOf(events, judgement));
  console.log(`History: ${history}`);
  console.log(`Again:   node test/chaos/run.ts --seed ${seed} --seconds ${seconds} --kills ${kills} --teams ${teams}`);
  if (judgement.violations.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
