import type { Chunk } from '../../domain/chunk.ts';
import { type DroppedFile, placeOfDrop } from '../../domain/drop.ts';
import type { FileChunk } from '../../files/file.ts';
import { FileRefused } from '../../files/refused.ts';
import { loadBatch } from '../../store/claims.ts';
import { loadTeam } from '../../store/teams.ts';
import type { DropDependencies } from './dependencies.ts';
import { passThrough } from './pass.ts';
import { writeRefusal, writeReport } from './report.ts';
import { type RejectedRow, sendChunk, soundRows } from './send.ts';
import { Drop, type DropState } from './state.ts';

/** Attempts in a row that may end without getting on. */
const maxStalls = 20;
const maxFailedChunks = 100;

/** Nothing is left to do, the report saying how it ended; or the seconds after which to go on. */
export type FileOutcome = 'done' | 'given up' | number;

/**
 * Works a dropped file for as long as there is time, from where an earlier attempt left it.
 * @throws Overtaken where another attempt is at it; else whatever kept the attempt from getting on: the file is to be
 * tried again.
 */
export async function workFile(
  dependencies: DropDependencies,
  file: DroppedFile,
  hasTime: () => boolean,
): Promise<FileOutcome> {
  const owner = placeOfDrop(file.key);
  if ('fault' in owner) return refuse(dependencies, file, owner.fault);
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
  if (drop.state.stalls >= maxStalls) giveUp(drop.state);
  else drop.state.stalls += 1;
  await drop.save();
}

async function goOn(dependencies: DropDependencies, drop: Drop, hasTime: () => boolean): Promise<FileOutcome> {
  for (;;) {
    const { phase, givenUp } = drop.state;
    if (phase === 'done') return givenUp ? 'given up' : 'done';
    const wait = await step(dependencies, drop, phase, hasTime);
    if (wait !== undefined) return wait;
    if (drop.state.phase !== 'done' && !hasTime()) return 0;
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
      await writeReport(dependencies, drop);
      return enter(drop, 'done');
  }
}

async function enter(drop: Drop, phase: DropState['phase']): Promise<undefined> {
  drop.state.phase = phase;
  drop.state.stalls = 0;
  await drop.save();
}

function giveUp(state: DropState): void {
  state.givenUp = true;
  state.failure ??= `Given up: ${maxStalls} attempts in a row did not get on.`;
  state.stalls = 0;
  // A report without the file of rejected rows is better than none.
  if (state.phase === 'closing') state.parts = 0;
  state.phase = state.phase === 'reading' ? 'applying' : 'closing';
}

async function read(dependencies: DropDependencies, drop: Drop, hasTime: () => boolean): Promise<number | undefined> {
  const take = async (chunk: FileChunk) => {
    const { rejected, accepted, created, existing } = await sendChunk(dependencies, drop, chunk);
    const { rows } = drop.state;
    rows.accepted += accepted;
    rows.rejected += rejected.length;
    rows.created += created;
    rows.existing += existing;
    return rejected;
  };
  if (!(await throughTheEnd(dependencies.objects, drop, hasTime, take))) return 0;
  drop.state.read_at = new Date(dependencies.now()).toISOString();
  return enter(drop, 'applying');
}

/** A file that turns out to be broken has come to its end, too. */
async function throughTheEnd(...pass: Parameters<typeof passThrough>): Promise<boolean> {
  try {
    return await passThrough(...pass);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const [, { state }] = pass;
    state.failure ??= error.message;
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
  const sent = soundRows(read);
  return rejections.flatMap(({ record, message }) => {
    const row = sent[record];
    return row ? [{ row, faults: [{ column: '', reason: message }] }] : [];
  });
}
