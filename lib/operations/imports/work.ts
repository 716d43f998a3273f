import { mergedTooLarge } from '../../domain/account.ts';
import type { AccountRecord } from '../../domain/account-record.ts';
import {
  type AcceptedChunk,
  attemptsAt,
  begin,
  type ChunkResult,
  complete,
  fail,
  type ImportState,
  isGuarded,
  isUnfinished,
  maxAttempts,
  skip,
  uncountAttempt,
  workable,
} from '../../domain/chunk.ts';
import { resultOf } from '../../domain/import-merge.ts';
import { Problem } from '../../domain/problem.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { loadChunk } from '../../store/claims.ts';
import {
  commitSkip,
  commitTransitions,
  type ImportWork,
  loadChunkAndState,
  loadWork,
  saveState,
} from '../../store/import-work.ts';
import { keepPayload, releasePayload } from '../../store/payloads.ts';
import { contendedRounds, lostRace, untilWritten } from '../retry.ts';
import { applyTargets, contactIds, targetsOf } from './apply.ts';
import type { ImportDependencies } from './dependencies.ts';
import { type Prepared, ReadAhead } from './read-ahead.ts';

/** Open chunks that are listed at once: some four kilobytes, a read unit. */
const listedAtOnce = 12;
/** Chunks that are read while the one before them is written; `npm run bench -- worker` measures what it is worth. */
export const chunksAhead = 1;

export type WorkReport = { outcome: 'empty' | 'out of time'; chunks: number; records: number };
/** Chunks that were attempted, with their records; and the order number of the one that an attempt is at. */
export type Progress = { chunks: number; records: number; order?: number };

export type WorkOptions = {
  /** Chunks to read while the one before them is written. */
  ahead?: number;
  /** Kept up to date, so that whoever catches an error knows which chunk it happened at. */
  progress?: Progress;
};

/**
 * Works the team's open chunks in their order until there are none, or no time is left to begin another. Safe at any
 * moment and however often it runs, at once with others too: what is decided is decided in the table.
 * @throws whatever kept an attempt from its end; the team is to be woken again.
 */
export async function workTeam(
  dependencies: ImportDependencies,
  teamId: string,
  hasTime: () => boolean,
  { ahead = chunksAhead, progress = { chunks: 0, records: 0 } }: WorkOptions = {},
): Promise<WorkReport> {
  const { database } = dependencies;
  const look = () => listWork(dependencies, teamId, hasTime);
  for (;;) {
    const listed = await untilWritten(dependencies, 'an accepted chunk is not visible yet', look, contendedRounds);
    if (typeof listed === 'string') return { outcome: listed, ...progress };
    const { state, open, toSkip, toWork } = listed;
    if (toSkip.length > 0) {
      await commitSkip(database, teamId, toSkip, state, skip(state, toSkip));
      continue;
    }
    // What broke an earlier attempt off may have been a chunk that was read ahead, so the next one reads none.
    const isRepeated = attemptsAt(state, toWork[0]!) > 0;
    const reader = new ReadAhead(database, toWork, state.renames, isRepeated ? 0 : ahead);
    const isThrough = await workListed(dependencies, teamId, { state, open: toWork }, reader, hasTime, progress);
    delete progress.order;
    // What has come since then has a wake of its own; what was listed but could not be worked yet may have none left.
    const wasAll = toWork.length === open.length && open.length < listedAtOnce;
    if (isThrough && wasAll) return { outcome: 'empty', ...progress };
  }
}

type ListedWork = ImportWork & ReturnType<typeof workable>;

/** The team's open chunks, and which of them can be skipped or worked; to be listed again where none can be yet. */
async function listWork(
  { database, now }: ImportDependencies,
  teamId: string,
  hasTime: () => boolean,
): Promise<WorkReport['outcome'] | ListedWork | typeof lostRace> {
  const work = await loadWork(database, teamId, listedAtOnce);
  if (work.open.length === 0) return 'empty';
  if (!hasTime()) return 'out of time';
  const { toSkip, toWork } = workable(work.open, work.state, now());
  return toSkip.length + toWork.length > 0 ? { ...work, toSkip, toWork } : lostRace;
}

/**
 * Works the listed chunks for as long as nobody else changes the team's import state.
 * @returns whether they were all closed.
 */
async function workListed(
  dependencies: ImportDependencies,
  teamId: string,
  { state: listed, open }: ImportWork,
  reader: ReadAhead,
  hasTime: () => boolean,
  progress: Progress,
): Promise<boolean> {
  const { database, now } = dependencies;
  let state = listed;
  let begun = false;
  for (const [position, chunk] of open.entries()) {
    progress.order = chunk.order;
    if (!begun) {
      if (position > 0 && !hasTime()) return false;
      if (attemptsAt(state, chunk) >= maxAttempts) {
        await failChunk(dependencies, chunk, `given up after ${maxAttempts} attempts`);
        return false;
      }
      const saved = await saveState(database, teamId, state, begin(state, chunk, timestamp(now())));
      if (!saved) return false;
      state = saved;
    }
    const next = () => (hasTime() ? open[position + 1] : undefined);
    const closed = await attempt(dependencies, chunk, state, () => reader.take(position), next);
    progress.chunks += 1;
    progress.records += chunk.records;
    if (!closed) return false;
    state = closed.state;
    begun = closed.hasBegunNext;
  }
  return true;
}

/** A chunk was closed: the state as it is stored since, and whether the next chunk was begun with it. */
type Closed = { state: ImportState; hasBegunNext: boolean };
const isClosed = (outcome: Closed | ImportState): outcome is Closed => 'hasBegunNext' in outcome;

/**
 * One attempt at a chunk that has been begun.
 * @param next the chunk, if any, that is to be begun with the close of this one, in the same write
 * @returns `undefined` when the list is to be read anew.
 * @throws after taking the attempt off the count where the store or queue was unavailable.
 */
async function attempt(
  dependencies: ImportDependencies,
  chunk: AcceptedChunk,
  state: ImportState,
  prepare: () => Promise<Prepared>,
  next: () => AcceptedChunk | undefined,
): Promise<Closed | undefined> {
  try {
    const prepared = await prepare();
    if (!prepared) return void (await failChunk(dependencies, chunk, 'its stored records cannot be read'));
    return await apply(dependencies, chunk, state, prepared, next);
  } catch (error) {
    if (error instanceof Problem && error.code === 'unavailable') await uncountUnavailable(dependencies, chunk);
    throw error;
  }
}

/** Applies the records and closes the chunk; they are judged once more when a contact was renamed meanwhile. */
async function apply(
  dependencies: ImportDependencies,
  chunk: AcceptedChunk,
  begun: ImportState,
  { records, targets: prepared }: NonNullable<Prepared>,
  next: () => AcceptedChunk | undefined,
): Promise<Closed | undefined> {
  const { team_id: teamId, order } = chunk;
  const judging = { teamId, order, guarded: isGuarded(begun, dependencies.now()) };
  let state = begun;
  let targets = prepared;
  return untilWritten(dependencies, 'contacts of the team are renamed all the time', async () => {
    if (state.renames !== begun.renames) targets = await targetsAnew(dependencies, chunk, records, state);
    // An attempt that was overtaken must not link whoever was given a unique_id after the chunk was completed.
    if (state.renames > 0 && !(await isUnclosed(dependencies, chunk))) return undefined;
    const outcomes = await applyTargets(dependencies, judging, targets, records.length);
    const isRenamed = state !== begun;
    const following = isRenamed ? () => undefined : next;
    const closed = await close(dependencies, chunk, state, resultOf(outcomes, mergedTooLarge), following);
    // The next chunk was read ahead under the names before the rename.
    if (!closed || isClosed(closed)) return isRenamed ? undefined : closed;
    state = closed;
    return lostRace;
  });
}

async function targetsAnew(
  { database }: ImportDependencies,
  { team_id }: AcceptedChunk,
  records: readonly AccountRecord[],
  { renames }: ImportState,
) {
  return targetsOf(team_id, records, await contactIds(database, team_id, records, renames));
}

async function isUnclosed({ database }: ImportDependencies, worked: AcceptedChunk): Promise<boolean> {
  const chunk = await loadChunk(database, worked.team_id, worked);
  return chunk?.order === worked.order && isUnfinished(chunk);
}

/**
 * Completes the chunk, whether it is open or was marked failed meanwhile.
 * @returns the state alone when a contact was renamed since `begun`: then the records are to be judged once more;
 * `undefined` when the list is to be read anew.
 */
async function close(
  dependencies: ImportDependencies,
  worked: AcceptedChunk,
  begun: ImportState,
  result: ChunkResult,
  next: () => AcceptedChunk | undefined,
): Promise<Closed | ImportState | undefined> {
  const { database, now } = dependencies;
  const time = timestamp(now());
  const open = { ...worked, status: 'open' as const };
  const completed = complete(open, begun, result, time);
  const following = next();
  const after = following ? begin(completed.state, following, time) : completed.state;
  const saved = await commitTransitions(database, [{ chunk: open, change: completed.change }], begun, after);
  if (saved) return { state: saved, hasBegunNext: following !== undefined };
  return untilWritten(dependencies, 'the chunk is contended', async () => {
    const { chunk, state } = await loadChunkAndState(database, worked);
    if (chunk?.order !== worked.order || !isUnfinished(chunk)) return undefined;
    if (state.renames !== begun.renames) return state;
    const { change, state: closed } = complete(chunk, state, result, timestamp(now()));
    const payload = chunk.status === 'failed' ? await releasePayload(database, chunk, now()) : [];
    return (await commitTransitions(database, [{ chunk, change }], state, closed, payload)) ? undefined : lostRace;
  });
}

/**
 * What ended the attempt says nothing against the chunk, so the attempt does not count. Where not even this can be
 * written, it counts.
 */
async function uncountUnavailable({ database }: ImportDependencies, chunk: AcceptedChunk): Promise<void> {
  try {
    const { state } = await loadWork(database, chunk.team_id, 0);
    if (attemptsAt(state, chunk) > 0) await saveState(database, chunk.team_id, state, uncountAttempt(state, chunk));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Marks the chunk failed if it is still open: its records are kept, and the team's next chunk goes on. */
export async function failChunk(
  dependencies: Pick<ImportDependencies, 'database' | 'now' | 'pause'>,
  failing: AcceptedChunk,
  reason: string,
): Promise<void> {
  const { database, now } = dependencies;
  await untilWritten(dependencies, 'the chunk is contended', async () => {
    const { chunk, state } = await loadChunkAndState(database, failing);
    if (chunk?.order !== failing.order || chunk.status !== 'open') return;
    // An erasure has stored the records again, under another id, since the chunk was listed.
    if (chunk.payload_id !== failing.payload_id) return;
    const { change, state: after } = fail(chunk, state, reason, timestamp(now()));
    const payload = await keepPayload(database, chunk);
    return (await commitTransitions(database, [{ chunk, change }], state, after, payload)) ? undefined : lostRace;
  });
}
