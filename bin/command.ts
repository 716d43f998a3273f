import { type Option, Command as PlainCommand } from 'commander';

const repeatables = new WeakSet<Option>();

/** Marks an option that can be given several times. */
export function repeatable(option: Option): Option {
  repeatables.add(option);
  return option;
}

/** A command that refuses an option that is given twice: the last value would replace the first one silently. */
export class Command extends PlainCommand {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  override addOption(option: Option): this {
    super.addOption(option);
    if (option.variadic || repeatables.has(option)) return this;
    let isGiven = false;
    this.on(`option:${option.name()}`, () => {
      if (isGiven) this.error(`error: option '${option.flags}' is given twice`, { code: 'onboarding.repeatedOption' });
      isGiven = true;
    });
    return this;
  }
}

/**
 * Ends the command when the reader of its output has ended, as with `| head`. A command that stops on a signal stops in
 * the same way.
 */
function endWithReader(): void {
  let hasEnded = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (hasEnded) return;
    hasEnded = true;
    if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
    else process.exit();
  });
  // Standard error has only progress, so nothing is lost.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

endWithReader();
