import { Option } from 'commander';
import { runProgram } from '../admin/run-program.ts';
import { checkCommand, type Options, reportOn } from '../checks/command.ts';
import { timed } from '../demo/progress.ts';
import { type Place, placeNames } from './places.ts';
import { textOf } from './report.ts';
import { writeResults } from './results.ts';
import { checkedRows } from './rows.ts';
import { type ConformanceReport, isRight, runConformance } from './run.ts';
import type { Target } from './world.ts';

const description =
  'Checks sentence by sentence that the service does what the specification says, with requests alone.';

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
  const write = new Option('--write <place>', 'write the results of this place to docs/').choices(placeNames);
  const program = checkCommand('conformance', description, help).addOption(write);
  return runProgram<Options & { write?: Place }>(program, args, (options) =>
    reportOn(options, (target) => checkAll(target, options.write), { textOf, isRight }),
  );
}

async function checkAll(target: Target, place: Place | undefined): Promise<ConformanceReport> {
  const { result } = await timed('checks', (progress) => {
    let done = 0;
    return runConformance(target, checkedRows, () => progress(++done, checkedRows.length));
  });
  if (place !== undefined) writeResults(place, result);
  return result;
}
