import { CommanderError } from 'commander';
import { Command } from '../command.ts';
import { print, say } from '../output.ts';
import { failure, failureOf } from './failure.ts';

/** Each noun has a file, which registers its verbs. To load only the file that is needed takes half of the time. */
const nouns: Record<string, () => Promise<(program: Command) => void>> = {
  team: async () => (await import('./team.ts')).registerTeam,
  client: async () => (await import('./client.ts')).registerClient,
  contact: async () => (await import('./contact.ts')).registerContact,
  account: async () => (await import('./account.ts')).registerAccount,
  journey: async () => (await import('./journey.ts')).registerJourney,
  content: async () => (await import('./content.ts')).registerContent,
  template: async () => (await import('./template.ts')).registerTemplate,
  file: async () => (await import('./file.ts')).registerFile,
  product: async () => (await import('./product.ts')).registerProduct,
  batch: async () => (await import('./batch.ts')).registerBatch,
  drop: async () => (await import('./drop.ts')).registerDrop,
  events: async () => (await import('./events.ts')).registerEvents,
  failed: async () => (await import('./failed.ts')).registerFailed,
  drill: async () => (await import('./drill.ts')).registerDrill,
  webhook: async () => (await import('./webhook.ts')).registerWebhook,
  erasure: async () => (await import('./erasure.ts')).registerErasure,
  retention: async () => (await import('./retention.ts')).registerRetention,
  audit: async () => (await import('./audit.ts')).registerAudit,
};

const environmentHelp = `
Environment:
  DATA_DIR  the folder of the local service (default .data)

With --json a verb prints one JSON value: its result, or {"error","details"} with exit status 1.
npm prints a banner first; npm run --silent admin -- … omits it.`;

/** The command with the verbs of these nouns. */
export async function adminProgram(names: readonly string[] = Object.keys(nouns)): Promise<Command> {
  const program = new Command('npm run admin --')
    .description('Administers the running local service, or with --stack NAME a deployed one.')
    .addHelpText('after', environmentHelp)
    .exitOverride()
    // Argument errors are printed once, below, as text or JSON.
    .configureOutput({ outputError: () => {} });
  for (const name of names) (await nouns[name]!())(program);
  return program;
}

/** The noun that the arguments begin with. Without one, the help and the errors need all nouns. */
function nounOf([name = '']: readonly string[]): string[] | undefined {
  return Object.hasOwn(nouns, name) ? [name] : undefined;
}

/** Runs an administrator's command. Returns the exit status. */
export async function runAdmin(args: readonly string[]): Promise<number> {
  try {
    const program = await adminProgram(nounOf(args));
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
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
