import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../admin/run-program.ts';
import { Command } from '../command.ts';
import { CannotRun } from './cannot-run.ts';
import { emulatorName, emulatorPython } from './python.ts';
import { rehearse } from './rehearsal.ts';
import { isComplete, textOf } from './report.ts';

type Options = { from?: string; keep: boolean; json: boolean };

const help = `
It needs Python 3.10 or newer, which nothing else in the project needs. The emulator (${emulatorName}, from PyPI) is
installed in a virtual environment in the cache folder of the user. Everything runs on the loopback interface, and is
stopped and deleted at the end.

Exit status: 0 if everything passed, 1 if something failed or the rehearsal cannot run.`;

/** Rehearses a deployment. Returns the exit status. */
export async function runRehearseCommand(args: readonly string[]): Promise<number> {
  const program = new Command('npm run rehearse --')
    .description(
      'Deploys the stack to an emulator of AWS on this machine, tests it, enforces the roles and tests it again, and ' +
        'upgrades an earlier release.',
    )
    .option('--from <revision>', 'upgrade from this git revision (default: the last tag, or 50 commits back)')
    .option('--keep', 'keep the folder of the run, with the log of the emulator', false)
    .option('--json', 'print one JSON value and nothing else', false)
    .addHelpText('after', help);
  return runProgram(program, args, runOne);
}

async function runOne({ keep, json, ...options }: Options): Promise<number> {
  const say = json ? () => {} : console.log;
  const parts = new AsyncDisposableStack();
  const takeDown = async () => {
    await parts.disposeAsync();
    process.exit(130);
  };
  process.once('SIGINT', takeDown).once('SIGTERM', takeDown);
  try {
    const python = await emulatorPython(say);
    const folder = mkdtempSync(join(tmpdir(), 'onboarding-rehearsal-'));
    if (keep) say(`The folder of this run is ${folder}`);
    else parts.defer(() => rmSync(folder, { recursive: true, force: true }));
    const result = await rehearse({ python, folder, parts, options, say });
    console.log(json ? JSON.stringify(result) : `\n${textOf(result)}`);
    return isComplete(result) ? 0 : 1;
  } catch (error) {
    const message = error instanceof CannotRun ? error.message : reasonOf(error);
    if (json) console.log(JSON.stringify({ error: 'cannot_run', message }));
    else console.error(message);
    return 1;
  } finally {
    await parts.disposeAsync();
    process.off('SIGINT', takeDown).off('SIGTERM', takeDown);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
