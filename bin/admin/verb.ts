import type { Command } from 'commander';
import type { AuditIds } from '../../lib/domain/audit.ts';
import type { Database } from '../../lib/store/database.ts';
import { loadTeam } from '../../lib/store/teams.ts';
import { print, printJson, say } from '../output.ts';
import { recorded, type Subject } from './audit-act.ts';
import { failure } from './failure.ts';
import { type Installation, installationOf } from './installation.ts';

/**
 * The result of a verb: the JSON value for `--json`, and text for people. A generator is printed as a JSON array while
 * it is read.
 */
export type Outcome = {
  value: unknown;
  text: string;
  /** For people only: printed on standard error after the text. */
  notes?: string;
  /** Ids for the audit log, in addition to those of the arguments. */
  ids?: AuditIds;
};

/**
 * What the audit log records of a verb. `reads` is for verbs that change nothing and show no personal data: they have
 * no entry. All others return the ids of their entries.
 */
export type Auditing<Options, Arguments extends readonly unknown[]> =
  | 'reads'
  | ((options: Options, args: Arguments, database: Installation['database']) => AuditIds | Promise<AuditIds>);

/** For acts that need no id but the team's, and acts that create their ids. */
export const noIds = (): AuditIds => ({});

type CommonOptions = { stack?: string; json?: boolean; team?: string };

/**
 * Makes the command a verb: adds the common options, opens the installation and checks that the team exists, if the
 * options name one. `run` gets the installation, the command's own options, then its arguments. It returns nothing if it
 * has printed its result already.
 */
export function verb<Options, Arguments extends readonly (string | undefined)[] = []>(
  command: Command,
  auditing: Auditing<Options, Arguments>,
  run: (installation: Installation, options: Options, ...args: Arguments) => Promise<Outcome | undefined>,
): void {
  const canWatch = command.options.some(({ long }) => long === '--watch');
  command
    .option('--stack <name>', 'work on this deployed stack instead of the running local service')
    .option('--json', `print one JSON value and nothing else${canWatch ? '; with --watch, one at each change' : ''}`)
    .action(async () => {
      const options = command.opts<Options & CommonOptions>();
      const args = command.processedArgs as unknown as Arguments;
      const installation = await installationOf(options.stack);
      const act = async () => {
        if (options.team !== undefined) await requireTeam(installation.database, options.team);
        return run(installation, options, ...args);
      };
      const outcome =
        auditing === 'reads'
          ? await act()
          : await recorded(installation, nameOf(command), await subject(installation, auditing, options, args), act);
      if (!outcome) return;
      if (options.json) await printJson(outcome.value);
      else print(outcome.text);
      if (outcome.notes && !options.json) say(outcome.notes);
    });
}

/** Noun and verb. */
const nameOf = (command: Command): string => `${command.parent?.name()} ${command.name()}`;

async function subject<Options, Arguments extends readonly unknown[]>(
  { database }: Installation,
  auditing: Exclude<Auditing<Options, Arguments>, 'reads'>,
  options: Options & CommonOptions,
  args: Arguments,
): Promise<Subject> {
  return { team: options.team, ids: await auditing(options, args, database) };
}

/** @throws AdminFailure `not_found` */
async function requireTeam(database: Database, team: string): Promise<void> {
  if (await loadTeam(database, team)) return;
  throw failure('not_found', 'there is no team with this id', '--team');
}
