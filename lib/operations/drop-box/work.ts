import { type DroppedFile, hasReport, longKey, parseDropKey, unknownTeam } from '../../domain/drop-box/drop.ts';
import type { Chunk } from '../../domain/imports/chunk.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { isUuid } from '../../domain/values/uuid.ts';
import { FileBroken, FileRefused } from '../../files/bytes.ts';
import type { FileChunk } from '../../files/file.ts';
import { ObjectDenied, ObjectUnreadable } from '../../store/aws/objects.ts';
import { type DropState, loadDrop } from '../../store/drop-box/drop-files.ts';
import { loadBatch } from '../../store/imports/claims.ts';
import { derivedFileId } from '../../store/table/ids.ts';
import { loadTeam } from '../../store/teams/teams.ts';
import type { DropService } from '../service.ts';
import { NoCapacity, waitForCapacity } from './capacity.ts';
import { isTooManyChunks, readChunks } from './pass.ts';
import { repeatedEnd, writeReport, writeUnread } from './report.ts';
import { type RejectedRow, sendChunk, validRows } from './send.ts';
import { Drop, insertUnread } from './state.ts';
import { judgeVersion } from './versions.ts';

/** Maximum number of consecutive attempts without progress; and of those, with access denied. */
const maxStalls = 20;
const maxDenials = 5;
/** Maximum number of invocations that read a file. The queue allows more receives, so the file ends with a report. */
export const maxTurns = 900;
const maxFailedChunks = 100;
/** Seconds that a file waits while its team has reached the limit of open chunks. */
const chunkLimitWait = 60;

/**
 * Continue after this many seconds. Once the file is read completely, the order of the team's files no longer matters.
 */
export type Continuation = { after: number; isRead: boolean };
/** Nothing is left to do, and the report says how the file ended; or when to continue. */
export type FileOutcome = 'done' | 'given up' | Continuation;

/**
 * Works a dropped file while there is time, from the position at which the previous attempt stopped.
 * @throws LeaseLost if another attempt has taken over the file; otherwise the error that ended the attempt: try again.
 */
export async function workFile(service: DropService, file: DroppedFile, hasTime: () => boolean): Promise<FileOutcome> {
  const { database } = service;
  const owner = parseDropKey(file.key);
  const folder = 'error' in owner ? file.key.split('/')[0]! : owner.teamId;
  const team = isUuid(folder) ? await loadTeam(database, folder) : undefined;
  const fileId = derivedFileId(file.key, file.version);
  if (team && !(await loadDrop(database, folder, fileId))) {
    const verdict = await judgeVersion(service, folder, file);
    if (verdict === 'passed over') return 'done';
    if (typeof verdict === 'object' && 'waitsFor' in verdict) return { after: verdict.waitsFor, isRead: false };
    if (verdict !== 'import') {
      const kind = 'error' in owner ? null : owner.kind;
      return endUnread(service, folder, file, repeatedEnd(kind, verdict.repeats));
    }
  }
  const refuse = (reason: string) => endUnread(service, team && folder, file, { status: 'refused', reason });
  if ('error' in owner) return refuse(owner.error);
  if (!hasReport(file.key)) return refuse(longKey);
  if (!team) return refuse(unknownTeam(folder));
  const drop = await Drop.open(database, owner, file, service.now());
  if (drop.state.phase === 'done') return 'done';
  if (drop.state.phase !== 'applying') await countAttempt(drop);
  return runPhases(service, drop, hasTime);
}

/** Ends a file unread. If its first folder is that of a team, the end is stored; a refusal is an event. */
async function endUnread(
  service: DropService,
  teamId: string | undefined,
  file: DroppedFile,
  end: Parameters<typeof writeUnread>[2],
): Promise<'done'> {
  const report = await writeUnread(service, file, end);
  if (teamId !== undefined) await insertUnread(service.database, teamId, report, service.now());
  service.onReport?.(report);
  return 'done';
}

/** Counts the attempt before it begins, because it may crash. */
async function countAttempt(drop: Drop): Promise<void> {
  const { state } = drop;
  if (state.phase === 'reading' && state.turns >= maxTurns) {
    giveUp(state, `${maxTurns} attempts did not read the file to its end.`);
  } else if (state.stalls >= maxStalls) giveUp(state, `${maxStalls} attempts in a row made no progress.`);
  else {
    state.stalls += 1;
    state.turns += 1;
  }
  await drop.save();
}

async function runPhases(service: DropService, drop: Drop, hasTime: () => boolean): Promise<FileOutcome> {
  for (;;) {
    const { phase, givenUp } = drop.state;
    if (phase === 'done') return givenUp ? 'given up' : 'done';
    const wait = await runPhase(service, drop, phase, hasTime);
    const isRead = drop.state.phase !== 'reading';
    if (wait !== undefined) return { after: wait, isRead };
    if (drop.state.phase !== 'done' && !hasTime()) return { after: 0, isRead };
  }
}

/** @returns the seconds to wait before the next phase; `undefined` if it can follow at once. */
async function runPhase(
  service: DropService,
  drop: Drop,
  phase: Exclude<DropState['phase'], 'done'>,
  hasTime: () => boolean,
): Promise<number | undefined> {
  switch (phase) {
    case 'reading':
      return read(service, drop, hasTime);
    case 'applying':
      return checkApplied(service, drop);
    case 'naming':
      return nameRejectedRows(service, drop, hasTime);
    case 'closing':
      return close(service, drop);
  }
}

async function close(service: DropService, drop: Drop): Promise<undefined> {
  const report = await writeReport(service, drop);
  const { status, reason, rows, finished_at, warnings } = report;
  drop.state.warnings = [...warnings];
  drop.state.outcome = { status, reason, rows, finished_at };
  await enterPhase(drop, 'done');
  service.onReport?.(report);
}

async function enterPhase(drop: Drop, phase: DropState['phase']): Promise<undefined> {
  drop.state.phase = phase;
  drop.state.stalls = 0;
  await drop.save();
}

function giveUp(state: DropState, reason: string): void {
  state.givenUp = true;
  state.failure ??= `Given up: ${reason}`;
  state.stalls = 0;
  // A report without the file of rejected rows is better than none.
  if (state.phase === 'closing') state.parts = 0;
  state.phase = state.phase === 'reading' ? 'applying' : 'closing';
}

function giveUpDenied(state: DropState): void {
  state.givenUp = true;
  state.failure ??=
    'The file cannot be read: this version no longer exists, or the service has no permission to read it. S3 does not say which.';
}

async function read(service: DropService, drop: Drop, hasTime: () => boolean): Promise<number | undefined> {
  const take = async (chunk: FileChunk) => {
    if (drop.kind === 'accounts') await waitForCapacity(service, drop, chunk.index, hasTime);
    const { rejected, accepted, created, existing } = await sendChunk(service, drop, chunk);
    const { rows } = drop.state;
    rows.read += chunk.rows.length;
    rows.accepted += accepted;
    rows.rejected += rejected.length;
    rows.created += created;
    rows.existing += existing;
    if (accepted === 0) drop.state.hasUnsentChunk = true;
    return rejected;
  };
  try {
    if (!(await readToEnd(service, drop, hasTime, take))) return 0;
  } catch (error) {
    if (error instanceof NoCapacity) return 0;
    if (isTooManyChunks(error)) return chunkLimitWait;
    throw error;
  }
  drop.state.read_at = timestamp(service.now());
  return enterPhase(drop, 'applying');
}

/** Reads the chunks of the file. A file that is damaged or no longer exists also counts as read to its end. */
async function readToEnd(...pass: Parameters<typeof readChunks>): Promise<boolean> {
  try {
    return await readChunks(...pass);
  } catch (error) {
    const [, { state }] = pass;
    if (error instanceof FileBroken) state.isBroken = true;
    if (error instanceof ObjectUnreadable) state.isUnreadable = true;
    if (error instanceof FileRefused || error instanceof ObjectUnreadable) state.failure ??= error.message;
    // The first denials can have a temporary cause: a new permission takes effect in S3 with a delay.
    else if (error instanceof ObjectDenied && state.stalls >= maxDenials) giveUpDenied(state);
    else throw error;
    return true;
  }
}

/** Contacts are stored as soon as they are sent. Accounts are applied later, by the import worker. */
async function checkApplied({ database, now }: DropService, drop: Drop): Promise<number | undefined> {
  const { chunks } = drop.kind === 'accounts' ? await loadBatch(database, drop.teamId, drop.batchId) : { chunks: [] };
  if (chunks.some(({ status }) => status === 'open'))
    return waitSince(drop.state.read_at ?? drop.state.received_at, now());
  if (!chunks.some(needsNaming)) return enterPhase(drop, 'closing');
  delete drop.state.place;
  return enterPhase(drop, 'naming');
}

/** Seconds until the next check: a quarter of the time since `readAt`, so that checks are neither late nor frequent. */
function waitSince(readAt: string, now: number): number {
  const seconds = (now - Date.parse(readAt)) / 1000;
  return Math.min(Math.max(Math.round(seconds / 4), 1), 60);
}

const needsNaming = ({ status, rejections = [] }: Chunk): boolean => status === 'failed' || rejections.length > 0;

/** Finds the rows of rejected records, which are known only by their index in the chunk so far. */
async function nameRejectedRows(service: DropService, drop: Drop, hasTime: () => boolean): Promise<number | undefined> {
  const { chunks } = await loadBatch(service.database, drop.teamId, drop.batchId);
  const named = new Map(chunks.map((chunk) => [chunk.index, chunk]));
  const take = async (read: FileChunk) => {
    const chunk = named.get(read.index);
    if (chunk?.status === 'failed') addFailedChunk(drop.state, read, chunk);
    return chunk ? rejectedRows(read, chunk) : [];
  };
  if (!(await readToEnd(service, drop, hasTime, take))) return 0;
  return enterPhase(drop, 'closing');
}

function addFailedChunk(state: DropState, { index, rows }: FileChunk, { failure }: Chunk): void {
  if (state.failedChunks.length === maxFailedChunks) return;
  state.failedChunks.push({
    chunk_index: index,
    first_line: rows[0]!.line,
    last_line: rows.at(-1)!.line,
    reason: failure ?? 'unknown',
  });
}

/** The rows of the chunk's rejections. `record` of a rejection is an index of the records that were sent. */
function rejectedRows(read: FileChunk, { rejections = [] }: Chunk): RejectedRow[] {
  const sent = validRows(read);
  return rejections.flatMap(({ record, message }) => {
    const row = sent[record];
    return row ? [{ row, errors: [{ column: '', reason: message }] }] : [];
  });
}
