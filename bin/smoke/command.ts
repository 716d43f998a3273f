import type { Installation } from '../admin/installation.ts';
import { runProgram } from '../admin/run-program.ts';
import { checkCommand, type Options, reportOn } from '../checks/command.ts';
import { logsOf } from './logs.ts';
import { isRight, textOf } from './report.ts';
import { rotationOf } from './rotation.ts';
import { runSmoke } from './run.ts';
import type { Reach } from './world.ts';

type SmokeOptions = Options & { rotate: boolean; wait: boolean };

/** Seconds. A cold start of a function that reads a queue, and its work. */
const patience = 60;

const description =
  'Tries every function of a deployed stack, or of the running local service, with a team of its own.';

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
  const program = checkCommand('smoke', description, help)
    .option('--rotate', 'also rotate the signing key of the stack', false)
    .option('--no-wait', 'skip steps that wait for a schedule');
  return runProgram<SmokeOptions>(program, args, (options) =>
    reportOn(options, (target) => runSmoke({ ...target, reach: reachOf(target.installation, options) }), {
      textOf,
      isRight,
    }),
  );
}

function reachOf({ signingKeys }: Installation, { stack, rotate, wait }: SmokeOptions): Reach {
  return {
    patience,
    skipsSchedules: !wait,
    ...(stack === undefined ? {} : { readLog: logsOf(stack) }),
    ...(rotate && signingKeys !== undefined ? { rotate: rotationOf(signingKeys) } : {}),
  };
}
