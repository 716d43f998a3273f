import type { DropListService } from '../../../bin/admin/operations/drop-box/list.ts';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import { dropBatchId } from '../../../lib/domain/imports/own-batch.ts';
import type { StoredObject } from '../../../lib/store/drop-box/drop-box-files.ts';
import { type DropState, insertDrop } from '../../../lib/store/drop-box/drop-files.ts';
import { acceptChunks } from '../../../lib/store/imports/claims.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { chunkKey } from '../../../lib/store/table/keys.ts';

export const atHour = (hour: number): string => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000000Z`;

/** What is stored of the imports of a team before its first chunk. */
export const beforeFirstChunk = {
  chunk: undefined,
  counter: { last_order: 0, left_seen: 0 },
  isFirst: true,
  stateVersion: 0,
  batch: undefined,
};

/** The state of a file whose reading has just begun. */
export const dropState = (key: string, changes: Partial<DropState> = {}): DropState => ({
  key,
  version: '1',
  phase: 'reading',
  warnings: [],
  notices: [],
  rows: { read: 0, accepted: 0, rejected: 0, created: 0, existing: 0 },
  parts: 0,
  partBytes: 0,
  failedChunks: [],
  hasUnsentChunk: false,
  turns: 1,
  stalls: 0,
  givenUp: false,
  received_at: atHour(1),
  began_at: atHour(2),
  ...changes,
});

/** A team's dropped files: the objects in the bucket, and what is stored about those whose reading has begun. */
export class DroppedFiles {
  readonly database: Database;
  readonly teamId: string;
  objects: StoredObject[] = [];
  now = Date.parse(atHour(12));

  constructor(database: Database, teamId: string = crypto.randomUUID()) {
    this.database = database;
    this.teamId = teamId;
  }

  key = (path: string): string => `${this.teamId}/${path}`;

  get dependencies(): DropListService {
    const unused = () => Promise.reject(new Error('a list neither reads nor changes objects'));
    const list = (prefix: string) => iterable(this.objects.filter(({ key }) => key.startsWith(prefix)));
    return {
      database: this.database,
      files: { list, read: unused, write: unused, remove: unused },
      now: () => this.now,
    };
  }

  drop(path: string, hour: number, version = '1'): void {
    this.objects.push({ key: this.key(path), version, at: Date.parse(atHour(hour)) });
  }

  async begin(path: string, changes?: Partial<DropState>): Promise<DropState> {
    const state = dropState(this.key(path), changes);
    await insertDrop(this.database, this.teamId, derivedFileId(state.key, state.version), state, this.now);
    return state;
  }

  /** Stores chunks of the file in these states. */
  async accept(path: string, chunks: readonly Partial<Chunk>[]): Promise<void> {
    await this.acceptBatch(dropBatchId(derivedFileId(this.key(path), '1')), chunks);
  }

  async acceptBatch(batch_id: string, chunks: readonly Partial<Chunk>[]): Promise<void> {
    const whole = chunks.map((chunk, index): Chunk => {
      const claim = chunkKey(this.teamId, batch_id, index).sk;
      const ref = { team_id: this.teamId, batch_id, claim, index, order: index + 1, payload_id: 'p', parts: 1 };
      return { ...ref, status: 'open', records: 500, accepted_at: atHour(3), accepted_after: 0, ...chunk };
    });
    await acceptChunks(this.database, this.teamId, { chunks: whole, current: beforeFirstChunk, leftSeen: 0 });
  }
}

async function* iterable<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
