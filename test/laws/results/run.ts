import { Command } from 'commander';
import { prove } from './proof.ts';

const command = new Command('node test/laws/results/run.ts')
  .description(
    'Makes journeys on a separate local service, of which persons view, answer and complete pages, with concurrent and ' +
      'repeated requests, while the service is killed and the list of the journeys is read. The exit status is 1 if the ' +
      'results are not the count by hand, a recount finds a difference, or the list misses or repeats a journey.',
  )
  .option('--journeys <number>', 'the number of journeys', '3000')
  .option('--kills <number>', 'how often the service is killed', '3');

async function main(): Promise<void> {
  const { journeys, kills } = command.parse().opts<{ journeys: string; kills: string }>();
  const onProgress = (text: string) => console.error(text);
  const proof = await prove({ journeys: Number(journeys), kills: Number(kills), onProgress });
  console.log(JSON.stringify(proof));
  if (proof.problems.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
});
