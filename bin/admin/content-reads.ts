import type { Command } from 'commander';
import type { StoredDocument } from '../../lib/domain/content/document.ts';
import { contentJsonSchema } from '../content/document-schema.ts';
import { exportedDocument } from '../content/export.ts';
import { filesNamedIn } from '../content/files.ts';
import { documentOfTemplate } from '../content/select.ts';
import { print } from '../output.ts';
import { failure } from './failure.ts';
import { contentToExport } from './operations/content.ts';
import { oneTemplate } from './options.ts';
import { verb } from './verb.ts';

/** The verbs of content that print documents. */
export function registerContentReads(content: Command): void {
  verb<{ team?: string; revision?: string; template?: string }>(
    content
      .command('export')
      .description('Print the content of a team as a document that import takes')
      .option('--team <team_id>', 'whose content it is; without it, the global objectives')
      .option('--revision <id>', 'the content_revision of a response; without it, the current content')
      .option('--template <id|name>', 'only this template, with the objectives and the channels that it needs'),
    'reads',
    async ({ database }, { team, revision, template }) => {
      const content = await contentToExport(database, team ?? null, revision);
      if (!content) throw failure('not_found', 'is not a stored revision', '--revision');
      const chosen =
        template === undefined ? content : documentOfTemplate(content, oneTemplate(content.templates, template));
      const value = exportedDocument(chosen);
      const notes = template === undefined ? {} : notesOf(chosen);
      return { value, text: JSON.stringify(value, undefined, 2), ...notes };
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

/** Ids of files and products belong to a team, so another team needs its own. */
function notesOf(content: StoredDocument): { notes?: string } {
  const files = new Set(filesNamedIn(content).map(({ file_id }) => file_id));
  return files.size === 0 ? {} : { notes: `It names files of the team: ${[...files].join(', ')}.` };
}
