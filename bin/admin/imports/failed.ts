import { InvalidArgumentError } from 'commander';
import type { AuditIds } from '../../../lib/domain/access/audit.ts';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { redriveChunk } from '../../../lib/operations/imports/redrive.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { failure } from '../failure.ts';
import { discardFailed, listFailed } from '../operations/imports/failed.ts';
import { quantity, tableOf, watchCommand } from '../text.ts';
import { anyTeam, flag, noun, optional, requireConsent, verb, yes } from '../verb.ts';

/** One chunk is selected by its full name, all with `--all`; a missing option never selects more. */
const selection = {
  team: optional('<team_id>', 'the team; with --all, only its chunks'),
  batch: optional('<batch_id>', 'the batch; with --all, only its chunks'),
  chunk: optional('<index>', 'the index of the chunk, as the list shows it', indexOf),
  all: flag('all failed chunks'),
};
type Selection = {
  team?: string | undefined;
  batch?: string | undefined;
  chunk?: number | undefined;
  all?: boolean | undefined;
};

const ids = ({ batch }: Selection): AuditIds => (batch === undefined ? {} : { batch_id: batch });

export const verbs = noun('Failed chunks of imports; their records are kept', {
  list: verb({
    does: 'List failed chunks and why they failed, oldest first',
    parameters: { team: anyTeam },
    reads: true,
    run: async ({ database }, { team }) => {
      const failed = (await listFailed({ database }, team)).map(shown);
      return { value: failed, text: tableOf(failed, columns, 'There are no failed chunks.') };
    },
  }),

  redrive: verb({
    does: 'Put failed chunks back among the open ones; they are applied next, except where a later chunk has written',
    parameters: selection,
    ids,
    run: async (installation, given) => {
      const chunks = await chosen(installation.database, given);
      const service = await installation.imports();
      const redriven: Chunk[] = [];
      for (const chunk of chunks) if (await redriveChunk(service, chunk)) redriven.push(chunk);
      return done(redriven, redrivenText(redriven), 'There is no failed chunk to redrive.');
    },
  }),

  discard: verb({
    does: 'Give failed chunks up permanently; their pairs can then be sent again',
    parameters: { ...selection, yes },
    ids,
    run: async (installation, given) => {
      const chunks = await chosen(installation.database, given);
      const consequence = `${chunks.length} failed chunks, ${recordsOf(chunks)} records, are discarded. They cannot be redriven afterwards.`;
      if (chunks.length > 0) requireConsent(consequence, given);
      const service = { ...installation, payloadDays: installation.retention.days.payloads };
      const discarded: Chunk[] = [];
      for (const chunk of chunks) {
        const isDiscarded = discardFailed(service, chunk).then(() => true);
        // With `--all`, a chunk that another administrator redrove or discarded in the meantime is skipped.
        if (await (given.all ? isDiscarded.catch(unlessGone) : isDiscarded)) discarded.push(chunk);
      }
      const text = `Discarded: ${sizeOf(discarded)}. What an attempt has already written stays. The pairs can be sent again.`;
      return done(discarded, text, 'There is no failed chunk to discard.');
    },
  }),
});

function indexOf(value: string): number {
  if (!/^\d{1,6}$/.test(value))
    throw new InvalidArgumentError('It must be the index of the chunk, a whole number from 0.');
  return Number(value);
}

async function chosen(database: Database, { team, batch, chunk, all }: Selection): Promise<Chunk[]> {
  const refusal = (code: string, message: string) => failure(code, message, '--chunk');
  const isNamed = team !== undefined && batch !== undefined && chunk !== undefined;
  if (all ? chunk !== undefined : !isNamed) {
    const ways = 'select one chunk with --team, --batch and --chunk, or all with --all and without --chunk';
    throw refusal('invalid_arguments', ways);
  }
  const chunks = (await listFailed({ database }, team)).filter(
    (each) => (batch === undefined || each.batch_id === batch) && (chunk === undefined || each.index === chunk),
  );
  if (all || chunks.length === 1) return chunks;
  if (chunks.length === 0) throw refusal('not_found', 'there is no such failed chunk');
  const many = `${chunks.length} uploads under this batch id have a failed chunk with this index; use --all`;
  throw refusal('ambiguous', many);
}

function unlessGone(error: unknown): false {
  if (error instanceof Problem && error.code === 'not_found') return false;
  throw error;
}

/** What was done, then the chunks. */
const done = (chunks: readonly Chunk[], text: string, none: string) => ({
  value: chunks.map(shown),
  text: chunks.length === 0 ? none : `${text}\n\n${tableOf(chunks.map(shown), columns)}`,
  ids: {
    batch_ids: [...new Set(chunks.map(({ batch_id }) => batch_id))],
    team_ids: [...new Set(chunks.map(({ team_id }) => team_id))],
  },
});

const recordsOf = (chunks: readonly Chunk[]): number => chunks.reduce((sum, { records }) => sum + records, 0);
const sizeOf = (chunks: readonly Chunk[]): string =>
  `${quantity(chunks.length, 'chunk')} with ${quantity(recordsOf(chunks), 'record')}`;

const redrivenText = (chunks: readonly Chunk[]): string =>
  [
    `Redriven: ${sizeOf(chunks)}. The worker applies them next, before chunks that were accepted later.`,
    'Records that a later chunk has written stay as they are and are counted as superseded.',
    ...new Set(chunks.map(({ batch_id, team_id }) => `To watch: ${watchCommand(batch_id, team_id)}`)),
  ].join('\n');

const shown = ({ team_id, batch_id, index, records, attempts = 0, failure = '', accepted_at, client_id }: Chunk) => ({
  ...{ team_id, batch_id, chunk: index, records, attempts, failure, accepted_at },
  client_id: client_id ?? null,
});

const columns = {
  TEAM: 'team_id',
  BATCH: ({ batch_id }: { batch_id: string }) => JSON.stringify(batch_id),
  // As `--chunk` takes it.
  CHUNK: ({ chunk }: { chunk: number }) => String(chunk),
  RECORDS: 'records',
  ATTEMPTS: 'attempts',
  ACCEPTED: 'accepted_at',
  CLIENT: 'client_id',
  FAILURE: 'failure',
} as const;
