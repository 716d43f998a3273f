import { hasReport, isDropped, parseDropKey, rejectedKey, reportKey } from '../../../../lib/domain/drop-box/drop.ts';
import type { DropReport } from '../../../../lib/domain/drop-box/drop-report.ts';
import { batchStatusOf } from '../../../../lib/domain/imports/batch-status.ts';
import type { Chunk } from '../../../../lib/domain/imports/chunk.ts';
import { dropBatchId } from '../../../../lib/domain/imports/own-batch.ts';
import { retentionDefaults } from '../../../../lib/domain/teams/retention.ts';
import { byTime, timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { rowsOf } from '../../../../lib/operations/drop-box/report.ts';
import type { DropBoxFiles, StoredObject } from '../../../../lib/store/drop-box/drop-box-files.ts';
import { type DropState, listDrops, loadDrops } from '../../../../lib/store/drop-box/drop-files.ts';
import { loadBatch } from '../../../../lib/store/imports/claims.ts';
import type { Database } from '../../../../lib/store/table/database.ts';
import { derivedFileId } from '../../../../lib/store/table/ids.ts';

/**
 * `waiting`: its reading has not begun. `reading`: its rows are sent on. `applying`: they are applied, and the report is
 * prepared. The others are final.
 */
export const dropStates = ['waiting', 'reading', 'applying', 'done', 'failed', 'refused', 'repeated'] as const;
type DropListState = (typeof dropStates)[number];

/** A dropped file of a team, as an administrator sees it. */
export type ListedDrop = {
  key: string;
  version: string;
  type: DropReport['type'];
  state: DropListState;
  /** Why it failed, was refused or is repeated. */
  reason: string | null;
  /** For example that it has unknown columns, or is not as expected. */
  warnings: readonly string[];
  /** What was taken although it is probably not meant. */
  notices: DropReport['notices'];
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

export type DropListService = { database: Database; files: DropBoxFiles; now(): number };

export const isInProgress = ({ state }: Pick<ListedDrop, 'state'>): boolean =>
  state === 'waiting' || state === 'reading' || state === 'applying';

/** The team's dropped files, newest first. */
export async function listDroppedFiles(
  { database, files, now }: DropListService,
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
  { database, files }: DropListService,
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
    if (isDropped(object.key) && object.at > now - kept && !object.isPassedOver) objects.push(object);
  }
  const ids = objects.map(({ key, version }) => derivedFileId(key, version));
  const stored = await loadDrops(database, teamId, ids);
  return {
    stored: stored.flatMap((each) => each?.state ?? []),
    waiting: objects.filter((_, at) => stored[at] === undefined),
  };
}

const reportKeyOf = (key: string) => (hasReport(key) ? reportKey(key) : null);

/** A file in a folder that is no type is refused. Nothing but its report is stored. */
function listedObject({ key, version, at }: StoredObject): ListedDrop {
  const owner = parseDropKey(key);
  const file = { key, version, warnings: [], notices: [], rows: { read: 0, accepted: 0, rejected: 0 }, batch_id: null };
  const times = { received_at: timestamp(at), began_at: null, finished_at: null };
  return 'error' in owner
    ? { ...file, ...times, type: null, state: 'refused', reason: owner.error, report_key: reportKeyOf(key) }
    : { ...file, ...times, type: owner.kind, state: 'waiting', reason: null, report_key: null };
}

async function listedDrop(database: Database, teamId: string, state: DropState): Promise<ListedDrop> {
  const { key, version, received_at, began_at, outcome, phase, warnings, notices } = state;
  const owner = parseDropKey(key);
  const type = 'error' in owner ? null : owner.kind;
  const batch_id = type === 'accounts' ? dropBatchId(derivedFileId(key, version)) : null;
  const file = { key, version, type, batch_id, received_at, began_at, warnings, notices };
  if (outcome) {
    const { status, reason, finished_at } = outcome;
    const rows = outcome.rows as DropReport['rows'];
    const ended = status === 'completed' ? 'done' : status;
    return { ...file, state: ended, reason, rows, finished_at, report_key: reportKeyOf(key) };
  }
  const reading = phase === 'reading' ? 'reading' : 'applying';
  const rows = await rowsSoFar(database, teamId, state, batch_id);
  return { ...file, state: reading, reason: state.failure ?? null, rows, finished_at: null, report_key: null };
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

/** One step on the way of a dropped file. */
export type DropEvent = {
  event: 'received' | 'reading began' | 'chunks accepted' | 'reading ended' | 'chunks applied' | 'report written';
  /** When it happened, or for chunks, when it happened first and last. */
  at: string;
  until: string | null;
  counts: Record<string, number>;
};

/** `chunks_open`, `chunks_failed`: what the file still waits for, and what an administrator has to look at. */
export type DropTimeline = ListedDrop & {
  /** Key of the file of rejected rows, once it is written. */
  rejected_file: string | null;
  chunks_open: number;
  chunks_failed: number;
  timeline: DropEvent[];
};

/** The way of the newest version of a dropped file so far. `undefined` if the team has no such file. */
export async function dropTimeline(
  service: DropListService,
  teamId: string,
  key: string,
): Promise<DropTimeline | undefined> {
  const found = await findDroppedFile(service, teamId, key);
  if (!found) return undefined;
  const { listed, state } = found;
  const { batch_id } = listed;
  const { chunks } = batch_id === null ? { chunks: [] } : await loadBatch(service.database, teamId, batch_id);
  const withStatus = (status: Chunk['status']) => chunks.filter((chunk) => chunk.status === status).length;
  const timeline = [
    event('received', listed.received_at),
    ...(listed.began_at === null ? [] : [event('reading began', listed.began_at)]),
    ...accepted(chunks),
    ...ended(state),
    ...applied(chunks),
    ...(listed.finished_at === null ? [] : [event('report written', listed.finished_at)]),
  ];
  const rejected_file = state?.outcome && state.parts > 0 ? rejectedKey(key) : null;
  return { ...listed, rejected_file, chunks_open: withStatus('open'), chunks_failed: withStatus('failed'), timeline };
}

const event = (name: DropEvent['event'], at: string, counts: DropEvent['counts'] = {}, until?: string): DropEvent => ({
  event: name,
  at,
  until: until === undefined || until === at ? null : until,
  counts,
});

function accepted(chunks: readonly Chunk[]): DropEvent[] {
  const times = chunks.map((chunk) => chunk.accepted_at).sort(byTime);
  if (!times[0]) return [];
  const rows = chunks.reduce((total, { records }) => total + records, 0);
  return [event('chunks accepted', times[0], { chunks: chunks.length, rows }, times.at(-1))];
}

function ended(state: DropState | undefined): DropEvent[] {
  if (!state?.read_at) return [];
  const { accepted, rejected } = state.rows;
  return [event('reading ended', state.read_at, { accepted, rejected })];
}

function applied(chunks: readonly Chunk[]): DropEvent[] {
  const completed = chunks.filter(({ status }) => status === 'completed');
  const times = completed.flatMap(({ closed_at }) => closed_at ?? []).sort(byTime);
  if (!times[0]) return [];
  const outcomes = (['applied', 'unchanged', 'superseded', 'rejected'] as const).map((name) => [
    name,
    completed.reduce((total, { counts }) => total + (counts?.[name] ?? 0), 0),
  ]);
  const counts = { chunks: completed.length, ...Object.fromEntries(outcomes) };
  return [event('chunks applied', times[0], counts, times.at(-1))];
}
