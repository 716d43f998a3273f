import type { Chunk } from '../../../../lib/domain/chunk.ts';
import { byTime } from '../../../../lib/domain/timestamp.ts';
import { loadBatch } from '../../../../lib/store/claims.ts';
import type { DropState } from '../../../../lib/store/drop-files.ts';
import { type DropListDependencies, findDroppedFile, type ListedDrop } from './list.ts';

/** One step on the way of a dropped file. */
export type DropEvent = {
  event: 'received' | 'reading began' | 'chunks accepted' | 'reading ended' | 'chunks applied' | 'report written';
  /** When it happened, or for chunks, when it happened first and last. */
  at: string;
  until: string | null;
  counts: Record<string, number>;
};

/** `chunks_open`, `chunks_failed`: what the file still waits for, and what an administrator has to look at. */
export type DropTimeline = ListedDrop & { chunks_open: number; chunks_failed: number; timeline: DropEvent[] };

/** The way of the newest version of a dropped file so far. `undefined` if the team has no such file. */
export async function dropTimeline(
  dependencies: DropListDependencies,
  teamId: string,
  key: string,
): Promise<DropTimeline | undefined> {
  const found = await findDroppedFile(dependencies, teamId, key);
  if (!found) return undefined;
  const { listed, state } = found;
  const { batch_id } = listed;
  const { chunks } = batch_id === null ? { chunks: [] } : await loadBatch(dependencies.database, teamId, batch_id);
  const withStatus = (status: Chunk['status']) => chunks.filter((chunk) => chunk.status === status).length;
  const timeline = [
    event('received', listed.received_at),
    ...(listed.began_at === null ? [] : [event('reading began', listed.began_at)]),
    ...accepted(chunks),
    ...ended(state),
    ...applied(chunks),
    ...(listed.finished_at === null ? [] : [event('report written', listed.finished_at)]),
  ];
  return { ...listed, chunks_open: withStatus('open'), chunks_failed: withStatus('failed'), timeline };
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
  return [
    event(
      'chunks accepted',
      times[0],
      { chunks: chunks.length, rows: chunks.reduce((total, { records }) => total + records, 0) },
      times.at(-1),
    ),
  ];
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
