import { say } from '../output.ts';
import { failure } from './failure.ts';

/** For the `option` of a command that requires consent. */
export const yesOption = ['--yes', 'confirm; required at a terminal'] as const;

/**
 * Prints what the verb is about to do. At a terminal `--yes` is required; a script needs no confirmation. It prints to
 * standard error, because standard output contains only the result.
 * @throws AdminFailure `confirmation_required`
 */
export function requireConsent(consequence: string, { yes = false }: { yes?: boolean | undefined }): void {
  if (!yes && process.stdin.isTTY) {
    throw failure(
      'confirmation_required',
      `${consequence}\nNothing was changed. To continue, run the command again with --yes.`,
    );
  }
  say(consequence);
}
