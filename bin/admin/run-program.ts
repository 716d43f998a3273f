import { type Command, CommanderError } from 'commander';

/** Parses the arguments and runs the action with the options. Returns its exit status, or 1 for invalid arguments. */
export async function runProgram<Options>(
  program: Command,
  args: readonly string[],
  action: (options: Options) => Promise<number>,
): Promise<number> {
  let status = 1;
  program.exitOverride().action(async (options: Options) => {
    status = await action(options);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    throw error;
  }
}
