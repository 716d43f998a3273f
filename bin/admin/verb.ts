import type { Command } from 'commander';
import type { AuditIds } from '../../lib/domain/audit.ts';
import { recorded, type Subject } from './audit-act.ts';
import { deployedInstallation, type Installation, localInstallation } from './installation.ts';
import { printJson } from './print-json.ts';

/**
 * What a verb did: as the one JSON value of `--json`, and as text for people. Of many values the JSON is a generator,
 * printed as an array while it is read. `ids` are those that the audit log gets beside those of the arguments.
 */
export type Outcome = { value: unknown; text: string; ids?: AuditIds };

/**
 * What the audit log holds of a verb. `reads` is for verbs that change nothing and show no personal data: they have no
 * entry. All others say which ids their entries have.
 */
export type Auditing<Options, Arguments extends readonly unknown[]> =
  | 'reads'
  | ((options: Options, args: Arguments, database: Installation['database']) => AuditIds | Promise<AuditIds>);

/** Of acts whose team says all, or whose ids are made by the act itself. */
export const noIds = (): AuditIds => ({});

type CommonOptions = { stack?: string; json?: boolean; team?: string };

/**
 * Makes the command a verb: gives it the options that all have, and what it works on. `run` gets the command's own
 * options, then its arguments.
 */
export function verb<Options, Arguments extends readonly (string | undefined)[] = []>(
  command: Command,
  auditing: Auditing<Options, Arguments>,
  run: (installation: Installation, options: Options, ...args: Arguments) => Promise<Outcome>,
): void {
  command
    .option('--stack <name>', 'work on this deployed stack instead of the running local service')
    .option('--json', 'print one JSON value and nothing else')
    .action(async () => {
      const options = command.opts<Options & CommonOptions>();
      const args = command.processedArgs as unknown as Arguments;
      const installation =
        options.stack === undefined
          ? localInstallation(process.env.DATA_DIR || '.data')
          : await deployedInstallation(options.stack);
      const act = () => run(installation, options, ...args);
      const outcome =
        auditing === 'reads'
          ? await act()
          : await recorded(installation, nameOf(command), await subject(installation, auditing, options, args), act);
      if (options.json) await printJson(outcome.value);
      else console.log(outcome.text);
    });
}

/** Noun and verb. */
export const nameOf = (command: Command): string => `${command.parent?.name()} ${command.name()}`;

async function subject<Options, Arguments extends readonly unknown[]>(
  { database }: Installation,
  auditing: Exclude<Auditing<Options, Arguments>, 'reads'>,
  options: Options & CommonOptions,
  args: Arguments,
): Promise<Subject> {
  return { team: options.team, ids: await auditing(options, args, database) };
}
