import { Command, Option } from 'commander';
import { failureOf } from '../admin/failure.ts';
import { deployedInstallation, localInstallation } from '../admin/installation.ts';
import { printJson } from '../admin/print-json.ts';
import { runProgram } from '../admin/run-program.ts';
import { progressLine } from '../demo/progress.ts';
import { type Place, placeNames } from './places.ts';
import { textOf } from './report.ts';
import { writeResults } from './results.ts';
import { checkedRows } from './rows.ts';
import { isRight, runConformance } from './run.ts';

type Options = { baseUrl?: string; stack?: string; write?: Place; json: boolean };

const help = `
Examples:
  npm run conformance
  npm run conformance -- --stack Onboarding
  npm run conformance -- --base-url http://127.0.0.1:3000 --write local

It creates two sandbox teams with a client and content, and sends requests as a partner does. Then it deletes everything
of the teams, which reads the whole table, and revokes the clients. docs/conformance.md lists the checks.

Environment:
  DATA_DIR  the folder of the local service (default .data)

Exit status: 0 if all checks passed, 1 if a check failed or the checks could not run.`;

/** Runs the checks of conformance. Returns the exit status. */
export async function runConformanceCommand(args: readonly string[]): Promise<number> {
  const program = new Command('npm run conformance --')
    .description('Checks sentence by sentence that the service does what the specification says, with requests alone.')
    .option('--stack <name>', 'check this deployed stack instead of the running local service')
    .option('--base-url <url>', 'send the requests to this URL (default: that of the stack or the local service)')
    .addOption(new Option('--write <place>', 'write the results of this place to docs/').choices(placeNames))
    .option('--json', 'print one JSON value and nothing else', false)
    .addHelpText('after', help);
  return runProgram<Options>(program, args, runOne);
}

async function runOne({ baseUrl, stack, write, json }: Options): Promise<number> {
  const line = progressLine('checks');
  try {
    const installation =
      stack === undefined ? localInstallation(process.env.DATA_DIR || '.data') : await deployedInstallation(stack);
    const target = { installation, baseUrl: baseUrl ?? installation.baseUrl };
    let done = 0;
    const report = await runConformance(target, checkedRows, () => line.report(++done, checkedRows.length));
    line.end();
    if (write !== undefined) writeResults(write, report);
    if (json) await printJson(report);
    else console.log(textOf(report));
    return isRight(report) ? 0 : 1;
  } catch (error) {
    line.end();
    const failed = failureOf(error);
    if (json) await printJson({ error: failed.code, details: failed.details });
    else console.error(failed.message);
    return 1;
  }
}
