import { type Command, InvalidArgumentError } from 'commander';
import type { AuditIds } from '../../lib/domain/audit.ts';
import type { Chunk } from '../../lib/domain/chunk.ts';
import { Problem } from '../../lib/domain/problem.ts';
import { redriveChunk } from '../../lib/operations/imports/accept.ts';
import { discardFailed, listFailed } from '../../lib/operations/imports/failed.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { Database } from '../../lib/store/database.ts';
import { SqsImportQueue } from '../../lib/store/queue.ts';
import { requireConsent } from './consent.ts';
import { AdminFailure } from './failure.ts';
import { requireTeam } from './require-team.ts';
import { tableOf } from './text.ts';
import { type Outcome, verb } from './verb.ts';

export function registerFailed(program: Command): void {
  const failed = program.command('failed').description('Chunks of imports that failed, with their records kept');

  verb<{ team?: string }>(
    failed
      .command('list')
      .description('List failed chunks and why they failed, the oldest first')
      .option('--team <team_id>', 'only those of this team'),
    'reads',
    async ({ database }, { team }) => listed(await failedOf(database, team), 'No chunk stands failed.'),
  );

  verb<Selection>(
    aimed(
      failed.command('redrive'),
      'Put failed chunks back among the open ones; they are applied next, to what no later chunk has written',
    ),
    batchIds,
    async ({ database, queueUrl, sqs }, selection) => {
      const chunks = await chosen(database, selection);
      const queue = new SqsImportQueue(queueUrl, sqs());
      // The sweeper wakes the team within two minutes where this cannot.
      const dependencies = { ...dependenciesOn(database), queue, onLostWake: () => {} };
      const redriven: Chunk[] = [];
      for (const chunk of chunks) if (await redriveChunk(dependencies, chunk)) redriven.push(chunk);
      return { ...listed(redriven, 'There is no failed chunk to redrive.'), ids: idsOf(redriven) };
    },
  );

  verb<Selection>(
    aimed(failed.command('discard'), 'Give failed chunks up for good; their pairs may then be sent anew').option(
      '--yes',
      'needed at a terminal',
    ),
    batchIds,
    async ({ database }, selection) => {
      const chunks = await chosen(database, selection);
      if (chunks.length > 0) requireConsent(discardConsequence(chunks), { yes: selection.yes });
      const discarded: Chunk[] = [];
      for (const chunk of chunks) {
        if (await discard(database, chunk, selection)) discarded.push(chunk);
      }
      return { ...listed(discarded, 'There is no failed chunk to discard.'), ids: idsOf(discarded) };
    },
  );
}

function discardConsequence(chunks: readonly Chunk[]): string {
  const records = chunks.reduce((sum, chunk) => sum + chunk.records, 0);
  return `${chunks.length} failed chunks, ${records} records, are given up: they cannot be redriven afterwards.`;
}

type Selection = { team?: string; batch?: string; chunk?: number; all?: boolean; yes?: boolean };

const batchIds = ({ batch }: Selection): AuditIds => (batch === undefined ? {} : { batch_id: batch });
const idsOf = (chunks: readonly Chunk[]): AuditIds => ({
  batch_ids: [...new Set(chunks.map((each) => each.batch_id))],
  team_ids: [...new Set(chunks.map((each) => each.team_id))],
});

/** One chunk by its full name, or all; nothing is ever chosen by leaving something out. */
const aimed = (command: Command, description: string): Command =>
  command
    .description(description)
    .option('--team <team_id>', 'the team; with --all, only its chunks')
    .option('--batch <batch_id>', 'the batch; with --all, only its chunks')
    .option('--chunk <index>', 'the chunk, as the list names it', indexOf)
    .option('--all', 'all failed chunks');

function indexOf(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new InvalidArgumentError('A chunk is named by its index, a whole number from 0.');
  return Number(value);
}

async function chosen(database: Database, { team, batch, chunk, all }: Selection): Promise<Chunk[]> {
  const named = team !== undefined && batch !== undefined && chunk !== undefined;
  if (all ? chunk !== undefined : !named) {
    throw refusal('invalid_arguments', 'name one chunk with --team, --batch and --chunk, or say --all without --chunk');
  }
  const chunks = (await failedOf(database, team)).filter(
    (each) => (batch === undefined || each.batch_id === batch) && (chunk === undefined || each.index === chunk),
  );
  if (all || chunks.length === 1) return chunks;
  if (chunks.length === 0) throw refusal('not_found', 'no such chunk stands failed');
  throw refusal('ambiguous', `${chunks.length} uploads under this batch have such a failed chunk; use --all`);
}

const refusal = (code: string, message: string) => new AdminFailure(code, [{ path: '--chunk', message }]);

async function failedOf(database: Database, team: string | undefined): Promise<Chunk[]> {
  if (team !== undefined) await requireTeam(database, team);
  return listFailed({ database }, team);
}

/** Of all, those that somebody else has dealt with meanwhile are let be. */
async function discard(database: Database, chunk: Chunk, { all }: Selection): Promise<boolean> {
  try {
    await discardFailed(dependenciesOn(database), chunk);
    return true;
  } catch (error) {
    if (!all || !(error instanceof Problem) || error.code !== 'not_found') throw error;
    return false;
  }
}

const listed = (chunks: readonly Chunk[], none: string): Outcome => ({
  value: chunks.map(shown),
  text: tableOf(
    ['TEAM', 'BATCH', 'CHUNK', 'RECORDS', 'ATTEMPTS', 'ACCEPTED', 'FAILURE'],
    chunks
      .map(shown)
      .map((each) => [
        each.team_id,
        JSON.stringify(each.batch_id),
        String(each.chunk),
        String(each.records),
        String(each.attempts),
        each.accepted_at,
        each.failure,
      ]),
    none,
  ),
});

const shown = ({ team_id, batch_id, index, records, attempts = 0, failure = '', accepted_at }: Chunk) => ({
  team_id,
  batch_id,
  chunk: index,
  records,
  attempts,
  failure,
  accepted_at,
});
