import type { FileLayout, FilePosition } from '../../lib/domain/file-position.ts';
import type { FileChunk } from '../../lib/files/file.ts';
import type { Row, RowError } from '../../lib/files/rows.ts';
import {
  type Journal,
  type JournalName,
  journalPath,
  newJournal,
  readJournal,
  removeJournal,
  type Totals,
  writeJournal,
} from './journal.ts';
import { RejectedFile, rejectedPath } from './rejected-file.ts';

/** The result of a chunk that was sent. */
export type ChunkOutcome = Pick<Totals, 'sent' | 'created' | 'changed' | 'unchanged' | 'repeated' | 'redriven'> & {
  /** Errors of rows that the importer accepted and the service rejected, by position in the chunk. */
  refused: ReadonlyMap<number, readonly RowError[]>;
};

const savesEvery = 500;

/**
 * The results of an import. Chunks finish in any order and are entered in the order of the file. So the journal never
 * names a position after an unfinished chunk, and rejected rows keep the order of the file.
 */
export class Ledger {
  readonly rejected: RejectedFile;
  readonly #journal: Journal;
  readonly #path: string;
  readonly #early = new Map<number, { chunk: FileChunk; outcome: ChunkOutcome }>();
  #saving = Promise.resolve();
  #savedAt = 0;

  private constructor(path: string, rejected: RejectedFile, journal: Journal) {
    this.#path = path;
    this.rejected = rejected;
    this.#journal = journal;
  }

  /** @param now ISO 8601, by the clock of the service. */
  static async open(base: string, name: JournalName, now: string): Promise<Ledger> {
    const path = journalPath(base);
    const kept = (await readJournal(path, name)) ?? newJournal(name, now);
    const rejected = await RejectedFile.open(rejectedPath(base), kept.rejected_bytes).catch(() => undefined);
    if (rejected) return new Ledger(path, rejected, kept);
    // The journal is valid only together with the file of rejected rows that it counts.
    return new Ledger(path, await RejectedFile.open(rejectedPath(base), 0), newJournal(name, now));
  }

  get totals(): Totals {
    return this.#journal.totals;
  }

  /** The position to continue at; `undefined` at the beginning. */
  get place(): FilePosition | undefined {
    return this.#journal.place;
  }

  get startedAt(): string {
    return this.#journal.started_at;
  }

  /** The number of chunks that were entered, without a gap. */
  get chunks(): number {
    return this.place?.chunk ?? 0;
  }

  /** True if a chunk had no row to send. */
  get hasUnsentChunk(): boolean {
    return this.#journal.has_unsent_chunk;
  }

  /** Positions of the rows of a chunk that the service rejected. */
  refusedIn(chunk: number): readonly number[] {
    return this.#journal.refused[chunk] ?? [];
  }

  async enter(chunk: FileChunk, outcome: ChunkOutcome): Promise<void> {
    this.#early.set(chunk.index, { chunk, outcome });
    for (let next = this.#early.get(this.chunks); next; next = this.#early.get(this.chunks)) {
      this.#early.delete(this.chunks);
      this.#book(next.chunk, next.outcome);
    }
    if (Date.now() - this.#savedAt > savesEvery) await this.save();
  }

  #book({ index, rows, next }: FileChunk, { refused, ...counts }: ChunkOutcome): void {
    for (const [at, row] of rows.entries()) this.reject(next.layout, row, refused.get(at) ?? row.errors);
    if (refused.size > 0) this.#journal.refused[index] = [...refused.keys()];
    if (counts.sent === 0) this.#journal.has_unsent_chunk = true;
    this.totals.read += rows.length;
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) this.totals[name] += counts[name];
    this.#journal.place = next;
  }

  reject(layout: FileLayout, row: Row, errors: readonly RowError[]): void {
    if (errors.length === 0) return;
    this.totals.rejected += 1;
    this.rejected.add(layout, row, errors);
  }

  /** Saves the rejected rows and the journal. Saves never run in parallel. */
  save(): Promise<void> {
    this.#savedAt = Date.now();
    this.#saving = this.#saving.then(() => this.#write());
    return this.#saving;
  }

  async #write(): Promise<void> {
    if (!this.place) return;
    // Chunks can be entered while the rejected rows are written.
    const state = structuredClone(this.#journal);
    await writeJournal(this.#path, { ...state, rejected_bytes: await this.rejected.save() });
  }

  /** Ends the import: removes the journal. */
  async close(): Promise<void> {
    await this.#saving;
    await this.rejected.close();
    await removeJournal(this.#path);
  }
}
