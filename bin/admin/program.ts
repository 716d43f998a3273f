import { Command, CommanderError } from 'commander';
import { registerAccount } from './account.ts';
import { registerAudit } from './audit.ts';
import { registerBatch } from './batch.ts';
import { registerClient } from './client.ts';
import { registerContact } from './contact.ts';
import { registerContent } from './content.ts';
import { registerDrill } from './drill.ts';
import { registerDrop } from './drop.ts';
import { registerErasure } from './erasure.ts';
import { registerFailed } from './failed.ts';
import { failure, failureOf } from './failure.ts';
import { registerFile } from './file.ts';
import { registerJourney } from './journey.ts';
import { registerProduct } from './product.ts';
import { registerRetention } from './retention.ts';
import { registerTeam } from './team.ts';

/** Each noun has a file, which registers its verbs. */
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
  registerDrop,
  registerFailed,
  registerDrill,
  registerErasure,
  registerRetention,
  registerAudit,
];

const environmentHelp = `
Environment:
  DATA_DIR  the folder of the local service (default .data)

With --json a verb prints one JSON value: its result, or {"error","details"} with exit status 1.
npm prints a banner first; npm run --silent admin -- … omits it.`;

/** The command with all nouns and verbs. */
export function adminProgram(): Command {
  const program = new Command('npm run admin --')
    .description('Administers the running local service, or with --stack NAME a deployed one.')
    .addHelpText('after', environmentHelp)
    .exitOverride()
    // Argument errors are printed once, below, as text or JSON.
    .configureOutput({ outputError: () => {} });
  for (const register of nouns) register(program);
  return program;
}

/** Runs an administrator's command. Returns the exit status. */
export async function runAdmin(args: readonly string[]): Promise<number> {
  try {
    await adminProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const reported = error instanceof CommanderError ? usageFailure(error) : failureOf(error);
    if (args.includes('--json')) console.log(JSON.stringify({ error: reported.code, details: reported.details }));
    else console.error(reported.message);
    return 1;
  }
}

/** If the noun or the verb is missing, commander has already printed the help. */
const usageFailure = ({ code, message }: CommanderError) =>
  failure(
    'invalid_arguments',
    code === 'commander.help' ? 'a noun and a verb are required' : message.replace(/^error: /, ''),
  );
