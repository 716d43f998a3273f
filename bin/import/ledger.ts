import type { FileChunk } from '../../lib/files/file.ts';
import type { FileLayout, FilePosition } from '../../lib/files/position.ts';
import type { RowError } from '../../lib/files/row-error.ts';
import type { Row } from '../../lib/files/rows.ts';
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

/** What came of a chunk that was sent. */
export type ChunkOutcome = Pick<Totals, 'sent' | 'created' | 'changed' | 'unchanged' | 'repeated' | 'redriven'> & {
  /** What the service has against rows that passed here, by their place in the chunk. */
  refused: ReadonlyMap<number, readonly RowError[]>;
};

const savesEvery = 500;

/**
 * The books of an import. Chunks are answered in any order, and entered in the file's: the journal never names a place
 * before which a chunk is open, and rejected rows stand as they stand in the file.
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

  /** @param now ISO 8601, by the service's clock. */
  static async open(base: string, name: JournalName, now: string): Promise<Ledger> {
    const path = journalPath(base);
    const kept = await readJournal(path, name);
    const rejected = await RejectedFile.open(rejectedPath(base), kept?.rejected_bytes ?? 0).catch(() => undefined);
    // Without the rows that it counts as rejected, the journal is of no use.
    if (!rejected)
      return new Ledger(path, { ...name, started_at: now }, await RejectedFile.open(rejectedPath(base), 0));
    return new Ledger(path, { ...name, started_at: kept?.started_at ?? now }, rejected, kept);
  }

  /** Where to go on; `undefined` at the beginning. */
  get place(): FilePosition | undefined {
    return this.#place;
  }

  get startedAt(): string {
    return this.#name.started_at;
  }

  /** How many chunks have been answered without a gap. */
  get chunks(): number {
    return this.#place?.chunk ?? 0;
  }

  /** Whether a chunk had no row to send. */
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

  /** Puts the books on disk, one after the other. */
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

  /** The import is done. */
  async close(): Promise<void> {
    await this.#saving;
    await this.rejected.close();
    await removeJournal(this.#path);
  }
}
