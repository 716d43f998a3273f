import { CommanderError } from 'commander';
import { Command } from '../command.ts';
import { print, say } from '../output.ts';
import { Alarm, failure, failureOf } from './failure.ts';

/** The file of each noun declares its verbs; `morning` and `requests` have none. To load only the one that is needed takes half of the time. */
const nouns = {
  morning: () => import('./morning/morning.ts'),
  team: () => import('./teams/team.ts'),
  client: () => import('./access/client.ts'),
  contact: () => import('./contacts/contact.ts'),
  account: () => import('./accounts/account.ts'),
  journey: () => import('./journeys/journey.ts'),
  content: () => import('./campaigns/content.ts'),
  template: () => import('./results/template.ts'),
  file: () => import('./campaigns/file.ts'),
  product: () => import('./accounts/product.ts'),
  message: () => import('./messages/message.ts'),
  suppression: () => import('./suppression/suppression.ts'),
  targeting: () => import('./targeting/targeting.ts'),
  batch: () => import('./imports/batch.ts'),
  drop: () => import('./drop-box/drop.ts'),
  events: () => import('./events/events.ts'),
  failed: () => import('./imports/failed.ts'),
  drill: () => import('./imports/drill.ts'),
  requests: () => import('./access/requests.ts'),
  webhook: () => import('./events/webhook.ts'),
  erasure: () => import('./erasure/erasure.ts'),
  retention: () => import('./teams/retention.ts'),
  audit: () => import('./access/audit.ts'),
};
type Noun = keyof typeof nouns;
const isNoun = (name: string): name is Noun => Object.hasOwn(nouns, name);

const environmentHelp = `
Environment:
  DATA_DIR    the folder of the local service (default .data)
  ADMIN_USER  with a local service: whom the audit log names (default: the user of the computer)

With --json a verb prints one JSON value: its result, or {"error","details"} with exit status 1.
npm prints a banner first; npm run --silent admin -- … omits it.`;

/** The command with the verbs of these nouns. */
export async function adminProgram(names = Object.keys(nouns) as Noun[]): Promise<Command> {
  const program = new Command('npm run admin --')
    .description('Administers the running local service, or with --stack NAME a deployed one.')
    .addHelpText('after', environmentHelp)
    .exitOverride()
    // Argument errors are printed once, below, as text or JSON.
    .configureOutput({ outputError: () => {} });
  for (const name of names) (await nouns[name]()).verbs(program.command(name));
  return program;
}

/** Runs an administrator's command. Returns the exit status. */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const [name = ''] = args;
  try {
    // Without a noun, the help and the errors need all of them.
    const program = await adminProgram(isNoun(name) ? [name] : undefined);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof Alarm) return 1;
    const reported = error instanceof CommanderError ? usageFailure(error) : failureOf(error);
    if (args.includes('--json')) print(JSON.stringify({ error: reported.code, details: reported.details }));
    else say(reported.message);
    return 1;
  }
}

/** If the noun or the verb is missing, commander has already printed the help. */
const usageFailure = ({ code, message }: CommanderError) =>
  failure(
    'invalid_arguments',
    code === 'commander.help' ? 'a noun and a verb are required' : message.replace(/^error: /, ''),
  );
