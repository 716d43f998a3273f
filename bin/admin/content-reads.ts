import type { Command } from 'commander';
import { contentJsonSchema } from '../content/document-schema.ts';
import { print } from '../output.ts';
import { type ContentOptions, checkedContent, contentOutcome } from './content-outcome.ts';
import { documentOf } from './document.ts';
import { AdminFailure } from './failure.ts';
import { exportContent, exportRevision } from './operations/export-content.ts';
import { requireTeam } from './require-team.ts';
import { verb } from './verb.ts';

/** The verbs of content that write nothing. */
export function registerContentReads(content: Command): void {
  verb<ContentOptions, [string]>(
    content
      .command('check')
      .description('Do everything that import does, but write nothing')
      .argument('<file>', 'the JSON document; - reads it from standard input')
      .option('--team <team_id>', 'whose content it is; without it, global objectives only')
      .option('--strict', 'fail if there is a warning'),
    'reads',
    async (installation, options, file) => {
      const { counts, warnings } = await checkedContent(installation, documentOf(file, true), options);
      return contentOutcome(options.team, counts, warnings);
    },
  );

  verb<{ team?: string; revision?: string }>(
    content
      .command('export')
      .description('Print the content of a team as a document that import takes')
      .option('--team <team_id>', 'whose content it is; without it, the global objectives')
      .option('--revision <id>', 'the content_revision of a response; without it, the current content'),
    'reads',
    async ({ database }, { team, revision }) => {
      if (team !== undefined) await requireTeam(database, team);
      const value =
        revision === undefined
          ? await exportContent(database, team ?? null)
          : await exportRevision(database, team ?? null, revision);
      if (!value) throw new AdminFailure('not_found', [{ path: '--revision', message: 'is not a stored revision' }]);
      return { value, text: JSON.stringify(value, undefined, 2) };
    },
  );

  // It describes this version of the command, so it needs no running service.
  content
    .command('schema')
    .description('Print the JSON Schema of the document that import takes')
    .option('--json', 'print it in one line')
    .action(({ json }: { json?: boolean }) => {
      print(JSON.stringify(contentJsonSchema(), undefined, json ? undefined : 2));
    });
}
