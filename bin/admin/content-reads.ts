import type { Command } from 'commander';
import { contentJsonSchema } from '../../lib/domain/content/document-schema.ts';
import { exportContent } from '../../lib/operations/export-content.ts';
import { type ContentOptions, checkedContent, contentOutcome } from './content-outcome.ts';
import { documentFile } from './document.ts';
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
      const { counts, warnings } = await checkedContent(installation, documentFile(file), options);
      return contentOutcome(options.team, counts, warnings);
    },
  );

  verb<{ team?: string }>(
    content
      .command('export')
      .description('Print the content of a team as a document that import takes')
      .option('--team <team_id>', 'whose content it is; without it, the global objectives'),
    'reads',
    async ({ database }, { team }) => {
      if (team !== undefined) await requireTeam(database, team);
      const value = await exportContent(database, team ?? null);
      return { value, text: JSON.stringify(value, undefined, 2) };
    },
  );

  // It describes this version of the command, so it needs no running service.
  content
    .command('schema')
    .description('Print the JSON Schema of the document that import takes')
    .option('--json', 'print it in one line')
    .action(({ json }: { json?: boolean }) => {
      console.log(JSON.stringify(contentJsonSchema(), undefined, json ? undefined : 2));
    });
}
