import { isCancellable } from '../../../lib/domain/imports/chunk.ts';
import { isDropBatchId } from '../../../lib/domain/imports/own-batch.ts';
import { listBatchIds, loadBatch } from '../../../lib/store/imports/claims.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { listTeams } from '../../../lib/store/teams/teams.ts';
import { failure } from '../failure.ts';
import { type CancelReport, cancelBatch } from '../operations/imports/cancel.ts';
import { limitOption } from '../options.ts';
import { quantity } from '../text.ts';
import { argument, noun, optional, requireConsent, team, verb, yes } from '../verb.ts';
import { shownOrWatched, watching } from '../watch.ts';
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

const batchId = argument('the id that the client chose or the service assigned');

export const verbs = noun('Batches of accounts and mappings that POST /v1/batches accepted', {
  show: verb({
    does: 'Show the chunks of a batch: states, counts, failures, ages',
    parameters: {
      batchId,
      team: optional('<team_id>', 'the team that sent it; required if several teams have a batch with this id'),
      ...watching,
    },
    reads: true,
    run: async ({ database }, given) => {
      const owner = given.team ?? (await ownerOf(database, given.batchId));
      const look = () => viewOf(database, owner, given.batchId);
      const isOver = ({ batch: { status } }: BatchView) => status !== 'processing';
      return shownOrWatched({ look, isOver, text: batchText, line: progressText }, given);
    },
  }),

  list: verb({
    does: "List a team's batches, the newest first",
    parameters: { team, limit: limitOption('the maximum number of batches'), ...watching },
    reads: true,
    run: async ({ database }, given) => {
      const look = () => listed(database, given.team, given.limit);
      const isOver = (batches: ListedBatches) => batches.every(({ status }) => status !== 'processing');
      return shownOrWatched({ look, isOver, text: batchListText, line: batchListLine }, given);
    },
  }),

  cancel: verb({
    does: 'Cancel the chunks of a batch that no worker has begun; applied records stay',
    parameters: { batchId, team, yes },
    ids: (given) => ({ batch_id: given.batchId }),
    run: async (installation, given) => {
      const { database } = installation;
      const { team: team_id, batchId: batch_id } = given;
      requireConsent(await cancelConsequence(database, team_id, batch_id), given);
      const report = await cancelBatch(installation, team_id, batch_id);
      const text = cancelText(report, await viewOf(database, team_id, batch_id));
      return { value: { batch_id, team_id, ...report }, text };
    },
  }),
});

async function listed(database: Database, team: string, limit: number): Promise<ListedBatches> {
  const { ids } = await listBatchIds(database, team, limit);
  const batches = await Promise.all(ids.map(async (id) => listedBatch(id, await loadBatch(database, team, id))));
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

/** The only team that has the batch. */
async function ownerOf(database: Database, batchId: string): Promise<string> {
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
