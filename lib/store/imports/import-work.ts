import {
  type AcceptedChunk,
  type Chunk,
  type ChunkChange,
  type ImportState,
  importState,
  type ListedChunk,
  mayBeCancelled,
  newImportState,
} from '../../domain/imports/chunk.ts';
import {
  type Attributes,
  all,
  type Database,
  type Item,
  readOne,
  type Upsert,
  versioned,
  type Write,
  writeOne,
} from '../table/database.ts';
import {
  type ChunkList,
  chunkListKey,
  chunkListPrefix,
  claimKey,
  importPartition,
  importStateKey,
  stateAndOpenChunks,
} from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';
import { chunkOf, entryOf, listEntry } from './chunk-items.ts';

/** The worker's partition of a team: its import state, its open chunks in their order and its failed chunks. */

const stateItem = itemReader('import state', importState);
const stateOf = (item: Item | undefined): ImportState => (item ? stateItem(item) : newImportState);

/** The team's import state and the next chunks to work, in their order. */
export type ImportWork = { state: ImportState; open: ListedChunk[] };

/** One strongly consistent query. @param limit maximum number of open chunks */
export async function loadWork(database: Database, teamId: string, limit: number): Promise<ImportWork> {
  // The state is the first item of the query and counts towards the limit.
  const { items } = await database.query({
    pk: importPartition(teamId),
    ...stateAndOpenChunks,
    limit: limit + 1,
  });
  const { sk } = importStateKey(teamId);
  const open = items.filter((item) => item.sk !== sk).map(entryOf);
  return { state: stateOf(items.find((item) => item.sk === sk)), open };
}

export const loadImportState = async (database: Database, teamId: string): Promise<ImportState> =>
  (await readOne(database, importStateKey(teamId), stateItem)) ?? newImportState;

/** The team's open chunks that were begun, in their order: an attempt at them may be running. */
export async function loadBegun(database: Database, teamId: string): Promise<ListedChunk[]> {
  const { begun } = await loadImportState(database, teamId);
  const { pk, sk: to } = chunkListKey(teamId, 'OPEN', begun);
  const { sk: from } = chunkListKey(teamId, 'OPEN', 0);
  return (await all(database, { pk, from, to })).map(entryOf);
}

/** The chunk as it is now and its team's import state, in one round trip. */
export async function loadChunkAndState(
  database: Database,
  { team_id, batch_id, claim }: Pick<AcceptedChunk, 'team_id' | 'batch_id' | 'claim'>,
): Promise<{ chunk: Chunk | undefined; state: ImportState }> {
  const [chunk, state] = await database.get([claimKey(team_id, batch_id, claim), importStateKey(team_id)]);
  return { chunk: chunk && chunkOf(chunk), state: stateOf(state) };
}

/** The write of the new state, on the condition that the version is still the one that was read. */
export function stateWrite(teamId: string, before: ImportState, after: ImportState): Upsert {
  const set = before.version === 0 ? after : changes(before, after);
  return versioned(importStateKey(teamId), before.version, set);
}

/** The attributes that differ. A removed attribute is `undefined`. */
function changes(before: Attributes, after: Attributes): Attributes {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
      .map((name) => [name, after[name]]),
  );
}

/**
 * Writes only the state.
 * @returns the stored state, or `undefined` if another write has changed it since it was read.
 */
export async function saveState(
  database: Database,
  teamId: string,
  before: ImportState,
  after: ImportState,
): Promise<ImportState | undefined> {
  const next = { ...after, version: before.version + 1 };
  const saved = await writeOne(database, stateWrite(teamId, before, after));
  // If the response was lost, the retry of the write fails its condition. So the stored state decides.
  if (saved || isSame(next, await loadImportState(database, teamId))) return next;
  return undefined;
}

/**
 * Writes the state in which the worker has begun the chunk.
 * @returns the stored state, or `undefined` if another write has changed it since it was read, or the chunk is cancelled.
 */
export async function saveBegun(
  database: Database,
  chunk: AcceptedChunk,
  before: ImportState,
  after: ImportState,
): Promise<ImportState | undefined> {
  const checks = begunChecks(chunk, before);
  if (checks.length === 0) return saveState(database, chunk.team_id, before, after);
  const begun = await database.transact([stateWrite(chunk.team_id, before, after), ...checks]);
  return begun ? { ...after, version: before.version + 1 } : undefined;
}

/** The conditions on which the chunk is begun, in the transaction that begins it. */
export const begunChecks = (chunk: AcceptedChunk, state: ImportState): Write[] =>
  mayBeCancelled(chunk, state)
    ? [{ kind: 'check', key: chunkListKey(chunk.team_id, 'OPEN', chunk.order), expect: { cancelled: undefined } }]
    : [];

const isSame = (one: ImportState, other: ImportState): boolean => Object.keys(changes(one, other)).length === 0;

/** The chunk as it was read, and the change that the transition makes. */
export type ChunkTransition = { chunk: AcceptedChunk & Pick<Chunk, 'status'>; change: ChunkChange };

/**
 * Commits transitions of a team's chunks in one transaction, with the import state and the entries in the chunk lists.
 * @param extraWrites further writes of the same transaction
 * @returns the stored state, or `undefined` if one of the items has changed since it was read.
 */
export async function commitTransitions(
  database: Database,
  transitions: readonly [ChunkTransition, ...ChunkTransition[]],
  before: ImportState,
  after: ImportState,
  extraWrites: readonly Write[] = [],
): Promise<ImportState | undefined> {
  const { team_id } = transitions[0].chunk;
  const committed = await database.transact([
    ...transitions.flatMap(chunkWrites),
    stateWrite(team_id, before, after),
    ...extraWrites,
  ]);
  return committed ? { ...after, version: before.version + 1 } : undefined;
}

function chunkWrites({ chunk, change }: ChunkTransition): Write[] {
  const { team_id, batch_id, claim, status, order } = chunk;
  const claimWrite: Write = {
    kind: 'update',
    key: claimKey(team_id, batch_id, claim),
    set: change,
    expect: { status, order },
  };
  if (change.status === 'cancelled') {
    const entry = chunkListKey(team_id, 'OPEN', order);
    return [claimWrite, { kind: 'update', key: entry, set: { cancelled: true }, expect: {} }];
  }
  const oldList = listOf(status);
  const newList = listOf(change.status ?? status);
  return [
    claimWrite,
    ...(oldList ? [{ kind: 'delete' as const, key: chunkListKey(team_id, oldList, order), expect: {} }] : []),
    ...(newList ? [listEntry(newList, chunk)] : []),
  ];
}

const listOf = (status: Chunk['status']): ChunkList | undefined =>
  status === 'open' ? 'OPEN' : status === 'failed' ? 'FAILED' : undefined;

/** Deletes cancelled chunks from the list of open chunks. @returns false if the state has changed since it was read. */
export const commitSkip = (
  database: Database,
  teamId: string,
  skipped: readonly ListedChunk[],
  before: ImportState,
  after: ImportState,
): Promise<boolean> =>
  database.transact([
    ...skipped.map(({ order }): Write => ({ kind: 'delete', key: chunkListKey(teamId, 'OPEN', order), expect: {} })),
    stateWrite(teamId, before, after),
  ]);

/** The team's failed chunks, in their order. */
export async function loadFailed(database: Database, teamId: string): Promise<Chunk[]> {
  const entries = (await all(database, { pk: importPartition(teamId), prefix: chunkListPrefix('FAILED') })).map(
    entryOf,
  );
  const claims = await database.get(entries.map((each) => claimKey(teamId, each.batch_id, each.claim)));
  return claims.flatMap((item) => (item ? [chunkOf(item)] : [])).filter(({ status }) => status === 'failed');
}
