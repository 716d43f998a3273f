import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { fits } from '../../lib/http/reply.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { globalTeam } from '../../lib/store/keys.ts';
import { say } from '../output.ts';
import { contentIds } from './audit-ids.ts';
import { registerContentFiles } from './content-files.ts';
import {
  type ContentOptions,
  checkedContent,
  contentOutcome,
  sayConsequences,
  withContentOptions,
} from './content-outcome.ts';
import { registerContentPreview } from './content-preview.ts';
import { registerContentReads } from './content-reads.ts';
import { documentOf } from './document.ts';
import type { Consequence } from './operations/consequence.ts';
import { importContent } from './operations/content.ts';
import { fillLookups } from './operations/fill-lookups.ts';
import { consequencesOf } from './operations/import-consequences.ts';
import { noIds, verb } from './verb.ts';

export function registerContent(program: Command): void {
  const content = program.command('content').description('Campaigns: templates, objectives, engagement channels');

  verb<ContentOptions, [string]>(
    withContentOptions(content.command('import'))
      .description('Import a document of campaign content, all of it or nothing; see docs/campaigns.md')
      .argument('<file>', 'the JSON document, or - for standard input')
      .option('--team <team_id>', 'the team that the content is for; without it, only global objectives are allowed'),
    noIds,
    async (installation, options, file) => {
      const document = documentOf(file, true);
      const { team, acceptMoves = false, new: makesNew = false } = options;
      const { warnings } = await checkedContent(installation, document, options);
      const dependencies = { ...dependenciesOn(installation.database), fits };
      let consequences: readonly Consequence[] = [];
      const imported = await importContent(dependencies, team ?? null, document, {
        ...{ acceptMoves, new: makesNew },
        onConsequences: (found) => {
          consequences = found;
          sayConsequences(found);
        },
      });
      if (team !== undefined) await fillLookups({ ...dependencies, wait }, team);
      const ids = await contentIds(installation.database, team ?? globalTeam);
      return { ...contentOutcome(team, imported, { warnings, consequences }), ids };
    },
  );

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

  registerContentReads(content);
  registerContentFiles(content);
  registerContentPreview(content);
}

/** Waits until no function instance still writes contacts without the newly declared lookup fields. */
async function wait(milliseconds: number): Promise<void> {
  say(`Imported. Filling the lookup indexes begins in ${Math.ceil(milliseconds / 1000)} seconds …`);
  await sleep(milliseconds);
}
