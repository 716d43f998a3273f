import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Counts } from '../../lib/domain/content/apply.ts';
import { fits } from '../../lib/http/reply.ts';
import { fillLookups } from '../../lib/operations/fill-lookups.ts';
import { importContent } from '../../lib/operations/import-content.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { globalTeam } from '../../lib/store/keys.ts';
import { contentIds } from './audit-ids.ts';
import { documentOf } from './document.ts';
import { requireTeam } from './require-team.ts';
import { tableOf } from './text.ts';
import { noIds, verb } from './verb.ts';

export function registerContent(program: Command): void {
  const content = program.command('content').description('Campaigns: templates, objectives, engagement channels');

  verb<{ team?: string }, [string]>(
    content
      .command('import')
      .description('Take over a document of campaign content, all of it or nothing; see docs/campaigns.md')
      .argument('<file>', 'the JSON document; - reads it from standard input')
      .option('--team <team_id>', 'whose content it is; without it, global objectives only'),
    noIds,
    async ({ database }, { team }, file) => {
      const document = documentOf(file);
      if (team !== undefined) await requireTeam(database, team);
      const dependencies = { ...dependenciesOn(database), fits };
      const counts = await importContent(dependencies, team ?? null, document);
      if (team !== undefined) await fillLookups({ ...dependencies, wait }, team);
      const ids = await contentIds(database, team ?? globalTeam);
      return { value: { team_id: team ?? null, ...counts }, text: textOf(counts), ids };
    },
  );
}

/** Until no instance writes contacts without the fields that the document newly declares for lookups. */
async function wait(milliseconds: number): Promise<void> {
  console.error(`Taken over. Filling the lookup indexes begins in ${Math.ceil(milliseconds / 1000)} seconds …`);
  await sleep(milliseconds);
}

const textOf = (counts: Record<string, Counts>): string =>
  tableOf(
    ['', 'CREATED', 'UPDATED', 'UNCHANGED'],
    Object.entries(counts).map(([kind, { created, updated, unchanged }]) => [
      kind.replaceAll('_', ' '),
      String(created),
      String(updated),
      String(unchanged),
    ]),
    '',
  );
