import { Command, CommanderError } from 'commander';
import { registerClient } from './admin/client.ts';
import { failure, failureOf } from './admin/failure.ts';
import { registerTeam } from './admin/team.ts';

/** What the interface leaves to an administrator. One file a noun under `bin/admin/`. */
const program = new Command('npm run admin --')
  .description('Administers the running local service, or with --stack NAME a deployed one.')
  .exitOverride()
  .addHelpText(
    'after',
    `
Environment:
  DATA_DIR  the folder of the local service (default .data)

With --json a verb prints one JSON value: what it did, or {"error","details"} with exit status 1.
npm itself prints a banner before it; npm run --silent admin -- … leaves that out.`,
  );
registerTeam(program);
registerClient(program);

async function main(): Promise<void> {
  const asJson = process.argv.includes('--json');
  // Usage faults are reported below, once, in the form that was asked for.
  for (const command of [program, ...program.commands.flatMap((noun) => [noun, ...noun.commands])]) {
    command.exitOverride().configureOutput({ outputError: () => {} });
  }
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const fault = error instanceof CommanderError ? usageFailure(error) : failureOf(error);
    if (asJson) console.log(JSON.stringify(asValue(fault)));
    else console.error(fault.message);
    process.exitCode = 1;
  }
}

/** Where a noun or a verb is missing, commander has printed the help already. */
const usageFailure = ({ code, message }: CommanderError) =>
  failure('invalid_arguments', code === 'commander.help' ? 'name a noun and a verb' : message.replace(/^error: /, ''));

const asValue = ({ code, details }: ReturnType<typeof failure>) => ({ error: code, details });

await main();
