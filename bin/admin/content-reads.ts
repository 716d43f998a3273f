import type { Command } from 'commander';
import type { StoredDocument, StoredTemplate } from '../../lib/domain/content/document.ts';
import { globalTeam } from '../../lib/store/keys.ts';
import { contentJsonSchema } from '../content/document-schema.ts';
import { exportedDocument } from '../content/export.ts';
import { filesNamedIn } from '../content/files.ts';
import { documentOfTemplate, templatesNamed } from '../content/select.ts';
import { print } from '../output.ts';
import {
  type ContentOptions,
  checkedContent,
  contentOutcome,
  sayConsequences,
  withContentOptions,
} from './content-outcome.ts';
import { documentOf } from './document.ts';
import { AdminFailure } from './failure.ts';
import { contentToExport } from './operations/export-content.ts';
import { consequencesOf } from './operations/import-consequences.ts';
import { requireTeam } from './require-team.ts';
import { verb } from './verb.ts';

/** The verbs of content that write nothing. */
export function registerContentReads(content: Command): void {
  verb<ContentOptions, [string]>(
    withContentOptions(content.command('check'))
      .description('Do everything that import does, but write nothing')
      .argument('<file>', 'the JSON document; - reads it from standard input')
      .option('--team <team_id>', 'whose content it is; without it, global objectives only'),
    'reads',
    async (installation, options, file) => {
      const { checked, warnings } = await checkedContent(installation, documentOf(file, true), options);
      const consequences = await consequencesOf(installation.database, options.team ?? globalTeam, checked, options);
      sayConsequences(consequences);
      return contentOutcome(options.team, checked, { warnings, consequences });
    },
  );

  verb<{ team?: string; revision?: string; template?: string }>(
    content
      .command('export')
      .description('Print the content of a team as a document that import takes')
      .option('--team <team_id>', 'whose content it is; without it, the global objectives')
      .option('--revision <id>', 'the content_revision of a response; without it, the current content')
      .option('--template <id|name>', 'only this template, with the objectives and the channels that it needs'),
    'reads',
    async ({ database }, { team, revision, template }) => {
      if (team !== undefined) await requireTeam(database, team);
      const content = await contentToExport(database, team ?? null, revision);
      if (!content) throw new AdminFailure('not_found', [{ path: '--revision', message: 'is not a stored revision' }]);
      const chosen = template === undefined ? content : documentOfTemplate(content, oneTemplate(content, template));
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

function oneTemplate(content: StoredDocument, idOrName: string): StoredTemplate {
  const [template, ...others] = templatesNamed(content, idOrName);
  if (!template) throw refused('not_found', 'the team has no template with this id or name');
  if (others.length > 0) throw refused('ambiguous', `${others.length + 1} templates have this name; give the id`);
  return template;
}

const refused = (code: string, message: string) => new AdminFailure(code, [{ path: '--template', message }]);

/** Ids of files and products belong to a team, so another team needs its own. */
function notesOf(content: StoredDocument): { notes?: string } {
  const files = new Set(filesNamedIn(content).map(({ file_id }) => file_id));
  return files.size === 0 ? {} : { notes: `It names files of the team: ${[...files].join(', ')}.` };
}
