import { batchStatusOf } from '../../domain/batch-status.ts';
import { type DropReport, dropBatchId, parseDropKey, reportKey } from '../../domain/drop.ts';
import { loadBatch } from '../../store/claims.ts';
import type { Database } from '../../store/database.ts';
import { type DropState, listDrops } from '../../store/drop-files.ts';
import { derivedFileId } from '../../store/keys.ts';
import { rowsOf } from './report.ts';

/** `reading`: its rows are sent on. `applying`: they are applied, and the report is prepared. The others are final. */
export type DropListState = 'reading' | 'applying' | 'done' | 'failed' | 'refused';

/** A dropped file of a team, as an administrator sees it. */
export type ListedDrop = {
  key: string;
  type: DropReport['type'];
  state: DropListState;
  /** Why it failed or was refused. */
  reason: string | null;
  /** So far, or in the end. */
  rows: DropReport['rows'];
  received_at: string;
  finished_at: string | null;
  /** Key of the report, once it is written. */
  report_key: string | null;
};

/** The team's dropped files, newest first. A file that waits for those before it is not among them. */
export async function listDroppedFiles(database: Database, teamId: string, limit: number): Promise<ListedDrop[]> {
  const states = await listDrops(database, teamId, limit);
  return Promise.all(states.map((state) => listedDrop(database, teamId, state)));
}

async function listedDrop(database: Database, teamId: string, state: DropState): Promise<ListedDrop> {
  const { key, received_at, outcome, phase } = state;
  const owner = parseDropKey(key);
  const type = 'error' in owner ? null : owner.kind;
  if (outcome) {
    const { status, reason, rows, finished_at } = outcome;
    const ended = {
      state: status === 'completed' ? 'done' : status,
      reason,
      finished_at,
      report_key: reportKey(key),
    } as const;
    return { key, type, ...ended, rows: rows as DropReport['rows'], received_at };
  }
  return {
    key,
    type,
    state: phase === 'reading' ? 'reading' : 'applying',
    reason: state.failure ?? null,
    rows: await rowsSoFar(database, teamId, state, type),
    received_at,
    finished_at: null,
    report_key: null,
  };
}

async function rowsSoFar(
  database: Database,
  teamId: string,
  state: DropState,
  type: DropReport['type'],
): Promise<DropReport['rows']> {
  if (type !== 'accounts') return rowsOf(state, 'contacts', undefined);
  const batchId = dropBatchId(derivedFileId(state.key, state.version));
  const { chunks } = await loadBatch(database, teamId, batchId);
  return rowsOf(state, type, batchStatusOf(batchId, chunks));
}
