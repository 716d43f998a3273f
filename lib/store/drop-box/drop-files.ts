import * as z from 'zod';
import { dropOutcome, failedChunk } from '../../domain/drop-box/drop-report.ts';
import { fileNotice } from '../../domain/drop-box/file-notice.ts';
import { fileLayout, filePosition } from '../../domain/drop-box/file-position.ts';
import { fixedDays } from '../../domain/teams/retention.ts';
import {
  type Database,
  type Item,
  pages,
  readAll,
  readOne,
  type Upsert,
  versioned,
  writeOne,
} from '../table/database.ts';
import { derivedFileNameId } from '../table/ids.ts';
import { dropKey, dropListKey, dropListPartition, fileIdOfDropListKey, importedVersionKey } from '../table/keys.ts';
import { itemReader, jsonText, storedTime, storedVersion } from '../table/stored-item.ts';

/**
 * The progress of a dropped file, by phase. `reading`: its chunks are sent. `applying`: all chunks are sent, and the
 * import worker applies them. `naming`: the file is read again to find the rows that the worker rejected. `closing`:
 * only the report is missing. `done`: the report is written.
 */
const stateSchema = z.object({
  key: z.string(),
  version: z.string(),
  phase: z.enum(['reading', 'applying', 'naming', 'closing', 'done']),
  /** The position at which reading resumes; absent at the beginning of the file. */
  place: filePosition.optional(),
  /** How the columns become fields, as it was expected when the reading began. */
  map: z.string().optional(),
  /** Set once the beginning of the file has been read. */
  layout: fileLayout.optional(),
  warnings: z.array(z.string()),
  notices: z.array(fileNotice).default([]),
  rows: z.object({
    /** All rows of the chunks that were sent. */
    read: z.number(),
    accepted: z.number(),
    rejected: z.number(),
    created: z.number(),
    existing: z.number(),
  }),
  /** Number of objects with rejected rows, and their size in bytes. */
  parts: z.number(),
  partBytes: z.number(),
  failedChunks: z.array(failedChunk),
  /** The reason why the file was not read to its end. */
  failure: z.string().optional(),
  /** True if the file itself is not whole. It is then failed, whether it has rows or not. */
  isBroken: z.boolean().optional(),
  /** True if the object could not be read. The same bytes are then imported if they are dropped again. */
  isUnreadable: z.boolean().optional(),
  /** True if a chunk had no row to send, so that the batch has fewer chunks than the file. */
  hasUnsentChunk: z.boolean(),
  /** Number of invocations that have read the file. */
  turns: z.number(),
  /** Number of attempts since the last progress; and whether the file was given up. */
  stalls: z.number(),
  givenUp: z.boolean(),
  /** When the file arrived, and when reading began. */
  received_at: storedTime,
  began_at: storedTime,
  /** The time at which the last row was sent. */
  read_at: storedTime.optional(),
  /** Once the report is written. */
  outcome: dropOutcome.optional(),
});

export type DropState = z.output<typeof stateSchema>;

/** The state, stored as JSON text, and its version: the number of times it was written. */
export type StoredDrop = { state: DropState; version: number };

const dropItem = itemReader('dropped file', z.object({ data: jsonText(stateSchema), version: storedVersion }));

/** How the file ended; `undefined` while it is in progress. */
export const dropOutcomeOf = (item: Item): DropState['outcome'] => dropItem(item).data.outcome;

/** Longer than messages about a file are kept in queues, so no event about it can arrive after that. */
const daysKept = fixedDays.dropStates;

const storedDrop = (item: Item): StoredDrop => {
  const { data: state, version } = dropItem(item);
  return { state, version };
};

/** `undefined` if the reading of the file has not begun. */
export const loadDrop = (database: Database, teamId: string, fileId: string): Promise<StoredDrop | undefined> =>
  readOne(database, dropKey(teamId, fileId), storedDrop);

/** The same for several files. */
export const loadDrops = (database: Database, teamId: string, fileIds: readonly string[]) => {
  const keys = fileIds.map((fileId) => dropKey(teamId, fileId));
  return readAll(database, keys, storedDrop);
};

/** @returns false if the item exists already. */
export async function insertDrop(
  database: Database,
  teamId: string,
  fileId: string,
  state: DropState,
  now: number,
): Promise<boolean> {
  const expires_at = Math.floor(now / 1000) + daysKept * 24 * 3600;
  const list = dropListKey(teamId, fileId, state.received_at);
  const item = { ...dropKey(teamId, fileId), ...list, data: JSON.stringify(state), version: 1, expires_at };
  return writeOne(database, { kind: 'insert', item });
}

/** @returns false if another attempt has written the item since this version. */
export const updateDrop = (database: Database, teamId: string, fileId: string, stored: StoredDrop): Promise<boolean> =>
  writeOne(database, dropUpdate(teamId, fileId, stored));

/** Writes the state on the condition that the item still has this version. */
export const dropUpdate = (teamId: string, fileId: string, { state, version }: StoredDrop): Upsert =>
  versioned(dropKey(teamId, fileId), version, { data: JSON.stringify(state) });

const importedVersion = z.object({ version: z.string(), size: z.number(), etag: z.string() });
/** The version of a file that was imported last under its name. */
export type ImportedVersion = z.output<typeof importedVersion>;

const importedItem = itemReader('imported version of a dropped file', importedVersion);

export const loadImportedVersion = (
  database: Database,
  teamId: string,
  key: string,
): Promise<ImportedVersion | undefined> =>
  readOne(database, importedVersionKey(teamId, derivedFileNameId(key)), importedItem);

/** @returns false if another version was stored since `before` was loaded. */
export function saveImportedVersion(
  database: Database,
  teamId: string,
  key: string,
  { version, size, etag }: ImportedVersion,
  before: ImportedVersion | undefined,
  now: number,
): Promise<boolean> {
  const item = importedVersionKey(teamId, derivedFileNameId(key));
  const set = { version, size, etag, expires_at: Math.floor(now / 1000) + daysKept * 24 * 3600 };
  if (!before) return writeOne(database, { kind: 'insert', item: { ...item, ...set } });
  return writeOne(database, { kind: 'update', key: item, set, expect: { version: before.version } });
}

const listedDrop = itemReader('dropped file in the list of files', z.object({ directory_sk: z.string() }));

/** The team's dropped files that arrived last and whose reading has begun, at most so many, newest first. */
export async function listDrops(database: Database, teamId: string, limit: number): Promise<DropState[]> {
  const drops: DropState[] = [];
  for await (const page of dropPages(database, teamId, limit)) {
    for (const { state } of page) drops.push(state);
    if (drops.length >= limit) break;
  }
  return drops.slice(0, limit);
}

/** The states of all files whose reading has begun, newest first. */
export async function* dropPages(database: Database, teamId: string, limit?: number): AsyncGenerator<StoredDrop[]> {
  const query = {
    pk: dropListPartition(teamId),
    index: 'directory',
    descending: true,
    ...(limit && { limit }),
  } as const;
  for await (const page of pages(database, query)) {
    const ids = page.map((entry) => fileIdOfDropListKey(listedDrop(entry).directory_sk));
    yield (await loadDrops(database, teamId, ids)).filter((stored) => stored !== undefined);
  }
}
