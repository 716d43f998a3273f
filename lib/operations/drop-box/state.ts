import type { DropKind, DroppedFile } from '../../domain/drop-box/drop.ts';
import type { DropReport } from '../../domain/drop-box/drop-report.ts';
import { expectationOf } from '../../domain/drop-box/expected-file.ts';
import { dropBatchId } from '../../domain/imports/own-batch.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { type DropState, insertDrop, loadDrop, updateDrop } from '../../store/drop-box/drop-files.ts';
import { recordArrival } from '../../store/drop-box/expected-files.ts';
import type { Database } from '../../store/table/database.ts';
import { derivedFileId } from '../../store/table/ids.ts';

/** Another attempt has taken over the file, so this one must stop. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

type Owner = { teamId: string; kind: DropKind };

/** A dropped file of an existing team, and its progress. `save` stores changes of `state`. */
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

  /** The stored progress of the file, or the initial state. @throws LeaseLost */
  static async open(database: Database, owner: Owner, file: DroppedFile, now: number): Promise<Drop> {
    const fileId = derivedFileId(file.key, file.version);
    const stored = await loadDrop(database, owner.teamId, fileId);
    if (stored) return new Drop(database, owner, stored.state, stored.version);
    const began = timestamp(now);
    const initial = initialState(file, file.received_at ?? began, began);
    // Before the item, so that it is repeated if this attempt crashes in between.
    const expected = await recordArrival(database, owner.teamId, owner.kind, initial.received_at);
    const { map } = expectationOf(expected, initial.received_at)?.expected ?? {};
    const state = { ...initial, ...(map && { map }) };
    if (!(await insertDrop(database, owner.teamId, fileId, state, now))) throw new LeaseLost();
    return new Drop(database, owner, state, 1);
  }

  /** The id of the batch that the file's accounts are sent as. */
  get batchId(): string {
    return dropBatchId(this.fileId);
  }

  /** @throws LeaseLost */
  async save(): Promise<void> {
    const stored = { state: this.state, version: this.#version };
    if (!(await updateDrop(this.#database, this.teamId, this.fileId, stored))) throw new LeaseLost();
    this.#version += 1;
  }
}

/** Stores the end of a file that was not read. The first folder of its key is that of the team. */
export async function insertUnread(database: Database, teamId: string, report: DropReport, now: number): Promise<void> {
  const { key, version, received_at, began_at, status, reason, rows, finished_at } = report;
  const outcome = { status, reason, rows, finished_at };
  const state = { ...initialState({ key, version }, received_at, began_at), phase: 'done' as const, outcome };
  await insertDrop(database, teamId, derivedFileId(key, version), state, now);
}

const initialState = ({ key, version }: DroppedFile, received_at: string, began_at: string): DropState => ({
  key,
  version,
  phase: 'reading',
  warnings: [],
  notices: [],
  rows: { read: 0, accepted: 0, rejected: 0, created: 0, existing: 0 },
  parts: 0,
  partBytes: 0,
  failedChunks: [],
  hasUnsentChunk: false,
  turns: 0,
  stalls: 0,
  givenUp: false,
  received_at,
  began_at,
});
