import { mergedTooLarge } from '../../domain/accounts/account.ts';
import type { AccountRecord } from '../../domain/accounts/account-record.ts';
import {
  type AcceptedChunk,
  attemptsAt,
  begin,
  type Chunk,
  type ChunkResult,
  complete,
  fail,
  givenUp,
  type ImportState,
  isGuarded,
  isUnfinished,
  maxAttempts,
  noteReason,
  skip,
  uncountAttempt,
  waitingImports,
  workable,
} from '../../domain/imports/chunk.ts';
import { resultOf } from '../../domain/imports/import-merge.ts';
import { Problem, reasonOf } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadChunk } from '../../store/imports/claims.ts';
import {
  begunChecks,
  commitSkip,
  commitTransitions,
  type ImportWork,
  loadChunkAndState,
  loadWork,
  saveBegun,
  saveState,
} from '../../store/imports/import-work.ts';
import { keepPayload, loadPayload, releasePayload } from '../../store/imports/payloads.ts';
import type { Database } from '../../store/table/database.ts';
import { accountNumberOfLink, contactIdOfPartition, isLinkKey } from '../../store/table/keys.ts';
import { conflictRounds, lostRace, untilWritten } from '../retry.ts';
import type { ImportService } from '../service.ts';
import type { Standing } from '../waiting-work/sweep.ts';
import { workLane } from '../waiting-work/turn.ts';
import { applyTargets, contactIds, type Targets, targetsOf } from './apply.ts';
import { type Prepared, ReadAhead } from './read-ahead.ts';

/** Number of open chunks that one query lists: about four kilobytes, one read unit. */
const listedAtOnce = 12;
/** Number of chunks that are read while the current one is written. */
const chunksAhead = 3;

export type WorkReport = { outcome: 'empty' | 'out of time'; chunks: number; records: number };
/** Number of chunks that were attempted and of their records, and the order number of the current chunk. */
export type Progress = { chunks: number; records: number; order?: number };

export type WorkOptions = {
  /** Number of chunks to read while the current one is written. */
  ahead?: number;
  /** Updated continuously, so that the caller knows the current chunk if an error is thrown. */
  progress?: Progress;
};

/**
 * Works the team's open chunks in their order until there are none, or there is no time to begin another.
 * @throws the error that ended an attempt. The team must then be woken again.
 */
export async function workTeam(
  service: ImportService,
  teamId: string,
  hasTime: () => boolean,
  { ahead = chunksAhead, progress = { chunks: 0, records: 0 } }: WorkOptions = {},
): Promise<WorkReport> {
  const { database } = service;
  const list = () => listWork(service, teamId, hasTime);
  const next = () => untilWritten(service, 'an accepted chunk is not visible yet', list, conflictRounds);
  const outcome = await workLane(hasTime, next, async ({ state, open, toSkip, toWork }) => {
    if (toSkip.length > 0) {
      await commitSkip(database, teamId, toSkip, state, skip(state, toSkip));
      return false;
    }
    // Reading ahead may have caused the failure of an earlier attempt, so a repeated attempt does not read ahead.
    const isRepeated = attemptsAt(state, toWork[0]!) > 0;
    const reader = new ReadAhead(database, toWork, state.renames, isRepeated ? 0 : ahead);
    const allClosed = await workListed(service, { state, open: toWork }, reader, hasTime, progress);
    delete progress.order;
    // Chunks that were accepted since have a wake of their own. A listed chunk that could not be worked yet may have
    // none.
    return allClosed && toWork.length === open.length && open.length < listedAtOnce;
  });
  return { outcome, ...progress };
}

/** The lane of the team, if it has open chunks, and how many of its chunks are failed. */
export async function importsThatWait(
  { database }: Pick<ImportService, 'database'>,
  teamId: string,
): Promise<Standing> {
  const { state, open } = await loadWork(database, teamId, 1);
  const [oldest] = open;
  return { lanes: oldest ? [waitingImports(oldest, state)] : [], chunks_failed: state.failed };
}

type ListedWork = ImportWork & ReturnType<typeof workable>;

/** The team's open chunks, and which of them can be skipped or worked. `lostRace` if none can be yet: list again. */
async function listWork(
  { database, now }: ImportService,
  teamId: string,
  hasTime: () => boolean,
): Promise<ListedWork | undefined | typeof lostRace> {
  const work = await loadWork(database, teamId, listedAtOnce);
  if (work.open.length === 0) return undefined;
  const { toSkip, toWork } = workable(work.open, work.state, now());
  return toSkip.length + toWork.length > 0 || !hasTime() ? { ...work, toSkip, toWork } : lostRace;
}

/**
 * Works the listed chunks as long as no other worker changes the team's import state.
 * @returns true if all of them were closed.
 */
async function workListed(
  service: ImportService,
  { state: listed, open }: ImportWork,
  reader: ReadAhead,
  hasTime: () => boolean,
  progress: Progress,
): Promise<boolean> {
  const { database, now } = service;
  let state = listed;
  let hasBegun = false;
  for (const [position, chunk] of open.entries()) {
    progress.order = chunk.order;
    if (!hasBegun) {
      if (position > 0 && !hasTime()) return false;
      if (attemptsAt(state, chunk) >= maxAttempts) {
        await failChunk(service, chunk, givenUp(state, chunk));
        return false;
      }
      const saved = await saveBegun(database, chunk, state, begin(state, chunk, timestamp(now())));
      if (!saved) return false;
      state = saved;
    }
    const next = () => (hasTime() ? open[position + 1] : undefined);
    const closed = await attempt(service, chunk, state, () => reader.take(position), next);
    progress.chunks += 1;
    progress.records += chunk.records;
    if (!closed) return false;
    state = closed.state;
    hasBegun = closed.hasBegunNext;
  }
  return true;
}

/** The chunk was closed: the stored state after it, and whether the next chunk was begun in the same write. */
type Closed = { state: ImportState; hasBegunNext: boolean };
const isClosed = (outcome: Closed | ImportState): outcome is Closed => 'hasBegunNext' in outcome;

/**
 * One attempt at a chunk that has been begun.
 * @param next the chunk to begin in the same write that closes this one, if there is one
 * @returns `undefined` if the list must be read again.
 * @throws the error that ended the attempt. If the store or queue was unavailable, the attempt is not counted.
 */
async function attempt(
  service: ImportService,
  chunk: AcceptedChunk,
  state: ImportState,
  prepare: () => Promise<Prepared>,
  next: () => AcceptedChunk | undefined,
): Promise<Closed | undefined> {
  try {
    const prepared = await prepare();
    if (!prepared) return void (await failChunk(service, chunk, 'its stored records cannot be read'));
    return await applyAndClose(service, chunk, state, prepared, next);
  } catch (error) {
    const isOutage = error instanceof Problem && error.code === 'unavailable';
    const change = (state: ImportState) =>
      isOutage ? uncountAttempt(state, chunk) : noteReason(state, chunk, reasonOf(error));
    // The error that ended the attempt is the one to log.
    await changeAttempt(service, chunk, change).catch((failure) => {
      if (!(failure instanceof Problem)) throw failure;
    });
    throw error;
  }
}

/** Applies the records and closes the chunk. If a contact was renamed in between, the records are merged again. */
async function applyAndClose(
  service: ImportService,
  chunk: AcceptedChunk,
  begun: ImportState,
  { records, targets: prepared }: NonNullable<Prepared>,
  next: () => AcceptedChunk | undefined,
): Promise<Closed | undefined> {
  const { team_id: teamId, order } = chunk;
  const { onRecordFailure: onFailure } = service;
  // An earlier chunk that is redriven during this attempt was failed when the attempt began, so `begun` is guarded.
  const context = { teamId, order, guarded: isGuarded(begun, service.now()), onFailure };
  let state = begun;
  let targets = prepared;
  return untilWritten(service, 'contacts of the team are renamed continuously', async () => {
    if (state.renames !== begun.renames) targets = await targetsAfterRename(service, chunk, records, state);
    // If another attempt has completed the chunk, this one must not link a contact that was given a unique_id since
    // then.
    if (state.renames > 0 && !(await isNotClosed(service, chunk))) return undefined;
    const outcomes = await applyTargets(service, context, targets, records.length);
    const isRenamed = state !== begun;
    const following = isRenamed ? () => undefined : next;
    const closed = await close(service, chunk, targets, state, resultOf(outcomes, mergedTooLarge), following);
    // The next chunk was read ahead with the contact ids from before the rename, so the list is read again.
    if (!closed || isClosed(closed)) return isRenamed ? undefined : closed;
    state = closed;
    return lostRace;
  });
}

async function targetsAfterRename(
  { database }: ImportService,
  worked: AcceptedChunk,
  records: readonly AccountRecord[],
  { renames }: ImportState,
) {
  const { team_id } = worked;
  const left = (await rewrittenRecords(database, worked, await loadChunk(database, team_id, worked))) ?? records;
  return targetsOf(team_id, left, await contactIds(database, team_id, left, renames));
}

/** The records of the chunk, if an erasure has stored them again without a person since they were read. */
const rewrittenRecords = async (database: Database, worked: AcceptedChunk, chunk: Chunk | undefined) =>
  chunk?.order === worked.order && chunk.payload_id !== worked.payload_id ? loadPayload(database, chunk) : undefined;

/**
 * Lets the links be deleted that this attempt has written, or can have written, of a person who was erased since its
 * records were read. An erasure waits until open chunks are closed. This is for an attempt that another one has
 * overtaken, which can write after the end of the erasure.
 */
async function reportErased(
  { database, onErased }: ImportService,
  worked: AcceptedChunk,
  targets: Targets,
  chunk: Chunk | undefined,
): Promise<void> {
  const records = await rewrittenRecords(database, worked, chunk);
  if (!records) return;
  const isLeft = (index: number) => records[index]?.link !== undefined || records[index]?.removal !== undefined;
  const erased = targets.all.filter(({ key, indexes }) => isLinkKey(key) && !indexes.every(isLeft));
  for (const [contactId, links] of Map.groupBy(erased, ({ key }) => contactIdOfPartition(key.pk))) {
    const account_numbers = links.map(({ key }) => accountNumberOfLink(key));
    await onErased(worked.team_id, contactId, { order: worked.order, account_numbers });
  }
}

async function isNotClosed({ database }: ImportService, worked: AcceptedChunk): Promise<boolean> {
  const chunk = await loadChunk(database, worked.team_id, worked);
  return chunk?.order === worked.order && isUnfinished(chunk);
}

/**
 * Completes the chunk. It may have been marked failed in between.
 * @param targets what the attempt has written to
 * @returns only the state if a contact was renamed since `begun`: then the records must be merged again; `undefined` if
 * the list must be read again.
 */
async function close(
  service: ImportService,
  worked: AcceptedChunk,
  targets: Targets,
  begun: ImportState,
  result: ChunkResult,
  next: () => AcceptedChunk | undefined,
): Promise<Closed | ImportState | undefined> {
  const { database, now, payloadDays: days } = service;
  const time = timestamp(now());
  const open = { ...worked, status: 'open' as const };
  const completed = complete(open, begun, result, time);
  const following = next();
  const after = following ? begin(completed.state, following, time) : completed.state;
  const checks = following ? begunChecks(following, begun) : [];
  const saved = await commitTransitions(database, [{ chunk: open, change: completed.change }], begun, after, checks);
  if (saved) {
    service.onClosed?.(result.counts);
    return { state: saved, hasBegunNext: following !== undefined };
  }
  return untilWritten(service, 'too many conflicts on the chunk', async () => {
    const { chunk, state } = await loadChunkAndState(database, worked);
    if (chunk?.status !== 'open') await reportErased(service, worked, targets, chunk);
    if (chunk?.order !== worked.order || !isUnfinished(chunk)) return undefined;
    if (state.renames !== begun.renames) return state;
    const { change, state: closed } = complete(chunk, state, result, timestamp(now()));
    const payload = chunk.status === 'failed' ? await releasePayload(database, chunk, { now: now(), days }) : [];
    if (!(await commitTransitions(database, [{ chunk, change }], state, closed, payload))) return lostRace;
    service.onClosed?.(result.counts);
    return undefined;
  });
}

/**
 * Changes what is stored of an attempt that has failed: during an outage it does not count, because the chunk did not
 * cause the error. If this cannot be written either, it counts, and has no reason.
 */
async function changeAttempt(
  { database }: ImportService,
  chunk: AcceptedChunk,
  change: (state: ImportState) => ImportState,
): Promise<void> {
  const { state } = await loadWork(database, chunk.team_id, 0);
  if (attemptsAt(state, chunk) > 0) await saveState(database, chunk.team_id, state, change(state));
}

/** Marks the chunk failed if it is still open. Its records are kept, and the team's next chunk can be worked. */
export async function failChunk(service: ImportService, failing: AcceptedChunk, reason: string): Promise<void> {
  const { database, now } = service;
  await untilWritten(service, 'too many conflicts on the chunk', async () => {
    const { chunk, state } = await loadChunkAndState(database, failing);
    if (chunk?.order !== failing.order || chunk.status !== 'open') return;
    // An erasure has stored the records under another payload id since the chunk was listed.
    if (chunk.payload_id !== failing.payload_id) return;
    const { change, state: after } = fail(chunk, state, reason, timestamp(now()));
    const payload = await keepPayload(database, chunk);
    if (!(await commitTransitions(database, [{ chunk, change }], state, after, payload))) return lostRace;
    service.onClosed?.('failed');
    return undefined;
  });
}
