import { Argument, CommanderError } from 'commander';
import { ApiError, NetworkError } from '../../client/index.ts';
import { noticeText } from '../../lib/domain/drop-box/file-notice.ts';
import { FileRefused } from '../../lib/files/bytes.ts';
import type { FileKind } from '../../lib/files/kinds.ts';
import type { FormatOptions } from '../../lib/files/mapping.ts';
import { Command } from '../command.ts';
import { print, say } from '../output.ts';
import { proposedMap } from './map-from.ts';
import { screenOf, silence } from './progress.ts';
import { importFile } from './run.ts';
import { CannotRun } from './source.ts';
import { exitStatusOf, type Summary, textOf } from './summary.ts';

type Options = FormatOptions & {
  map?: string;
  mapFrom?: string;
  batchId?: string;
  dryRun: boolean;
  strict: boolean;
  json: boolean;
};

const help = `
Examples:
  npm run import -- accounts nightly.csv.gz
  npm run import -- contacts people.csv --map core-to-api.json
  npm run import -- accounts export.csv --dates MM/DD/YYYY --numbers 1,234.50
  npm run import -- accounts nightly.csv --dry-run
  npm run --silent import -- accounts --map-from export.csv > core-to-api.json
  zcat nightly.gz | npm run --silent import -- accounts - --json

Environment:
  ONBOARDING_BASE_URL, ONBOARDING_CLIENT_ID, ONBOARDING_CLIENT_SECRET
            the service and its credentials (default: the running local service)
  DATA_DIR  the folder of the local service (default .data)

Exit status: 0 all rows applied, 1 some rows rejected, 2 the import did not start or the file was not read to its end,
  3 the file was imported before and others since: nothing was applied again.
To continue a stopped import, run the same command again. More: docs/imports.md`;

/** Imports a file. Returns the exit status. */
export async function runImportCommand(args: readonly string[]): Promise<number> {
  let status = 0;
  const program = new Command('npm run import --')
    .description('Imports a file of accounts or contacts: CSV or NDJSON, plain or gzip, of any size.')
    .addArgument(new Argument('<kind>', 'what the rows are').choices(['accounts', 'contacts']))
    .argument('[file]', 'the file, or - for standard input')
    .option('--map <file>', 'a JSON file that maps columns to fields')
    .option('--dates <format>', 'how the file writes dates, such as MM/DD/YYYY')
    .option('--numbers <example>', 'how the file writes 1234.50, such as 1.234,50')
    .option('--encoding <label>', 'the encoding of the file if it is not UTF-8, such as windows-1252')
    .option('--map-from <file>', 'print a proposed map of the file, to be edited, and send nothing')
    .option('--batch-id <id>', 'the batch id of the import (default: made from the content)')
    .option('--dry-run', 'check every row and send nothing', false)
    .option('--strict', 'send nothing if any row is invalid', false)
    .option('--json', 'print the result as one JSON value', false)
    .addHelpText('after', help)
    .exitOverride()
    .action(async (kind: FileKind, file: string | undefined, options: Options) => {
      if ((file === undefined) === (options.mapFrom === undefined)) program.error('Name one file, or --map-from.');
      status = file === undefined ? await printMap(kind, options) : await runOne(kind, file, options);
    });
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

async function printMap(kind: FileKind, { mapFrom = '', encoding }: Options): Promise<number> {
  try {
    const { map, notes } = await proposedMap(kind, mapFrom, encoding);
    for (const note of notes) say(`Note: ${note}.`);
    print(JSON.stringify(map, undefined, 2));
    return 0;
  } catch (error) {
    say(messageOf(error));
    return 2;
  }
}

async function runOne(kind: FileKind, file: string, options: Options): Promise<number> {
  const screen = options.json ? silence : screenOf(process.stderr);
  const [asked, now] = [new AbortController(), new AbortController()];
  // The first Ctrl-C waits for running requests, the second stops at once.
  const onSignal = () => {
    const next = asked.signal.aborted ? now : asked;
    next.abort(new DOMException('interrupted', 'AbortError'));
    if (next === asked) screen.say('Stopping: waiting for running requests. Press Ctrl-C again to stop at once.');
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    const summary = await importFile({ kind, file, ...options }, screen, { asked: asked.signal, now: now.signal });
    print(options.json ? JSON.stringify(summary) : `${headline(summary)}\n\n${textOf(summary)}`);
    return exitStatusOf(summary);
  } catch (error) {
    const message = now.signal.aborted ? 'Stopped. Run the same command again to continue.' : messageOf(error);
    if (options.json) print(JSON.stringify({ error: 'cannot_run', message }));
    else say(message);
    return 2;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function headline({ file, base_url, notices }: Summary): string {
  const title = base_url ? `${file} into ${base_url}` : `${file}, checked only`;
  return [
    title,
    ...(notices.length > 0 ? ['', 'To check:', ...notices.map((each) => `  ${noticeText(each)}`)] : []),
  ].join('\n');
}

/** Expected errors have messages for the operator; of others, the name of the error is shown as well. */
function messageOf(error: unknown): string {
  if (error instanceof CannotRun || error instanceof FileRefused) return error.message;
  if (error instanceof ApiError && error.status === 401) return 'The service does not accept these credentials.';
  if (error instanceof NetworkError) return `${error.message}. Run the same command again to continue.`;
  if (error instanceof ApiError) {
    return `${error.message}${error.requestId ? ` (request ${error.requestId})` : ''}. Run the same command again to continue.`;
  }
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
