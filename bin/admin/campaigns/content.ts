import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { writeTo } from '../document.ts';
import { failure } from '../failure.ts';
import { limitOption, oneTemplate, publishTimeOption } from '../options.ts';
import { tableOf } from '../text.ts';
import { argument, flag, noun, offlineVerb, optional, optionalArgument, required, team, verb, yes } from '../verb.ts';
import { isStarter, starterDocument, starters } from './starters.ts';

const file = argument('the JSON document, or - for standard input');
const importing = {
  file,
  team: optional('<team_id>', 'the team that the content is for; without it, only global objectives are allowed'),
  strict: flag('fail if there is a warning'),
  acceptMoves: flag('let pages without an id get the progress of other pages'),
  new: flag('make new templates of those that are stored under another name'),
};

const at = optional(
  '<time>',
  'publish it at this time (UTC) instead of now; content withdraw takes it back',
  publishTimeOption,
);

export const verbs = noun('Campaigns: templates, objectives, engagement channels', {
  import: verb({
    does: 'Import a document of campaign content, all of it or nothing; see docs/campaigns.md',
    help: `
It says first what changes, and whom it concerns. At a terminal it then asks for --yes.`,
    parameters: { ...importing, at, yes },
    run: async (installation, given) => (await import('./content-import.ts')).imported(installation, given),
  }),

  check: verb({
    does: 'Do everything that import does, but write nothing',
    parameters: importing,
    reads: true,
    run: async (installation, given) => (await import('./content-import.ts')).checked(installation, given),
  }),

  history: verb({
    does: 'List the revisions of the content, newest first: who published them and what changed, and what waits',
    parameters: {
      team: optional('<team_id>', 'whose content it is; without it, the global objectives'),
      template: optional('<id|name>', 'only the revisions that change this campaign'),
      limit: limitOption('at most so many'),
    },
    reads: true,
    run: async (installation, given) => (await import('./content-history.ts')).history(installation, given),
  }),

  restore: verb({
    does: 'Bring an earlier revision back, as a new one; campaigns that came later stay and are archived',
    parameters: {
      revision: argument('the revision, from content history'),
      team: optional('<team_id>', 'whose content it is; without it, the global objectives'),
      at,
      yes,
    },
    ids: ({ revision }) => ({ revision }),
    run: async (installation, given) => (await import('./content-history.ts')).restored(installation, given),
  }),

  approve: verb({
    does: 'Publish the revision that another person imported, and that waits (team update --content-approval on), at its time',
    parameters: { revision: argument('the revision that waits, from content history'), team, yes },
    ids: ({ revision }) => ({ revision }),
    run: async (installation, given) => (await import('./content-history.ts')).approved(installation, given),
  }),

  withdraw: verb({
    does: 'Take back a revision that waits for its time or for approval',
    parameters: { revision: argument('the revision that waits, from content history'), team, yes },
    ids: ({ revision }) => ({ revision }),
    run: async (installation, given) => (await import('./content-history.ts')).withdrawn(installation, given),
  }),

  export: verb({
    does: 'Print the content of a team as a document that import takes',
    parameters: {
      team: optional('<team_id>', 'whose content it is; without it, the global objectives'),
      revision: optional(
        '<id>',
        'the content_revision of a response, or one of content history; without it, the current content',
      ),
      template: optional('<id|name>', 'only this template, with the objectives and the channels that it needs'),
    },
    reads: true,
    run: async ({ database }, { team = null, revision, template }) => {
      const { contentToExport } = await import('../operations/campaigns/content.ts');
      const { waitingDocument } = await import('../operations/campaigns/approval.ts');
      const { documentOfTemplate, exportedDocument } = await import('../../content/export.ts');
      const waiting = revision === undefined ? undefined : await waitingDocument(database, team, revision);
      if (waiting !== undefined) return shownDocument(waiting);
      const content = await contentToExport(database, team, revision);
      if (!content) throw failure('not_found', 'is not a stored revision', '--revision');
      if (template === undefined) return shownDocument(exportedDocument(content));
      const chosen = documentOfTemplate(content, oneTemplate(content.templates, template));
      const document = exportedDocument(chosen);
      return { ...shownDocument(document), notes: await filesNote(document) };
    },
  }),

  // It describes this version of the command.
  schema: offlineVerb({
    does: 'Print the JSON Schema of the document that import takes',
    run: async () => shownDocument((await import('../../content/document-schema.ts')).contentJsonSchema() as JsonValue),
  }),

  new: offlineVerb({
    does: 'Print a campaign to begin with, a draft in two languages and with ids; without a name, list them',
    parameters: {
      starter: optionalArgument(Object.keys(starters).join(', ')),
      out: optional('<file>', 'write it to this file, which must not exist'),
    },
    run: async ({ starter, out }) => {
      if (starter === undefined) {
        const value = Object.entries(starters).map(([starter, description]) => ({ starter, description }));
        return { value, text: tableOf(value, { STARTER: 'starter', 'WHAT IT SHOWS': 'description' }) };
      }
      if (!isStarter(starter))
        throw failure('not_found', `must be one of ${Object.keys(starters).join(', ')}`, '<starter>');
      const campaign = shownDocument(starterDocument(starter));
      if (out === undefined) return campaign;
      writeTo(out, `${campaign.text}\n`, 'wx');
      const look = `The campaign is in ${out}. Look at it: npm run preview -- ${out}`;
      const draft = 'It is a draft. To open it and start its rule, write "live" as its status.';
      return { value: { file: out }, text: `${look}\n${draft}` };
    },
  }),

  texts: offlineVerb({
    does: 'Print the texts of a document for a translator, or write the translations into it',
    parameters: {
      file: argument('the JSON document'),
      csv: flag('print the texts and their translations as CSV'),
      apply: optional('<csv>', 'write the translations of this list into the file'),
      language: optional('<tag>', 'the language of the translations, BCP 47'),
    },
    run: async (given) => (await import('./content-texts.ts')).texts(given),
  }),

  preview: verb({
    does: 'Write the pages of a document as HTML files, without importing it',
    parameters: {
      file,
      team: required('<team_id>', 'whose content it is'),
      contact: optional('<unique_id>', 'show the values of this contact; without it, those of a sample'),
      out: optional('<folder>', 'where the files are written; without it, in a new temporary folder'),
    },
    // It shows the values of the contact, which are personal data.
    ids: async ({ team, contact }, database) =>
      contact === undefined ? {} : (await import('../auditing.ts')).contactIds(database, team, contact),
    run: async (installation, given) => (await import('./content-preview.ts')).preview(installation, given),
  }),
});

const shownDocument = (value: JsonValue) => ({ value, text: JSON.stringify(value, undefined, 2) });

/** Ids of files and products belong to a team, so another team needs its own. */
async function filesNote(document: JsonValue): Promise<string | undefined> {
  const { filesIn } = await import('../../warnings/files.ts');
  const files = new Set(filesIn(document).map(({ fileId }) => fileId));
  return files.size === 0 ? undefined : `It names files of the team: ${[...files].join(', ')}.`;
}
