import { type Command, InvalidArgumentError } from 'commander';
import type { AuditIds } from '../../lib/domain/audit.ts';
import type { Chunk } from '../../lib/domain/chunk.ts';
import { Problem } from '../../lib/domain/problem.ts';
import { redriveChunk } from '../../lib/operations/imports/wake.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import type { Database } from '../../lib/store/database.ts';
import { requireConsent, yesOption } from './consent.ts';
import { failure } from './failure.ts';
import { discardFailed, listFailed } from './operations/imports/failed.ts';
import { quantity, tableOf, watchCommand } from './text.ts';
import { type Outcome, verb } from './verb.ts';

export function registerFailed(program: Command): void {
  const failed = program.command('failed').description('Failed chunks of imports; their records are kept');

  verb<{ team?: string }>(
    failed
      .command('list')
      .description('List failed chunks and why they failed, oldest first')
      .option('--team <team_id>', 'only the chunks of this team'),
    'reads',
    async ({ database }, { team }) => listed(await failedOf(database, team), 'There are no failed chunks.'),
  );

  verb<Selection>(
    aimed(
      failed.command('redrive'),
      'Put failed chunks back among the open ones; they are applied next, except where a later chunk has written',
    ),
    batchIds,
    async ({ database, importQueue, retention }, selection) => {
      const chunks = await chosen(database, selection);
      // If this wake is lost, the sweeper wakes the team within 75 seconds.
      const payloadDays = retention.days.payloads;
      const dependencies = { ...dependenciesOn(database), queue: importQueue(), payloadDays, onLostWake: () => {} };
      const redriven: Chunk[] = [];
      for (const chunk of chunks) if (await redriveChunk(dependencies, chunk)) redriven.push(chunk);
      return { ...done(redriven, redrivenText, 'There is no failed chunk to redrive.'), ids: idsOf(redriven) };
    },
  );

  verb<Selection>(
    aimed(failed.command('discard'), 'Give failed chunks up permanently; their pairs can then be sent again').option(
      ...yesOption,
    ),
    batchIds,
    async ({ database, retention }, selection) => {
      const chunks = await chosen(database, selection);
      const dependencies = { ...dependenciesOn(database), payloadDays: retention.days.payloads };
      if (chunks.length > 0) requireConsent(discardConsequence(chunks), { yes: selection.yes });
      const discarded: Chunk[] = [];
      for (const chunk of chunks) {
        if (await discard(dependencies, chunk, selection)) discarded.push(chunk);
      }
      return { ...done(discarded, discardedText, 'There is no failed chunk to discard.'), ids: idsOf(discarded) };
    },
  );
}

function discardConsequence(chunks: readonly Chunk[]): string {
  const records = chunks.reduce((sum, chunk) => sum + chunk.records, 0);
  return `${chunks.length} failed chunks, ${records} records, are discarded. They cannot be redriven afterwards.`;
}

type Selection = { team?: string; batch?: string; chunk?: number; all?: boolean; yes?: boolean };

const batchIds = ({ batch }: Selection): AuditIds => (batch === undefined ? {} : { batch_id: batch });
const idsOf = (chunks: readonly Chunk[]): AuditIds => ({
  batch_ids: [...new Set(chunks.map((each) => each.batch_id))],
  team_ids: [...new Set(chunks.map((each) => each.team_id))],
});

/** Selects one chunk by its full name, or all with `--all`; a missing option never selects more. */
const aimed = (command: Command, description: string): Command =>
  command
    .description(description)
    .option('--team <team_id>', 'the team; with --all, only its chunks')
    .option('--batch <batch_id>', 'the batch; with --all, only its chunks')
    .option('--chunk <index>', 'the index of the chunk, as the list shows it', indexOf)
    .option('--all', 'all failed chunks');

function indexOf(value: string): number {
  if (!/^\d{1,6}$/.test(value))
    throw new InvalidArgumentError('It must be the index of the chunk, a whole number from 0.');
  return Number(value);
}

async function chosen(database: Database, { team, batch, chunk, all }: Selection): Promise<Chunk[]> {
  const named = team !== undefined && batch !== undefined && chunk !== undefined;
  if (all ? chunk !== undefined : !named) {
    throw refusal(
      'invalid_arguments',
      'select one chunk with --team, --batch and --chunk, or all with --all and without --chunk',
    );
  }
  const chunks = (await failedOf(database, team)).filter(
    (each) => (batch === undefined || each.batch_id === batch) && (chunk === undefined || each.index === chunk),
  );
  if (all || chunks.length === 1) return chunks;
  if (chunks.length === 0) throw refusal('not_found', 'there is no such failed chunk');
  throw refusal(
    'ambiguous',
    `${chunks.length} uploads under this batch id have a failed chunk with this index; use --all`,
  );
}

const refusal = (code: string, message: string) => failure(code, message, '--chunk');

async function failedOf(database: Database, team: string | undefined): Promise<Chunk[]> {
  return listFailed({ database }, team);
}

/** With `--all`, a chunk that another administrator redrove or discarded in the meantime is skipped. */
async function discard(
  dependencies: Parameters<typeof discardFailed>[0],
  chunk: Chunk,
  { all }: Selection,
): Promise<boolean> {
  try {
    await discardFailed(dependencies, chunk);
    return true;
  } catch (error) {
    if (!all || !(error instanceof Problem) || error.code !== 'not_found') throw error;
    return false;
  }
}

const listed = (chunks: readonly Chunk[], none: string): Outcome => ({
  value: chunks.map(shown),
  text: tableOf(
    ['TEAM', 'BATCH', 'CHUNK', 'RECORDS', 'ATTEMPTS', 'ACCEPTED', 'CLIENT', 'FAILURE'],
    chunks
      .map(shown)
      .map((each) => [
        each.team_id,
        JSON.stringify(each.batch_id),
        String(each.chunk),
        String(each.records),
        String(each.attempts),
        each.accepted_at,
        each.client_id ?? '',
        each.failure,
      ]),
    none,
  ),
});

/** What was done, then the chunks. */
const done = (chunks: readonly Chunk[], said: (chunks: readonly Chunk[]) => string, none: string): Outcome => {
  const { value, text } = listed(chunks, none);
  return { value, text: chunks.length === 0 ? none : `${said(chunks)}\n\n${text}` };
};

const sizeOf = (chunks: readonly Chunk[]): string => {
  const records = chunks.reduce((sum, chunk) => sum + chunk.records, 0);
  return `${quantity(chunks.length, 'chunk')} with ${quantity(records, 'record')}`;
};

const redrivenText = (chunks: readonly Chunk[]): string =>
  [
    `Redriven: ${sizeOf(chunks)}. The worker applies them next, before chunks that were accepted later.`,
    'Records that a later chunk has written stay as they are and are counted as superseded.',
    ...[...new Set(chunks.map(({ batch_id, team_id }) => watchCommand(batch_id, team_id)))].map(
      (command) => `To watch: ${command}`,
    ),
  ].join('\n');

const discardedText = (chunks: readonly Chunk[]): string =>
  `Discarded: ${sizeOf(chunks)}. What an attempt has already written stays. The pairs can be sent again.`;

const shown = ({ team_id, batch_id, index, records, attempts = 0, failure = '', accepted_at, client_id }: Chunk) => ({
  team_id,
  batch_id,
  chunk: index,
  records,
  attempts,
  failure,
  accepted_at,
  client_id: client_id ?? null,
});
