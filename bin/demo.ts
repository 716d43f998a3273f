import { resolve } from 'node:path';
import { fits } from '../lib/http/reply.ts';
import { localInstallation } from './admin/installation.ts';
import { Command } from './command.ts';
import { readBank } from './demo/files.ts';
import { isRight, textOf } from './demo/report.ts';
import { giveRule } from './demo/rule.ts';
import { runDemo } from './demo/run.ts';
import { borrowService } from './demo/service.ts';
import { screenOf, silence } from './import/progress.ts';

const command = new Command('npm run demo --')
  .description(
    'Loads examples/bank (5,369 contacts, 6,943 account records) through the HTTP interface, reads everything back and ' +
      'compares it with the files, record by record. A rule of the campaign starts a journey for 500 people, and each ' +
      'gets an invitation by email: see /outbox. Uses the running local service, or starts one for the run. The data ' +
      'stay in its folder, so a second run finds every record unchanged.',
  )
  .option('--json', 'print the result as one JSON value', false)
  .addHelpText(
    'after',
    `
Environment:
  DATA_DIR  the folder of the local service (default .data)

Exit status: 0 if the service holds the data of the files, 1 if anything differs or fails.`,
  );

async function main(): Promise<void> {
  const { json } = command.parse().opts<{ json: boolean }>();
  const say = json ? () => {} : console.log;
  const screen = json ? silence : screenOf(process.stderr);
  const folder = resolve(process.env.DATA_DIR || '.data');
  screen.say('Look for the local service, or start it');
  const service = await borrowService(folder);
  try {
    const { base_url } = service.local;
    say(`examples/bank into ${base_url}${service.startedHere ? ', started for this run' : ''}\n`);
    await giveRule({ ...localInstallation(folder), fits }, service.local.team_id);
    const report = await runDemo(service.local, readBank(), screen);
    console.log(json ? JSON.stringify(report) : textOf(report));
    process.exitCode = isRight(report) ? 0 : 1;
  } finally {
    await service.release();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
