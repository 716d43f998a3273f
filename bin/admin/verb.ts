import { randomUUID } from 'node:crypto';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { AuditIds } from '../../lib/domain/access/audit.ts';
import { repeatable } from '../command.ts';
import { print, printJson, say } from '../output.ts';
import { Alarm, failure } from './failure.ts';
import type { Installation } from './installation.ts';
import { listing, textsOf } from './text.ts';

/** An option or an argument of a verb, and the type of its value. Its name is that of the member that holds it. */
export type Parameter<Value> = {
  says: string;
  /** How the help calls the value of an option, for example `<name>`. A flag has none. */
  value?: string;
  /** @throws InvalidArgumentError. @param before of an option that is repeated: what was given before */
  parse?(text: string, before: Value | undefined): Value;
  is?: 'argument' | 'optional argument' | 'required' | 'repeatable';
  default?: Value;
  /** How the help calls the default. */
  defaultSays?: string;
};
type Parameters = Record<string, Parameter<unknown>>;
type Values<Declared> = { [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never };
type Parse<Value> = (text: string, before: Value | undefined) => Value;

export const argument = (says: string): Parameter<string> => ({ says, is: 'argument' });
export const optionalArgument = (says: string): Parameter<string | undefined> => ({ says, is: 'optional argument' });
export const flag = (says: string): Parameter<boolean | undefined> => ({ says });
export function required(value: string, says: string): Parameter<string>;
export function required<Value>(value: string, says: string, parse: Parse<Value>): Parameter<Value>;
export function required(value: string, says: string, parse?: Parse<unknown>): Parameter<unknown> {
  return { value, says, is: 'required', ...(parse ? { parse } : {}) };
}
export function optional(value: string, says: string): Parameter<string | undefined>;
export function optional<Value>(value: string, says: string, parse: Parse<Value>): Parameter<Value | undefined>;
export function optional(value: string, says: string, parse?: Parse<unknown>): Parameter<unknown> {
  return { value, says, ...(parse ? { parse } : {}) };
}
/** All values are given to the verb as a list. @param parse one of them */
export const repeated = <Value>(
  value: string,
  says: string,
  parse: (text: string) => Value,
): Parameter<Value[] | undefined> => ({
  ...{ value, says, is: 'repeatable' },
  // After `--no-…`, what was given before is `false`.
  parse: (text, before) => [...(Array.isArray(before) ? before : []), parse(text)],
});

export const team = required('<team_id>', 'the team');
export const anyTeam = optional('<team_id>', 'only those of this team');
export const yes = flag('confirm; required at a terminal');

/**
 * The result of a verb: the JSON value for `--json`, and text for people, by default a line for each field of the value.
 * A generator is printed as a JSON array while it is read. Nothing if the verb has printed its result already.
 */
export type Outcome =
  | {
      value: unknown;
      text?: string;
      /** For people only: printed on standard error after the text. */
      notes?: string | undefined;
      /** True if a script must notice what is printed: the exit status is 1. */
      isAlarm?: boolean;
      /** Ids for the audit log, in addition to those of the arguments. */
      ids?: AuditIds;
    }
  | undefined;

type Described<Declared> = { does: string; help?: string; parameters?: Declared };
/** `runId` is new in each run. `stack`: the deployed stack on which a verb works. */
type Given<Declared> = Values<Declared> & { json: boolean | undefined; runId: string; stack?: string | undefined };

type Verb<Declared> = Described<Declared> & {
  /** It changes nothing and shows no personal data. All other verbs have entries in the audit log. */
  reads?: true;
  /** The ids of these entries. Without it they have those of the outcome. */
  ids?(given: Given<Declared>, database: Installation['database']): AuditIds | Promise<AuditIds>;
  /** Why the verb is not for deployed stacks. */
  onlyLocal?: string;
  run(installation: Installation, given: Given<Declared>): Promise<Outcome>;
};
type OfflineVerb<Declared> = Described<Declared> & { run(given: Given<Declared>): Promise<Outcome> };

/** Makes a command a verb. */
type Registration = (command: Command) => void;

/** A noun with its verbs. */
export const noun =
  (does: string, verbs: Record<string, Registration>): Registration =>
  (command) => {
    command.description(does);
    for (const [name, register] of Object.entries(verbs)) register(command.command(name));
  };

/** A verb that works on an installation. If its arguments name a team, the team exists when it runs. */
export const verb =
  <Declared extends Parameters>({ reads, ids, onlyLocal, run, ...described }: Verb<Declared>): Registration =>
  (command) => {
    const what = `${command.parent?.name()} ${command.name()}`;
    declare(command, described);
    command.option('--stack <name>', 'work on this deployed stack instead of the running local service');
    command.action(async () => {
      const given = givenTo<Given<Declared> & { team?: string }>(command);
      if (onlyLocal && given.stack !== undefined)
        throw failure('local_only', `${what} works only on the local service, because it ${onlyLocal}.`);
      // Help, errors of arguments and verbs that work on files do not load what reaches an installation.
      const { installationOf } = await import('./installation.ts');
      const { loadTeam } = await import('../../lib/store/teams/teams.ts');
      const installation = await installationOf(given.stack);
      const act = async () => {
        if (given.team !== undefined && !(await loadTeam(installation.database, given.team)))
          throw failure('not_found', 'there is no team with this id', '--team');
        return run(installation, given);
      };
      if (reads) return printOutcome(await act(), given);
      const { recorded } = await import('./auditing.ts');
      const subject = { team: given.team, ids: (await ids?.(given, installation.database)) ?? {} };
      await printOutcome(await recorded(installation, what, subject, act), given);
    });
  };

/** A verb that works on files and needs no installation. */
export const offlineVerb =
  <Declared extends Parameters>({ run, ...described }: OfflineVerb<Declared>): Registration =>
  (command) => {
    declare(command, described);
    command.action(async () => {
      const given = givenTo<Given<Declared>>(command);
      await printOutcome(await run(given), given);
    });
  };

function declare(command: Command, { does, help, parameters = {} }: Described<Parameters>): void {
  command.description(does);
  if (help) command.addHelpText('after', help);
  for (const [name, parameter] of Object.entries(parameters)) {
    const words = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (parameter.is === 'argument') command.addArgument(new Argument(`<${words}>`, parameter.says));
    else if (parameter.is === 'optional argument') command.addArgument(new Argument(`[${words}]`, parameter.says));
    else command.addOption(optionOf(words.replaceAll('_', '-'), parameter));
  }
  const watched = 'watch' in parameters ? '; with --watch, one at each change' : '';
  command.option('--json', `print one JSON value and nothing else${watched}`);
}

function optionOf(name: string, { says, value, parse, is, default: preset, defaultSays }: Parameter<unknown>): Option {
  const option = new Option(value ? `--${name} ${value}` : `--${name}`, says).makeOptionMandatory(is === 'required');
  if (preset !== undefined) option.default(preset, defaultSays);
  if (parse) option.argParser(parse);
  return is === 'repeatable' ? repeatable(option) : option;
}

/** The values of the options and arguments, by the names of the parameters. */
function givenTo<Values>(command: Command): Values {
  const named = command.registeredArguments.map((each, at): [string, unknown] => [
    each.name().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    command.processedArgs[at],
  ]);
  return { ...command.opts(), ...Object.fromEntries(named), runId: randomUUID() } as Values;
}

async function printOutcome(outcome: Outcome, { json }: { json: boolean | undefined }): Promise<void> {
  if (!outcome) return;
  const { value, text = listing(textsOf(value as object)), notes, isAlarm = false } = outcome;
  if (json) await printJson(value);
  else print(text);
  if (notes && !json) say(notes);
  if (isAlarm) throw new Alarm();
}

/**
 * Prints what the verb is about to do. At a terminal `--yes` is required; a script needs no confirmation. It prints to
 * standard error, because standard output contains only the result.
 * @throws AdminFailure `confirmation_required`
 */
export function requireConsent(consequence: string, { yes = false }: { yes?: boolean | undefined }): void {
  if (!yes && process.stdin.isTTY) {
    const remedy = 'Nothing was changed. To continue, run the command again with --yes.';
    throw failure('confirmation_required', `This would be done:\n${consequence}\n${remedy}`);
  }
  say(consequence);
}

/** For the parameter of a value that must be one of these. @param what they are, in the plural */
export const oneOf =
  <Value extends string>(what: string, values: readonly Value[]) =>
  (text: string): Value => {
    const found = values.find((each) => each === text);
    if (found === undefined) throw new InvalidArgumentError(`The ${what} are ${values.join(', ')}.`);
    return found;
  };
