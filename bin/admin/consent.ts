import { failure } from './failure.ts';

/**
 * Says what the verb will do before it does it. Somebody at a terminal must have given `--yes`; a script has decided
 * already. It goes to standard error, since standard output holds the result alone.
 * @throws AdminFailure `confirmation_required`
 */
export function requireConsent(consequence: string, { yes = false }: { yes?: boolean | undefined }): void {
  if (!yes && process.stdin.isTTY) {
    throw failure('confirmation_required', `${consequence}\nNothing was changed. To go on, repeat this with --yes.`);
  }
  console.error(consequence);
}
