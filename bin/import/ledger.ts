import type { FileLayout, FilePosition } from '../../lib/domain/file-position.ts';
import type { FileChunk } from '../../lib/files/file.ts';
import type { Row, RowError } from '../../lib/files/rows.ts';
import {
  type Journal,
  type JournalName,
  journalPath,
  noTotals,
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
  readonly totals: Totals;
  readonly rejected: RejectedFile;
  readonly refused: Map<number, number[]>;
  #hasUnsentChunk: boolean;
  readonly #name: JournalName & { started_at: string };
  readonly #path: string;
  readonly #early = new Map<number, { chunk: FileChunk; outcome: ChunkOutcome }>();
  #place: FilePosition | undefined;
  #saving = Promise.resolve();
  #savedAt = 0;

  private constructor(
    path: string,
    name: JournalName & { started_at: string },
    rejected: RejectedFile,
    kept?: Journal,
  ) {
    this.#path = path;
    this.#name = name;
    this.rejected = rejected;
    this.totals = { ...(kept?.totals ?? noTotals) };
    this.refused = new Map(Object.entries(kept?.refused ?? {}).map(([chunk, rows]) => [Number(chunk), rows]));
    this.#hasUnsentChunk = kept?.has_unsent_chunk ?? false;
    this.#place = kept?.place;
  }

  /** @param now ISO 8601, by the clock of the service. */
  static async open(base: string, name: JournalName, now: string): Promise<Ledger> {
    const path = journalPath(base);
    const kept = await readJournal(path, name);
    const rejected = await RejectedFile.open(rejectedPath(base), kept?.rejected_bytes ?? 0).catch(() => undefined);
    // The journal is valid only together with the file of rejected rows that it counts.
    if (!rejected)
      return new Ledger(path, { ...name, started_at: now }, await RejectedFile.open(rejectedPath(base), 0));
    return new Ledger(path, { ...name, started_at: kept?.started_at ?? now }, rejected, kept);
  }

  /** The position to continue at; `undefined` at the beginning. */
  get place(): FilePosition | undefined {
    return this.#place;
  }

  get startedAt(): string {
    return this.#name.started_at;
  }

  /** The number of chunks that were entered, without a gap. */
  get chunks(): number {
    return this.#place?.chunk ?? 0;
  }

  /** True if a chunk had no row to send. */
  get hasUnsentChunk(): boolean {
    return this.#hasUnsentChunk;
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
    if (refused.size > 0) this.refused.set(index, [...refused.keys()]);
    if (counts.sent === 0) this.#hasUnsentChunk = true;
    this.totals.read += rows.length;
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) this.totals[name] += counts[name];
    this.#place = next;
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
    if (!this.#place) return;
    const state = { place: this.#place, totals: { ...this.totals }, refused: Object.fromEntries(this.refused) };
    const has_unsent_chunk = this.#hasUnsentChunk;
    const rejected_bytes = await this.rejected.save();
    await writeJournal(this.#path, { ...this.#name, ...state, has_unsent_chunk, rejected_bytes });
  }

  /** Ends the import: removes the journal. */
  async close(): Promise<void> {
    await this.#saving;
    await this.rejected.close();
    await removeJournal(this.#path);
  }
}
