import type { Chunk } from '../../domain/chunk.ts';
import { type DroppedFile, parseDropKey } from '../../domain/drop.ts';
import { timestamp } from '../../domain/timestamp.ts';
import type { FileChunk } from '../../files/file.ts';
import { FileRefused } from '../../files/refused.ts';
import { loadBatch } from '../../store/claims.ts';
import type { DropState } from '../../store/drop-files.ts';
import { ObjectDenied } from '../../store/objects.ts';
import { loadTeam } from '../../store/teams.ts';
import type { DropDependencies } from './dependencies.ts';
import { isNoRoom, passThrough } from './pass.ts';
import { writeRefusal, writeReport } from './report.ts';
import { type RejectedRow, sendChunk, validRows } from './send.ts';
import { Drop } from './state.ts';

/** Attempts in a row that may end without getting on; and of those, with access denied. */
const maxStalls = 20;
const maxDenials = 5;
/** Invocations that may read a file: fewer than its message may be received, so that it ends with a report. */
export const maxTurns = 900;
const maxFailedChunks = 100;
/** Seconds that a file waits while its team has no room for another chunk. */
const waitForRoom = 60;

/** Go on in so many seconds. Of a file that has been read completely nothing is left that has to keep an order. */
export type Again = { again: number; isRead: boolean };
/** Nothing is left to do, the report saying how it ended; or when to go on. */
export type FileOutcome = 'done' | 'given up' | Again;

/**
 * Works a dropped file for as long as there is time, from where an earlier attempt left it.
 * @throws LeaseLost where another attempt is at it; else whatever kept the attempt from getting on: the file is to be
 * tried again.
 */
export async function workFile(
  dependencies: DropDependencies,
  file: DroppedFile,
  hasTime: () => boolean,
): Promise<FileOutcome> {
  const owner = parseDropKey(file.key);
  if ('error' in owner) return refuse(dependencies, file, owner.error);
  const { database } = dependencies.imports;
  const team = await loadTeam(database, owner.teamId);
  if (!team) return refuse(dependencies, file, 'There is no team of this id.');
  const drop = await Drop.open(database, owner, file, dependencies.now());
  if (drop.state.phase === 'done') return 'done';
  if (drop.state.phase !== 'applying') await countAttempt(drop);
  return goOn(dependencies, drop, hasTime);
}

async function refuse(dependencies: DropDependencies, file: DroppedFile, reason: string): Promise<'done'> {
  await writeRefusal(dependencies, file, reason);
  return 'done';
}

/** Before anything is tried, since who tries may not live to count. */
async function countAttempt(drop: Drop): Promise<void> {
  const { state } = drop;
  if (state.phase === 'reading' && state.turns >= maxTurns) {
    giveUp(state, `${maxTurns} attempts did not read it to its end.`);
  } else if (state.stalls >= maxStalls) giveUp(state, `${maxStalls} attempts in a row did not get on.`);
  else {
    state.stalls += 1;
    state.turns += 1;
  }
  await drop.save();
}

async function goOn(dependencies: DropDependencies, drop: Drop, hasTime: () => boolean): Promise<FileOutcome> {
  for (;;) {
    const { phase, givenUp } = drop.state;
    if (phase === 'done') return givenUp ? 'given up' : 'done';
    const wait = await step(dependencies, drop, phase, hasTime);
    const isRead = drop.state.phase !== 'reading';
    if (wait !== undefined) return { again: wait, isRead };
    if (drop.state.phase !== 'done' && !hasTime()) return { again: 0, isRead };
  }
}

/** @returns the seconds to wait before the next step, if it is not to follow at once. */
async function step(
  dependencies: DropDependencies,
  drop: Drop,
  phase: Exclude<DropState['phase'], 'done'>,
  hasTime: () => boolean,
): Promise<number | undefined> {
  switch (phase) {
    case 'reading':
      return read(dependencies, drop, hasTime);
    case 'applying':
      return whenApplied(dependencies, drop);
    case 'naming':
      return name(dependencies, drop, hasTime);
    case 'closing':
      return close(dependencies, drop);
  }
}

async function close(dependencies: DropDependencies, drop: Drop): Promise<undefined> {
  const { status, reason, rows, finished_at } = await writeReport(dependencies, drop);
  drop.state.outcome = { status, reason, rows, finished_at };
  return enter(drop, 'done');
}

async function enter(drop: Drop, phase: DropState['phase']): Promise<undefined> {
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
    'The file cannot be read: this version of it is no longer there, or the service may not read it. S3 does not say which.';
}

async function read(dependencies: DropDependencies, drop: Drop, hasTime: () => boolean): Promise<number | undefined> {
  const take = async (chunk: FileChunk) => {
    const { rejected, accepted, created, existing } = await sendChunk(dependencies, drop, chunk);
    const { rows } = drop.state;
    rows.accepted += accepted;
    rows.rejected += rejected.length;
    rows.created += created;
    rows.existing += existing;
    if (accepted === 0) drop.state.hasUnsentChunk = true;
    return rejected;
  };
  try {
    if (!(await throughTheEnd(dependencies.objects, drop, hasTime, take))) return 0;
  } catch (error) {
    if (isNoRoom(error)) return waitForRoom;
    throw error;
  }
  drop.state.read_at = timestamp(dependencies.now());
  return enter(drop, 'applying');
}

/** A file that turns out to be broken, or to be gone, has come to its end, too. */
async function throughTheEnd(...pass: Parameters<typeof passThrough>): Promise<boolean> {
  try {
    return await passThrough(...pass);
  } catch (error) {
    const [, { state }] = pass;
    if (error instanceof FileRefused) state.failure ??= error.message;
    // At first it may be a permission that has not reached S3 yet.
    else if (error instanceof ObjectDenied && state.stalls >= maxDenials) giveUpDenied(state);
    else throw error;
    return true;
  }
}

/** Contacts are there when they have been handed over; accounts are applied in their team's turn. */
async function whenApplied({ imports, now }: DropDependencies, drop: Drop): Promise<number | undefined> {
  const { chunks } =
    drop.kind === 'accounts' ? await loadBatch(imports.database, drop.teamId, drop.batchId) : { chunks: [] };
  if (chunks.some(({ status }) => status === 'open'))
    return waitSince(drop.state.read_at ?? drop.state.received_at, now());
  if (!chunks.some(isToBeNamed)) return enter(drop, 'closing');
  delete drop.state.place;
  return enter(drop, 'naming');
}

/** Seconds: a quarter of the time that it has taken so far, since the next look is to be neither late nor one of many. */
function waitSince(readAt: string, now: number): number {
  const seconds = (now - Date.parse(readAt)) / 1000;
  return Math.min(Math.max(Math.round(seconds / 4), 1), 60);
}

const isToBeNamed = ({ status, rejections = [] }: Chunk): boolean => status === 'failed' || rejections.length > 0;

/** Finds the rows that are no more than an index in their chunk so far. */
async function name(dependencies: DropDependencies, drop: Drop, hasTime: () => boolean): Promise<number | undefined> {
  const { chunks } = await loadBatch(dependencies.imports.database, drop.teamId, drop.batchId);
  const named = new Map(chunks.filter(isToBeNamed).map((chunk) => [chunk.index, chunk]));
  const take = async (read: FileChunk) => {
    const chunk = named.get(read.index);
    if (chunk?.status === 'failed') noteFailed(drop.state, read, chunk);
    return chunk ? refusedRows(read, chunk) : [];
  };
  if (!(await throughTheEnd(dependencies.objects, drop, hasTime, take))) return 0;
  return enter(drop, 'closing');
}

function noteFailed(state: DropState, { index, rows }: FileChunk, { failure }: Chunk): void {
  if (state.failedChunks.length === maxFailedChunks) return;
  state.failedChunks.push({
    chunk_index: index,
    first_line: rows[0]!.line,
    last_line: rows.at(-1)!.line,
    reason: failure ?? 'unknown',
  });
}

/** A rejection's record counts among those that were sent. */
function refusedRows(read: FileChunk, { rejections = [] }: Chunk): RejectedRow[] {
  const sent = validRows(read);
  return rejections.flatMap(({ record, message }) => {
    const row = sent[record];
    return row ? [{ row, errors: [{ column: '', reason: message }] }] : [];
  });
}
