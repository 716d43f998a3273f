import type { Command } from 'commander';
import { isCancellable } from '../../lib/domain/chunk.ts';
import { isDropBatchId } from '../../lib/domain/drop.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { listBatchIds, loadBatch } from '../../lib/store/claims.ts';
import type { Database } from '../../lib/store/database.ts';
import { loadImportState } from '../../lib/store/import-work.ts';
import { listTeams } from '../../lib/store/teams.ts';
import {
  type BatchView,
  batchListLine,
  batchListText,
  batchText,
  batchView,
  type ListedBatches,
  listedBatch,
  progressText,
} from './batch-view.ts';
import { requireConsent, yesOption } from './consent.ts';
import { failure } from './failure.ts';
import { type CancelReport, cancelBatch } from './operations/imports/cancel.ts';
import { limitOption } from './options.ts';
import { quantity } from './text.ts';
import { verb } from './verb.ts';
import { shownOrWatched, watchOption } from './watch.ts';

type Options = { team?: string; watch?: boolean; json?: boolean };

export function registerBatch(program: Command): void {
  const batch = program.command('batch').description('Batches of accounts and mappings that POST /v1/batches accepted');

  verb<Options, [string]>(
    batch
      .command('show')
      .description('Show the chunks of a batch: states, counts, failures, ages')
      .argument('<batch_id>', 'the id that the client chose or the service assigned')
      .option('--team <team_id>', 'the team that sent it; required if several teams have a batch with this id')
      .option(...watchOption),
    'reads',
    async ({ database }, { team, ...options }, batchId) => {
      const owner = await ownerOf(database, batchId, team);
      const look = () => viewOf(database, owner, batchId);
      const isOver = ({ batch: { status } }: BatchView) => status !== 'processing';
      return shownOrWatched({ look, isOver, text: batchText, line: progressText }, options);
    },
  );

  verb<{ team: string; limit: number; watch?: boolean; json?: boolean }>(
    batch
      .command('list')
      .description("List a team's batches, the newest first")
      .requiredOption('--team <team_id>', 'the team that sent them')
      .option('--limit <number>', 'the maximum number of batches', limitOption, 20)
      .option(...watchOption),
    'reads',
    async ({ database }, { team, limit, ...options }) => {
      const look = () => listed(database, team, limit);
      const isOver = (batches: ListedBatches) => batches.every(({ status }) => status !== 'processing');
      return shownOrWatched({ look, isOver, text: batchListText, line: batchListLine }, options);
    },
  );

  verb<{ team: string; yes?: boolean }, [string]>(
    batch
      .command('cancel')
      .description('Cancel the chunks of a batch that no worker has begun; applied records stay')
      .argument('<batch_id>', 'the id that the client chose or the service assigned')
      .requiredOption('--team <team_id>', 'the team that sent it')
      .option(...yesOption),
    (_, [batchId]) => ({ batch_id: batchId }),
    async ({ database }, { team, yes }, batchId) => {
      requireConsent(await cancelConsequence(database, team, batchId), { yes });
      const report = await cancelBatch(dependenciesOn(database), team, batchId);
      return {
        value: { batch_id: batchId, team_id: team, ...report },
        text: cancelText(report, await viewOf(database, team, batchId)),
      };
    },
  );
}

async function listed(database: Database, team: string, limit: number): Promise<ListedBatches> {
  const { ids } = await listBatchIds(database, team, limit);
  const batches = await Promise.all(
    ids.map(async (batchId) => listedBatch(batchId, await loadBatch(database, team, batchId))),
  );
  // A batch is listed before its first chunk is accepted, and that acceptance can fail.
  return batches.filter((each) => each !== undefined);
}

async function viewOf(database: Database, owner: string, batchId: string): Promise<BatchView> {
  const [stored, state] = await Promise.all([loadBatch(database, owner, batchId), loadImportState(database, owner)]);
  const view = batchView(batchId, { ...stored, state }, Date.now());
  if (!view) throw noBatch();
  return view;
}

/** What cancelling would do in the batch's present state. */
async function cancelConsequence(database: Database, team: string, batchId: string): Promise<string> {
  const { chunks } = await loadBatch(database, team, batchId);
  if (chunks.length === 0) throw noBatch();
  const state = await loadImportState(database, team);
  const cancellable = chunks.filter((chunk) => isCancellable(chunk, state));
  const records = cancellable.reduce((sum, chunk) => sum + chunk.records, 0);
  const rest = isDropBatchId(batchId) ? ' The rest of the file is not read.' : '';
  return `${cancellable.length} of ${chunks.length} chunks of batch ${JSON.stringify(batchId)} are cancelled: their ${records} records are not applied.${rest}`;
}

/** What was done, and the state of the batch afterwards. */
function cancelText({ cancelled, left }: CancelReport, view: BatchView): string {
  const did =
    cancelled === 0
      ? 'No chunk was cancelled: every chunk was already begun or closed.'
      : `Cancelled: ${quantity(cancelled, 'chunk')}. Their records are not applied, and their pairs can be sent again.`;
  const kept = left === 0 || cancelled === 0 ? [] : [`${quantity(left, 'chunk')} already begun or closed: unchanged.`];
  const rest = isDropBatchId(view.batch.batch_id) ? ['The rest of the file is not read.'] : [];
  return [did, ...kept, ...rest, 'Records that were applied stay.', '', batchText(view)].join('\n');
}

/** Without `--team`, finds the only team that has the batch. */
async function ownerOf(database: Database, batchId: string, team: string | undefined): Promise<string> {
  if (team !== undefined) return team;
  const owners: string[] = [];
  for (const { team_id } of await listTeams(database)) {
    if ((await loadBatch(database, team_id, batchId)).chunks.length > 0) owners.push(team_id);
  }
  if (owners.length > 1) {
    const message = `${owners.length} teams have a batch with this id: ${owners.join(', ')}`;
    throw failure('ambiguous', message, '--team');
  }
  if (!owners[0]) throw noBatch();
  return owners[0];
}

const noBatch = () => failure('not_found', 'there is no batch with this id', 'batch_id');
