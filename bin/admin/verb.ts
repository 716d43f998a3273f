import type { Command } from 'commander';
import { deployedInstallation, type Installation, localInstallation } from './installation.ts';

/** The result of a verb: the JSON value for `--json`, and text for people. */
export type Outcome = {
  value: unknown;
  text: string;
  /** For people only: printed on standard error after the text. */
  notes?: string;
};

type CommonOptions = { stack?: string; json?: boolean };

/**
 * Makes the command a verb: adds the common options and opens the installation. `run` gets the installation, the
 * command's own options, then its arguments.
 */
export function verb<Options, Arguments extends readonly (string | undefined)[] = []>(
  command: Command,
  run: (installation: Installation, options: Options, ...args: Arguments) => Promise<Outcome>,
): void {
  command
    .option('--stack <name>', 'work on this deployed stack instead of the running local service')
    .option('--json', 'print one JSON value and nothing else')
    .action(async () => {
      const options = command.opts<Options & CommonOptions>();
      const installation =
        options.stack === undefined
          ? localInstallation(process.env.DATA_DIR || '.data')
          : await deployedInstallation(options.stack);
      const outcome = await run(installation, options, ...(command.processedArgs as unknown as Arguments));
      console.log(options.json ? JSON.stringify(outcome.value) : outcome.text);
      if (outcome.notes && !options.json) console.error(outcome.notes);
    });
}
