import { Command } from 'commander';
import { failureOf } from '../admin/failure.ts';
import { deployedInstallation, type Installation, localInstallation } from '../admin/installation.ts';
import { printJson } from '../admin/print-json.ts';
import { runProgram } from '../admin/run-program.ts';
import { logsOf } from './logs.ts';
import { isRight, textOf } from './report.ts';
import { rotationOf } from './rotation.ts';
import { runSmoke } from './run.ts';
import type { Reach } from './world.ts';

type Options = { baseUrl?: string; stack?: string | undefined; rotate: boolean; wait: boolean; json: boolean };

/** Seconds. A cold start of a function that reads a queue, and its work. */
const patience = 60;

const help = `
Examples:
  npm run smoke -- --stack Onboarding
  npm run smoke -- --base-url http://127.0.0.1:3000

It creates a team with a client, contacts and content, and uses every endpoint and background function. Then it erases
the contacts, revokes the client, and removes the image and the dropped files. It says what remains.

Environment:
  DATA_DIR  the folder of the local service (default .data)

Exit status: 0 if all steps passed, 1 if a step failed or the test could not run.`;

/** Runs the smoke test. Returns the exit status. */
export async function runSmokeCommand(args: readonly string[]): Promise<number> {
  const program = new Command('npm run smoke --')
    .description('Tries every function of a deployed stack, or of the running local service, with a team of its own.')
    .option('--stack <name>', 'test this deployed stack instead of the running local service')
    .option('--base-url <url>', 'send the requests to this URL (default: that of the stack or the local service)')
    .option('--rotate', 'also rotate the signing key of the stack', false)
    .option('--no-wait', 'skip steps that wait for a schedule')
    .option('--json', 'print one JSON value and nothing else', false)
    .addHelpText('after', help);
  return runProgram(program, args, runOne);
}

async function runOne({ baseUrl, stack, rotate, wait, json }: Options): Promise<number> {
  try {
    const installation = await installationOf(stack);
    const target = {
      installation,
      baseUrl: baseUrl ?? installation.baseUrl,
      reach: reachOf(installation, { stack, rotate, wait }),
    };
    const report = await runSmoke(target);
    if (json) await printJson(report);
    else console.log(textOf(report));
    return isRight(report) ? 0 : 1;
  } catch (error) {
    const failed = failureOf(error);
    if (json) await printJson({ error: failed.code, details: failed.details });
    else console.error(failed.message);
    return 1;
  }
}

const installationOf = (stack: string | undefined): Installation | Promise<Installation> =>
  stack === undefined ? localInstallation(process.env.DATA_DIR || '.data') : deployedInstallation(stack);

function reachOf({ signingKeys }: Installation, { stack, rotate, wait }: Omit<Options, 'json'>): Reach {
  return {
    patience,
    skipsSchedules: !wait,
    ...(stack === undefined ? {} : { readLog: logsOf(stack) }),
    ...(rotate && signingKeys !== undefined ? { rotate: rotationOf(signingKeys) } : {}),
  };
}
