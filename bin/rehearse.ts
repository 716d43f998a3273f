import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableOf } from './admin/text.ts';
import { Command } from './command.ts';
import { emulatorName, emulatorPython } from './rehearse/emulator.ts';
import { CannotRun } from './rehearse/processes.ts';
import { type Rehearsal, rehearse } from './rehearse/rehearsal.ts';
import { notTried } from './rehearse/template-rules.ts';

type Options = { from?: string; removeGrants: boolean; keep: boolean };

const command = new Command('npm run rehearse --')
  .description(
    'Deploys the stack to an emulator of AWS on this machine, tests it, enforces the roles and tests it again, and ' +
      'upgrades an earlier release.',
  )
  .option(
    '--from <revision>',
    'upgrade from this git revision (default: the last tag; if there is none, the commit before the last one that ' +
      'changed what is deployed)',
  )
  .option('--remove-grants', 'show that every part of the policies of functions is needed', false)
  .option('--keep', 'keep the folder of the run, with the log of the emulator', false)
  .addHelpText(
    'after',
    `
It needs Python 3.10 or newer, which nothing else in the project needs. The emulator (${emulatorName}, from PyPI) is
installed in a virtual environment in the cache folder of the user. Everything runs on the loopback interface, and is
stopped and deleted at the end.

Exit status: 0 if everything passed, 1 if something failed or the rehearsal cannot run.`,
  );

/** Returns true if everything passed. */
async function main({ keep, ...options }: Options): Promise<boolean> {
  const say = console.log;
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
    say(`\n${textOf(result)}`);
    return result.stages.every(({ isRight }) => isRight);
  } catch (error) {
    console.error(error instanceof CannotRun ? error.message : error);
    return false;
  } finally {
    await parts.disposeAsync();
    process.off('SIGINT', takeDown).off('SIGTERM', takeDown);
  }
}

/** What was left out, and what was not tried. The stages were printed as they ended. */
function textOf({ changes, stages }: Rehearsal): string {
  const seconds = stages.reduce((sum, each) => sum + each.seconds, 0);
  const failed = stages.filter(({ isRight }) => !isRight).length;
  const columns = { RESOURCE: 'resource', CHANGE: 'change', WHY: 'why' } as const;
  const left = changes.map(({ type, resource, ...rest }) => ({ ...rest, resource: `${type} ${resource}` }));
  return [
    `Left out of the copy of the template, or rewritten in it:\n\n${tableOf(left, columns, 'Nothing.')}`,
    `Not tried:\n\n${notTried.map((each) => `- ${each}`).join('\n')}`,
    `${stages.length} stages, ${failed} failed, ${Math.round(seconds)} seconds.`,
  ].join('\n\n');
}

process.exitCode = (await main(command.parse().opts<Options>())) ? 0 : 1;
