import { batchStatusOf } from '../../../../lib/domain/batch-status.ts';
import { dropBatchId, isDropped, parseDropKey, reportKey } from '../../../../lib/domain/drop.ts';
import type { DropReport } from '../../../../lib/domain/drop-report.ts';
import { retentionDefaults } from '../../../../lib/domain/retention.ts';
import { byTime, timestamp } from '../../../../lib/domain/timestamp.ts';
import { rowsOf } from '../../../../lib/operations/drop-box/report.ts';
import { loadBatch } from '../../../../lib/store/claims.ts';
import type { Database } from '../../../../lib/store/database.ts';
import { type DropState, listDrops, loadDrops } from '../../../../lib/store/drop-files.ts';
import { derivedFileId } from '../../../../lib/store/ids.ts';
import type { DropBoxFiles, StoredObject } from '../../store/drop-box-files.ts';

/**
 * `waiting`: its reading has not begun. `reading`: its rows are sent on. `applying`: they are applied, and the report is
 * prepared. The others are final.
 */
export const dropStates = ['waiting', 'reading', 'applying', 'done', 'failed', 'refused'] as const;
type DropListState = (typeof dropStates)[number];

/** A dropped file of a team, as an administrator sees it. */
export type ListedDrop = {
  key: string;
  version: string;
  type: DropReport['type'];
  state: DropListState;
  /** Why it failed or was refused. */
  reason: string | null;
  /** For example that it has no rows, or is not as expected. */
  warnings: readonly string[];
  /** So far, or in the end. */
  rows: DropReport['rows'];
  /** For accounts, the id of the batch. */
  batch_id: string | null;
  received_at: string;
  began_at: string | null;
  finished_at: string | null;
  /** Key of the report, once it is written. */
  report_key: string | null;
};

export type DropListDependencies = { database: Database; files: DropBoxFiles; now(): number };

export const isInProgress = ({ state }: Pick<ListedDrop, 'state'>): boolean =>
  state === 'waiting' || state === 'reading' || state === 'applying';

/** The team's dropped files, newest first. */
export async function listDroppedFiles(
  { database, files, now }: DropListDependencies,
  teamId: string,
  limit: number,
): Promise<ListedDrop[]> {
  const listed = await listDrops(database, teamId, limit);
  const { stored, waiting } = await objectsOf(database, files, teamId, now());
  // A file whose reading began a moment ago may only have its item yet: the index trails the table.
  const states = new Map([...listed, ...stored].map((state) => [derivedFileId(state.key, state.version), state]));
  const newest = newestFirst([...states.values()]).slice(0, limit);
  const begun = await Promise.all(newest.map((state) => listedDrop(database, teamId, state)));
  return newestFirst([...begun, ...waiting.map(listedObject)]).slice(0, limit);
}

const newestFirst = <T extends { received_at: string }>(files: readonly T[]): T[] =>
  files.toSorted((a, b) => byTime(b.received_at, a.received_at));

/** The newest version of the dropped file with this key, with its progress if its reading has begun. */
export async function findDroppedFile(
  { database, files }: DropListDependencies,
  teamId: string,
  key: string,
): Promise<{ listed: ListedDrop; state: DropState | undefined } | undefined> {
  const object = isDropped(key) ? await newestVersion(files, key) : undefined;
  const [stored] = object ? await loadDrops(database, teamId, [derivedFileId(key, object.version)]) : [];
  if (object && !stored) return { listed: listedObject(object), state: undefined };
  const state = stored?.state ?? (await listDrops(database, teamId, searchedFiles)).find((each) => each.key === key);
  return state && { listed: await listedDrop(database, teamId, state), state };
}

async function newestVersion(files: DropBoxFiles, key: string): Promise<StoredObject | undefined> {
  const versions: StoredObject[] = [];
  for await (const object of files.list(key)) if (object.key === key) versions.push(object);
  return versions.sort((a, b) => b.at - a.at)[0];
}

/** The newest files among which a file is searched that is no longer in the bucket. */
const searchedFiles = 100;

/** Milliseconds that a file is kept in the bucket. Locally older files stay, but their progress has expired. */
const kept = retentionDefaults.droppedFiles * 24 * 3_600_000;

/** The objects that were dropped: the states of those whose reading has begun, and the others. */
async function objectsOf(
  database: Database,
  files: DropBoxFiles,
  teamId: string,
  now: number,
): Promise<{ stored: DropState[]; waiting: StoredObject[] }> {
  const objects: StoredObject[] = [];
  for await (const object of files.list(`${teamId}/`)) {
    if (isDropped(object.key) && object.at > now - kept) objects.push(object);
  }
  const ids = objects.map(({ key, version }) => derivedFileId(key, version));
  const stored = await loadDrops(database, teamId, ids);
  return {
    stored: stored.flatMap((each) => each?.state ?? []),
    waiting: objects.filter((_, at) => stored[at] === undefined),
  };
}

/** A file in a folder that is no type is refused. Nothing but its report is stored. */
function listedObject({ key, version, at }: StoredObject): ListedDrop {
  const owner = parseDropKey(key);
  const isRefused = 'error' in owner;
  return {
    key,
    version,
    type: isRefused ? null : owner.kind,
    state: isRefused ? 'refused' : 'waiting',
    reason: isRefused ? owner.error : null,
    warnings: [],
    rows: { read: 0, accepted: 0, rejected: 0 },
    batch_id: null,
    received_at: timestamp(at),
    began_at: null,
    finished_at: null,
    report_key: isRefused ? reportKey(key) : null,
  };
}

async function listedDrop(database: Database, teamId: string, state: DropState): Promise<ListedDrop> {
  const { key, version, received_at, began_at = received_at, outcome, phase, warnings } = state;
  const owner = parseDropKey(key);
  const type = 'error' in owner ? null : owner.kind;
  const batch_id = type === 'accounts' ? dropBatchId(derivedFileId(key, version)) : null;
  const file = { key, version, type, batch_id, received_at, began_at, warnings };
  if (outcome) {
    const { status, reason, rows, finished_at } = outcome;
    const ended = {
      state: status === 'completed' ? 'done' : status,
      reason,
      finished_at,
      report_key: reportKey(key),
    } as const;
    return { ...file, ...ended, rows: rows as DropReport['rows'] };
  }
  return {
    ...file,
    state: phase === 'reading' ? 'reading' : 'applying',
    reason: state.failure ?? null,
    rows: await rowsSoFar(database, teamId, state, batch_id),
    finished_at: null,
    report_key: null,
  };
}

async function rowsSoFar(
  database: Database,
  teamId: string,
  state: DropState,
  batchId: string | null,
): Promise<DropReport['rows']> {
  if (batchId === null) return rowsOf(state, 'contacts', undefined);
  const batch = batchStatusOf(batchId, (await loadBatch(database, teamId, batchId)).chunks);
  // The state is not saved after each chunk, so the batch can be ahead of it.
  const accepted = Math.max(state.rows.accepted, batch?.records.accepted ?? 0);
  return rowsOf({ ...state, rows: { ...state.rows, accepted } }, 'accounts', batch);
}
