import { Command, CommanderError } from 'commander';
import { registerAccount } from './account.ts';
import { registerBatch } from './batch.ts';
import { registerClient } from './client.ts';
import { registerContact } from './contact.ts';
import { registerContent } from './content.ts';
import { registerFailed } from './failed.ts';
import { failure, failureOf } from './failure.ts';
import { registerFile } from './file.ts';
import { registerJourney } from './journey.ts';
import { registerProduct } from './product.ts';
import { registerTeam } from './team.ts';

/** One file a noun; each adds its verbs. */
const nouns = [
  registerTeam,
  registerClient,
  registerContact,
  registerAccount,
  registerJourney,
  registerContent,
  registerFile,
  registerProduct,
  registerBatch,
  registerFailed,
];

const environmentHelp = `
Environment:
  DATA_DIR  the folder of the local service (default .data)

With --json a verb prints one JSON value: what it did, or {"error","details"} with exit status 1.
npm itself prints a banner before it; npm run --silent admin -- … leaves that out.`;

/** What the interface leaves to an administrator. Gives the exit status. */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const program = new Command('npm run admin --')
    .description('Administers the running local service, or with --stack NAME a deployed one.')
    .addHelpText('after', environmentHelp)
    .exitOverride()
    // What is wrong with the arguments is said below, once, in the form that was asked for.
    .configureOutput({ outputError: () => {} });
  for (const register of nouns) register(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const reported = error instanceof CommanderError ? usageFailure(error) : failureOf(error);
    if (args.includes('--json')) console.log(JSON.stringify({ error: reported.code, details: reported.details }));
    else console.error(reported.message);
    return 1;
  }
}

/** Where a noun or a verb is missing, commander has printed the help already. */
const usageFailure = ({ code, message }: CommanderError) =>
  failure('invalid_arguments', code === 'commander.help' ? 'name a noun and a verb' : message.replace(/^error: /, ''));
