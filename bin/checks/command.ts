import { failureOf } from '../admin/failure.ts';
import { type Installation, installationOf } from '../admin/installation.ts';
import { printJson } from '../admin/print-json.ts';
import { Command } from '../command.ts';
import { print, say } from '../output.ts';

export type Options = { baseUrl?: string; stack?: string; json: boolean };
type Target = { installation: Installation; baseUrl: string };

/** A command that checks the running local service or a deployed stack. */
export const checkCommand = (name: string, description: string, help: string): Command =>
  new Command(`npm run ${name} --`)
    .description(description)
    .option('--stack <name>', 'check this deployed stack instead of the running local service')
    .option('--base-url <url>', 'send the requests to this URL (default: that of the stack or the local service)')
    .option('--json', 'print one JSON value and nothing else', false)
    .addHelpText('after', help);

/** Runs the checks and prints their report, or why they cannot run. Returns the exit status. */
export async function reportOn<Report>(
  { baseUrl, stack, json }: Options,
  check: (target: Target) => Promise<Report>,
  { textOf, isRight }: { textOf(report: Report): string; isRight(report: Report): boolean },
): Promise<number> {
  try {
    const installation = await installationOf(stack);
    const report = await check({ installation, baseUrl: baseUrl ?? installation.baseUrl });
    if (json) await printJson(report);
    else print(textOf(report));
    return isRight(report) ? 0 : 1;
  } catch (error) {
    const failed = failureOf(error);
    if (json) await printJson({ error: failed.code, details: failed.details });
    else say(failed.message);
    return 1;
  }
}
