import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import * as z from 'zod';
import { fileNotice, joinedNotices } from '../../lib/domain/drop-box/file-notice.ts';
import { type FileLayout, filePosition } from '../../lib/domain/drop-box/file-position.ts';
import type { FileChunk } from '../../lib/files/file.ts';
import { rejectedHeader, rejectedLine } from '../../lib/files/rejected.ts';
import type { Row, RowError } from '../../lib/files/rows.ts';
import { jsonOf } from '../local/description.ts';

const count = z.int().min(0);
const totalsSchema = z.object({
  read: count,
  sent: count,
  rejected: count,
  /** `applied` and `unchanged` are set for contacts only, `repeated` and `redriven` for accounts only. */
  applied: count,
  unchanged: count,
  repeated: count,
  /** Repeated rows in chunks that had failed and that the service tries again. */
  redriven: count,
  /** Repeated rows after which the service has accepted others. */
  followed: count.default(0),
});

/** Numbers of rows that were processed so far. */
export type Totals = z.output<typeof totalsSchema>;

export const noTotals: Totals = {
  ...{ read: 0, sent: 0, rejected: 0, applied: 0, unchanged: 0 },
  ...{ repeated: 0, redriven: 0, followed: 0 },
};

const journalSchema = z.object({
  batch_id: z.string(),
  kind: z.enum(['accounts', 'contacts']),
  base_url: z.string(),
  client_id: z.string(),
  /** Fingerprint of the file and its mapping. The position is valid only for the same content. */
  content: z.string(),
  /** By the clock of the service. */
  started_at: z.string(),
  /** All chunks before this position have been answered by the service. Absent at the beginning. */
  place: filePosition.optional(),
  totals: totalsSchema,
  notices: z.array(fileNotice).default([]),
  /** Length of the file of rejected rows at this position. */
  rejected_bytes: count,
  /** Rows that the service rejected: their positions in the chunk, by chunk index. */
  refused: z.record(z.string(), z.array(count)),
  /** True if a chunk had no valid row: then the service has fewer chunks than the file. */
  has_unsent_chunk: z.boolean(),
});

/** The progress of an import. If it is lost, chunks are sent again, and the service recognizes them by their pair. */
export type Journal = z.output<typeof journalSchema>;

type JournalName = Pick<Journal, 'batch_id' | 'kind' | 'base_url' | 'client_id' | 'content'>;

/** The journal of an earlier run of the same import. */
async function readJournal(path: string, name: JournalName): Promise<Journal | undefined> {
  const { data } = journalSchema.safeParse(jsonOf(await readFile(path, 'utf8').catch(() => '')));
  const isSame = data && Object.entries(name).every(([field, value]) => data[field as keyof JournalName] === value);
  return isSame ? data : undefined;
}

/** Writes atomically. Never writes through an existing file or link, which another user may have created. */
export async function writeJournal(path: string, journal: Journal): Promise<void> {
  await rm(`${path}.new`, { force: true });
  const handle = await open(`${path}.new`, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(journal));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.new`, path);
}

const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = constants;
/** Rows contain personal data, so they are never written to a file of another user or through a link. */
const fresh = O_WRONLY | O_APPEND | O_CREAT | O_EXCL;
const own = O_WRONLY | O_APPEND | O_NOFOLLOW;

export const rejectedPath = (base: string) => `${base}.rejected.csv`;

/** The file of rejected rows. It is created with the first rejected row. */
export class RejectedFile {
  readonly #path: string;
  #bytes: number;
  #pending = '';
  #handle: FileHandle | undefined;

  private constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Keeps `bytes` of an earlier run's file; the rows after them are written again. */
  static async open(path: string, bytes: number): Promise<RejectedFile> {
    if (bytes === 0) await rm(path, { force: true });
    else {
      await using handle = await open(path, own);
      await handle.truncate(bytes);
    }
    return new RejectedFile(path, bytes);
  }

  /** `null` if there is no rejected row. */
  get path(): string | null {
    return this.#bytes === 0 && this.#pending === '' ? null : this.#path;
  }

  add(layout: FileLayout, row: Row, errors: readonly RowError[]): void {
    if (this.path === null) this.#pending = rejectedHeader(layout);
    this.#pending += rejectedLine(layout, row, errors);
  }

  /** Writes the added rows to disk. @returns the length of the file in bytes */
  async save(): Promise<number> {
    if (this.#pending === '') return this.#bytes;
    const text = Buffer.from(this.#pending);
    this.#pending = '';
    const flags = this.#bytes === 0 ? fresh : own;
    this.#bytes += text.length;
    const bytes = this.#bytes;
    this.#handle ??= await open(this.#path, flags, 0o600);
    await this.#handle.writeFile(text);
    await this.#handle.datasync();
    return bytes;
  }

  async close(): Promise<void> {
    await this.save();
    await this.#handle?.close();
    this.#handle = undefined;
  }
}

/** The result of a chunk that was sent. */
export type ChunkOutcome = Omit<Totals, 'read' | 'rejected'> & {
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
  readonly journal: Journal;
  readonly #path: string;
  readonly #early = new Map<number, { chunk: FileChunk; outcome: ChunkOutcome }>();
  #saving = Promise.resolve();
  #savedAt = 0;

  private constructor(path: string, rejected: RejectedFile, journal: Journal) {
    this.#path = path;
    this.rejected = rejected;
    this.journal = journal;
  }

  /** @param started_at ISO 8601, by the clock of the service. */
  static async open(base: string, name: JournalName, started_at: string): Promise<Ledger> {
    const path = `${base}.import.json`;
    const kept = await readJournal(path, name);
    // The journal is valid only together with the file of rejected rows that it counts.
    const rejected = kept && (await RejectedFile.open(rejectedPath(base), kept.rejected_bytes).catch(() => undefined));
    if (rejected) return new Ledger(path, rejected, kept);
    return new Ledger(path, await RejectedFile.open(rejectedPath(base), 0), {
      ...{ ...name, started_at, totals: { ...noTotals }, notices: [] },
      ...{ rejected_bytes: 0, refused: {}, has_unsent_chunk: false },
    });
  }

  async enter(chunk: FileChunk, outcome: ChunkOutcome): Promise<void> {
    this.#early.set(chunk.index, { chunk, outcome });
    for (;;) {
      const index = this.journal.place?.chunk ?? 0;
      const next = this.#early.get(index);
      if (!next) break;
      this.#early.delete(index);
      this.#book(next.chunk, next.outcome);
    }
    if (Date.now() - this.#savedAt > savesEvery) await this.save();
  }

  #book({ index, rows, notices, next }: FileChunk, { refused, ...counts }: ChunkOutcome): void {
    const { journal } = this;
    for (const [at, row] of rows.entries()) this.reject(next.layout, row, refused.get(at) ?? row.errors);
    if (refused.size > 0) journal.refused[index] = [...refused.keys()];
    if (counts.sent === 0) journal.has_unsent_chunk = true;
    journal.totals.read += rows.length;
    journal.notices = joinedNotices(journal.notices, notices);
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) journal.totals[name] += counts[name];
    journal.place = next;
  }

  reject(layout: FileLayout, row: Row, errors: readonly RowError[]): void {
    if (errors.length === 0) return;
    this.journal.totals.rejected += 1;
    this.rejected.add(layout, row, errors);
  }

  /** Saves the rejected rows and the journal. Saves never run in parallel. */
  save(): Promise<void> {
    this.#savedAt = Date.now();
    this.#saving = this.#saving.then(() => this.#write());
    return this.#saving;
  }

  async #write(): Promise<void> {
    if (!this.journal.place) return;
    // Chunks can be entered while the rejected rows are written.
    const state = structuredClone(this.journal);
    await writeJournal(this.#path, { ...state, rejected_bytes: await this.rejected.save() });
  }

  /** Ends the import: removes the journal. */
  async close(): Promise<void> {
    await this.#saving;
    await this.rejected.close();
    await rm(this.#path, { force: true });
  }
}
