import * as z from 'zod';
import { type Chunk, type ChunkRef, type ImportState, newImportState } from '../domain/chunk.ts';
import { type Attributes, all, type Database, type Item, type Write } from './database.ts';
import {
  batchPartition,
  claimKey,
  importStateKey,
  type Key,
  type WatchList,
  watchKey,
  watchPartitions,
} from './keys.ts';

const chunkSchema = z.object({
  team_id: z.string(),
  batch_id: z.string(),
  index: z.number(),
  status: z.enum(['open', 'completed', 'failed', 'discarded']),
  payload_id: z.string(),
  parts: z.number(),
  records: z.number(),
  accepted_at: z.string(),
  attempts: z.number(),
  order: z.number().optional(),
  counts: z
    .object({ applied: z.number(), unchanged: z.number(), superseded: z.number(), rejected: z.number() })
    .optional(),
  rejections: z.array(z.object({ record: z.number(), message: z.string() })).optional(),
  failure: z.string().optional(),
  closed_at: z.string().optional(),
  handed_over_at: z.string().optional(),
  version: z.number(),
});

const stateSchema = z.object({
  team_id: z.string(),
  last_order: z.number(),
  in_work: z.object({ batch_id: z.string(), claim: z.string() }).optional(),
  failed: z.number(),
  renames: z.number(),
  guarded_until: z.string().optional(),
  version: z.number(),
});

const chunkOf = (item: Item): Chunk => ({ ...chunkSchema.parse(item), claim: item.sk });

const keyOf = (chunk: Chunk): Key => claimKey(chunk.team_id, chunk.batch_id, chunk.claim);

export async function loadChunk(database: Database, teamId: string, ref: ChunkRef): Promise<Chunk | undefined> {
  const [item] = await database.get([claimKey(teamId, ref.batch_id, ref.claim)]);
  return item && chunkOf(item);
}

/** The chunk and its team's import state, in one round trip. */
export async function loadChunkAndState(
  database: Database,
  teamId: string,
  ref: ChunkRef,
): Promise<{ chunk: Chunk | undefined; state: ImportState }> {
  const [chunk, state] = await database.get([claimKey(teamId, ref.batch_id, ref.claim), importStateKey(teamId)]);
  return { chunk: chunk && chunkOf(chunk), state: stateOf(teamId, state) };
}

const stateOf = (teamId: string, item: Item | undefined): ImportState =>
  item ? stateSchema.parse(item) : newImportState(teamId);

export async function loadImportState(database: Database, teamId: string): Promise<ImportState> {
  const [item] = await database.get([importStateKey(teamId)]);
  return stateOf(teamId, item);
}

/** The chunks of a batch, in the order of their index. */
export async function loadBatch(database: Database, teamId: string, batchId: string): Promise<Chunk[]> {
  return (await all(database, { pk: batchPartition(teamId, batchId) })).map(chunkOf);
}

/** New claims, all or none, each with its entry among the open chunks. */
export const insertChunks = (database: Database, chunks: readonly Chunk[]): Promise<boolean> =>
  database.transact(
    chunks.flatMap((chunk) => {
      const { claim, ...attributes } = chunk;
      return [{ kind: 'insert', item: { ...keyOf(chunk), ...attributes } }, watchEntry('open', chunk)];
    }),
  );

/** Takes new claims back, all or none, as long as nothing has begun to work on them. */
export const withdrawChunks = (database: Database, chunks: readonly Chunk[]): Promise<boolean> =>
  database.transact(
    chunks.flatMap((chunk) => [
      { kind: 'delete', key: keyOf(chunk), expect: { version: chunk.version, payload_id: chunk.payload_id } },
      watchExit('open', chunk),
    ]),
  );

export type Versioned<T> = { before: T; after: T };

/**
 * Commits transitions of chunks, and of the import state if it changes, in one transaction under the versions that
 * were read. An entry of the watch lists moves along with its chunk's status.
 * @returns false when something was changed meanwhile: read and decide again.
 */
export const commitTransition = (
  database: Database,
  chunks: readonly Versioned<Chunk>[],
  state?: Versioned<ImportState>,
): Promise<boolean> =>
  database.transact([...chunks.flatMap(chunkWrites), ...(state ? [stateWrite(state.before, state.after)] : [])]);

function chunkWrites({ before, after }: Versioned<Chunk>): Write[] {
  const { claim: _, version: __, handed_over_at: ___, ...attributes } = after;
  const changed = changes(before, attributes);
  const write: Write = {
    kind: 'update',
    key: keyOf(before),
    // The note of the hand-over is written on its own; only a new acceptance takes it off.
    set: {
      ...changed,
      version: before.version + 1,
      ...('payload_id' in changed ? { handed_over_at: undefined } : {}),
    },
    expect: { version: before.version },
  };
  const left = watched(before);
  const entered = watched(after);
  if (left === entered && before.accepted_at === after.accepted_at) return [write];
  return [write, ...(left ? [watchExit(left, before)] : []), ...(entered ? [watchEntry(entered, after)] : [])];
}

const watched = ({ status }: Chunk): WatchList | undefined =>
  status === 'open' || status === 'failed' ? status : undefined;

/** The values that differ; an attribute that is gone stands there as `undefined`. */
function changes(before: Attributes, after: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

/** For a transaction: the state as it becomes, under the version that was read. */
export function stateWrite(before: ImportState, after: ImportState): Write {
  const { version, ...attributes } = after;
  const key = importStateKey(before.team_id);
  if (before.version === 0) return { kind: 'insert', item: { ...key, ...attributes, version: 1 } };
  return { kind: 'update', key, set: { ...changes(before, attributes), version: version + 1 }, expect: { version } };
}

/** Notes that the chunk's message is with the queue. False when the claim was withdrawn or accepted anew meanwhile. */
export async function noteHandOver(database: Database, chunk: Chunk, now: string): Promise<boolean> {
  const [noted] = await database.write([
    { kind: 'update', key: keyOf(chunk), set: { handed_over_at: now }, expect: { payload_id: chunk.payload_id } },
  ]);
  return noted ?? false;
}

const watchSchema = z.object({ team_id: z.string(), batch_id: z.string(), claim: z.string() });
export type Watched = z.output<typeof watchSchema>;

function watchEntry(list: WatchList, chunk: Chunk): Write {
  const { team_id, batch_id, claim } = chunk;
  const key = watchKey(list, chunk.accepted_at, team_id, keyOf(chunk));
  return { kind: 'insert', item: { ...key, team_id, batch_id, claim } };
}

const watchExit = (list: WatchList, chunk: Chunk): Write => ({
  kind: 'delete',
  key: watchKey(list, chunk.accepted_at, chunk.team_id, keyOf(chunk)),
  expect: {},
});

/** The chunks of a watch list, oldest acceptance first, by the page; a chunk that has moved on meanwhile is left out. */
export async function* watchedChunks(database: Database, list: WatchList): AsyncGenerator<Chunk[]> {
  let after: string | undefined;
  do {
    const page = await database.query({ pk: watchPartitions[list], ...(after ? { after } : {}) });
    const entries = page.items.map((item) => watchSchema.parse(item));
    const claims = await database.get(entries.map((each) => claimKey(each.team_id, each.batch_id, each.claim)));
    yield claims.flatMap((item) => (item ? [chunkOf(item)] : [])).filter((chunk) => chunk.status === list);
    after = page.next;
  } while (after);
}
