import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Counts } from '../../lib/domain/content/apply.ts';
import { type JsonValue, MalformedJson, parseJson } from '../../lib/domain/json.ts';
import { fits } from '../../lib/http/reply.ts';
import { fillLookups } from '../../lib/operations/fill-lookups.ts';
import { importContent } from '../../lib/operations/import-content.ts';
import { AdminFailure, failure } from './failure.ts';
import { requireTeam } from './require-team.ts';
import { tableOf } from './text.ts';
import { verb } from './verb.ts';

export function registerContent(program: Command): void {
  const content = program.command('content').description('Campaigns: templates, objectives, engagement channels');

  verb<{ team?: string }, [string]>(
    content
      .command('import')
      .description('Take over a document of campaign content, all of it or nothing; see docs/campaigns.md')
      .argument('<file>', 'the JSON document; - reads it from standard input')
      .option('--team <team_id>', 'whose content it is; without it, global objectives only'),
    async ({ database }, { team }, file) => {
      const document = documentOf(file);
      if (team !== undefined) await requireTeam(database, team);
      const dependencies = { database, now: Date.now, newId: () => crypto.randomUUID(), fits };
      const counts = await importContent(dependencies, team ?? null, document);
      if (team !== undefined) await fillLookups({ ...dependencies, wait, pause }, team);
      return { value: { team_id: team ?? null, ...counts }, text: textOf(counts) };
    },
  );
}

/** Until no instance writes contacts without the fields that the document newly declares for lookups. */
async function wait(milliseconds: number): Promise<void> {
  console.error(`Taken over. Filling the lookup indexes begins in ${Math.ceil(milliseconds / 1000)} seconds …`);
  await sleep(milliseconds);
}

const pause = (round: number): Promise<void> => sleep(Math.random() * Math.min(50 * 2 ** round, 1500));

/** @throws AdminFailure `invalid_arguments` when it cannot be read, `invalid_request` when it is not JSON */
function documentOf(file: string): JsonValue {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw failure('invalid_arguments', `${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    parseJson(text);
    // Nothing in content counts digits, so numbers are plain here.
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw new AdminFailure('invalid_request', [
      { path: '', message: `${file} is not a JSON document: ${error.message}` },
    ]);
  }
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
