import type { BatchStatus } from '../../../lib/domain/imports/batch-responses.ts';
import { batchStatusOf } from '../../../lib/domain/imports/batch-status.ts';
import { attemptsAt, type Chunk, type ImportState, type RecordCounts } from '../../../lib/domain/imports/chunk.ts';
import { countsText, listing, number, statesText, tableOf } from '../text.ts';

export type ChunkView = ReturnType<typeof chunkView>;
export type BatchView = { team_id: string; batch: BatchStatus; chunks: ChunkView[] };

export type StoredBatch = { chunks: readonly Chunk[]; head: { chunk_count?: number | undefined }; state: ImportState };

/** `now` in milliseconds since the epoch. `undefined` when there are no chunks. */
export function batchView(batchId: string, { chunks, head, state }: StoredBatch, now: number): BatchView | undefined {
  const batch = batchStatusOf(batchId, chunks, { expected: head.chunk_count });
  if (!batch) return undefined;
  return { team_id: chunks[0]!.team_id, batch, chunks: chunks.map((chunk) => chunkView(chunk, state, now)) };
}

function chunkView(chunk: Chunk, state: ImportState, now: number) {
  const { client_id = null, counts = null, rejections = [], failure = null, closed_at = null } = chunk;
  const seconds = secondsBetween(chunk.accepted_at, closed_at ?? now);
  return {
    chunk: chunk.index,
    state: stateOf(chunk, state),
    records: chunk.records,
    // Of the client that sent it; `null` for a dropped file.
    ...{ client_id, counts, rejections },
    attempts: chunk.attempts ?? attemptsAt(state, chunk),
    ...{ failure, accepted_at: chunk.accepted_at, closed_at },
    // From acceptance until now, or until the chunk was closed. A failed chunk is not closed.
    age_seconds: closed_at === null ? seconds : null,
    duration_seconds: closed_at === null ? null : seconds,
  };
}

const secondsBetween = (from: string, to: string | number): number =>
  Math.max(0, Math.round((new Date(to).getTime() - Date.parse(from)) / 1000));

/** `waiting`: no worker has begun the chunk. `working`: an attempt is running, or the next attempt is due. */
function stateOf({ status, order }: Chunk, { begun }: ImportState) {
  if (status !== 'open') return status;
  return order > begun ? 'waiting' : 'working';
}

/** The batch, then its chunks. Adjacent chunks in the same state share a line, so that 2,000 chunks stay readable. */
export function batchText(view: BatchView): string {
  return `${listing(headOf(view))}\n\n${tableOf(runsOf(view.chunks), columns)}`;
}

export type ListedBatches = readonly NonNullable<ReturnType<typeof listedBatch>>[];

/** `client_ids`: the clients that sent it; none for a dropped file. `undefined` when there are no chunks. */
export function listedBatch(batchId: string, { chunks, head }: Omit<StoredBatch, 'state'>) {
  const batch = batchStatusOf(batchId, chunks, { expected: head.chunk_count });
  if (!batch) return undefined;
  const { errors: _, ...shown } = batch;
  return { ...shown, client_ids: [...new Set(chunks.flatMap(({ client_id }) => client_id ?? []))] };
}

/** How many batches are in each status, in one line. */
export const batchListLine = (batches: ListedBatches): string =>
  (['processing', 'completed', 'failed'] as const)
    .map((status) => `${number(batches.filter((each) => each.status === status).length)} ${status}`)
    .join(', ');

export const batchListText = (batches: ListedBatches): string =>
  tableOf(
    batches,
    {
      BATCH: ({ batch_id }) => JSON.stringify(batch_id),
      STATUS: 'status',
      CHUNKS: ({ chunks }) => acceptedText(chunks),
      RECORDS: ({ records }) => records.accepted,
      APPLIED: ({ records }) => records.applied,
      UNCHANGED: ({ records }) => records.unchanged,
      SUPERSEDED: ({ records }) => records.superseded,
      REJECTED: ({ records }) => records.rejected,
      BEGAN: 'inserted_at',
      ENDED: 'completed_at',
      CLIENT: ({ client_ids }) => client_ids.join(', '),
    },
    'The team has no batches.',
  );

/** Of a batch that was announced with more chunks than were accepted, both numbers. */
const acceptedText = ({ accepted, expected, missing = [] }: BatchStatus['chunks']): string =>
  expected === undefined || missing.length === 0 ? number(accepted) : `${number(accepted)} of ${number(expected)}`;

/** The progress of the batch, in one line. */
export function progressText({ batch: { batch_id, status, chunks, records } }: BatchView): string {
  const failed = chunks.failed > 0 ? `, ${number(chunks.failed)} failed` : '';
  const done = records.applied + records.unchanged + records.superseded + records.rejected;
  return `${JSON.stringify(batch_id)} ${status}: ${number(chunks.completed)} of ${number(chunks.accepted)} chunks completed${failed}, ${number(done)} of ${number(records.accepted)} records`;
}

function headOf({ team_id, batch, chunks }: BatchView): Record<string, string> {
  return {
    batch: JSON.stringify(batch.batch_id),
    team: team_id,
    status: batch.status,
    accepted: batch.inserted_at,
    ...(batch.completed_at === null
      ? {}
      : { completed: batch.completed_at, duration: duration(secondsBetween(batch.inserted_at, batch.completed_at)) }),
    chunks: statesText(chunks, ['completed', 'working', 'waiting', 'failed', 'discarded', 'cancelled']),
    ...missingText(batch.chunks),
    records: `${number(batch.records.accepted)} accepted, ${countsText(outcomesOf(batch.records))}`,
  };
}

const shownMissing = 20;

function missingText({ expected = 0, missing = [] }: BatchStatus['chunks']): { missing?: string } {
  if (missing.length === 0) return {};
  const more = missing.length > shownMissing ? ', …' : '';
  return { missing: `${missing.slice(0, shownMissing).join(', ')}${more} of ${number(expected)} announced` };
}

const outcomesOf = ({ applied, unchanged, superseded, rejected }: RecordCounts) => {
  return { applied, unchanged, superseded, rejected };
};

function runsOf(chunks: readonly ChunkView[]): ChunkView[][] {
  const runs: ChunkView[][] = [];
  for (const chunk of chunks) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && last.chunk + 1 === chunk.chunk && areAlike(last, chunk)) run.push(chunk);
    else runs.push([chunk]);
  }
  return runs;
}

const areAlike = (a: ChunkView, b: ChunkView): boolean =>
  a.state === b.state &&
  a.failure === b.failure &&
  a.client_id === b.client_id &&
  a.rejections.length === 0 &&
  b.rejections.length === 0;

/** Chunks in a row that are alike. */
type Run = readonly ChunkView[];
const sum = (run: Run, of: (chunk: ChunkView) => number): number => run.reduce((total, each) => total + of(each), 0);
const countOf = (name: keyof RecordCounts) => (run: Run) =>
  run[0]!.counts && sum(run, ({ counts }) => counts?.[name] ?? 0);

const columns = {
  CHUNKS: (run: Run) => [...new Set([run[0]!, run.at(-1)!].map(({ chunk }) => number(chunk)))].join('–'),
  STATE: ([first]: Run) => first!.state,
  RECORDS: (run: Run) => sum(run, ({ records }) => records),
  APPLIED: countOf('applied'),
  UNCHANGED: countOf('unchanged'),
  SUPERSEDED: countOf('superseded'),
  REJECTED: countOf('rejected'),
  ATTEMPTS: (run: Run) => run.reduce((most, { attempts }) => Math.max(most, attempts), 0),
  AGE: (run: Run) => longest(run.map(({ age_seconds }) => age_seconds)),
  DURATION: (run: Run) => longest(run.map(({ duration_seconds }) => duration_seconds)),
  CLIENT: ([first]: Run) => first!.client_id,
  FAILURE: ([first]: Run) => first!.failure ?? rejectionText(first!),
};

/** Only the first rejected record of a chunk is shown; `--json` lists all of them. */
function rejectionText({ rejections: [first, ...others] }: ChunkView): string {
  if (!first) return '';
  return `record ${first.record}: ${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
}

/** The longest of a run of chunks. Chunks of a run are all closed or all open. */
const longest = (seconds: readonly (number | null)[]): string => {
  const known = seconds.filter((each) => each !== null);
  return known.length === 0 ? '' : duration(known.reduce((most, each) => Math.max(most, each)));
};

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
