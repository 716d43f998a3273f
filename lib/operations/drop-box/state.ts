import * as z from 'zod';
import type { DropKind, DroppedFile } from '../../domain/drop.ts';
import { timestamp } from '../../domain/timestamp.ts';
import type { Layout, Place } from '../../files/place.ts';
import type { Database } from '../../store/database.ts';
import { insertDrop, loadDrop, updateDrop } from '../../store/drop-files.ts';
import { derivedFileId } from '../../store/keys.ts';

const plainObject = z.record(z.string(), z.unknown());

/**
 * How far a file has come. `reading`: its rows are handed over, chunk by chunk. `applying`: all are, and the import
 * worker is at it. `naming`: the file is read once more, to find the rows that it could not store. `closing`: only the
 * report lacks. `done`.
 */
const stateSchema = z.object({
  key: z.string(),
  version: z.string(),
  phase: z.enum(['reading', 'applying', 'naming', 'closing', 'done']),
  /** Where reading goes on; absent at the file's beginning. */
  place: plainObject.transform((value) => value as unknown as Place).optional(),
  /** Once the file's beginning has been read. */
  layout: plainObject.transform((value) => value as unknown as Layout).optional(),
  warnings: z.array(z.string()),
  rows: z.object({
    accepted: z.number(),
    rejected: z.number(),
    created: z.number(),
    existing: z.number(),
  }),
  /** Objects that hold the rejected rows, and their bytes. */
  parts: z.number(),
  partBytes: z.number(),
  failedChunks: z.array(
    z.object({ chunk_index: z.number(), first_line: z.number(), last_line: z.number(), reason: z.string() }),
  ),
  /** Why the file was not read to its end. */
  failure: z.string().optional(),
  /** Whether a chunk had no row to send, so that the batch has fewer chunks than the file. */
  hasUnsentChunk: z.boolean().default(true),
  /** Invocations that have read it. */
  turns: z.number().default(0),
  /** Attempts since it last got on; and whether there were too many once. */
  stalls: z.number(),
  givenUp: z.boolean(),
  received_at: z.string(),
  /** When the last row was handed over. */
  read_at: z.string().optional(),
});

export type DropState = z.output<typeof stateSchema>;

/** Another attempt is at the same file; it goes on, and this one has to end. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

type Owner = { teamId: string; kind: DropKind };

/** A file of a team that exists, and how far it has come: what is changed here is kept by `save`. */
export class Drop {
  readonly teamId: string;
  readonly kind: DropKind;
  readonly fileId: string;
  state: DropState;
  readonly #database: Database;
  #version: number;

  private constructor(database: Database, owner: Owner, state: DropState, version: number) {
    this.#database = database;
    this.teamId = owner.teamId;
    this.kind = owner.kind;
    this.fileId = derivedFileId(state.key, state.version);
    this.state = state;
    this.#version = version;
  }

  /** What was saved of the file, or its beginning. */
  static async open(database: Database, owner: Owner, file: DroppedFile, now: number): Promise<Drop> {
    const fileId = derivedFileId(file.key, file.version);
    const row = await loadDrop(database, owner.teamId, fileId);
    if (row) return new Drop(database, owner, stateSchema.parse(JSON.parse(row.data)), row.version);
    const state = begunAt(file, timestamp(now));
    if (!(await insertDrop(database, owner.teamId, fileId, JSON.stringify(state), now))) throw new Overtaken();
    return new Drop(database, owner, state, 1);
  }

  /** The accounts of the file are this batch. */
  get batchId(): string {
    return `drop-${this.fileId}`;
  }

  /** @throws Overtaken */
  async save(): Promise<void> {
    const row = { data: JSON.stringify(this.state), version: this.#version };
    if (!(await updateDrop(this.#database, this.teamId, this.fileId, row))) throw new Overtaken();
    this.#version += 1;
  }
}

const begunAt = ({ key, version }: DroppedFile, received_at: string): DropState => ({
  key,
  version,
  phase: 'reading',
  warnings: [],
  rows: { accepted: 0, rejected: 0, created: 0, existing: 0 },
  parts: 0,
  partBytes: 0,
  failedChunks: [],
  hasUnsentChunk: false,
  turns: 0,
  stalls: 0,
  givenUp: false,
  received_at,
});
