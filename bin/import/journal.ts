import { open, readFile, rename, rm } from 'node:fs/promises';
import * as z from 'zod';
import { filePosition } from '../../lib/domain/file-position.ts';
import { jsonOf } from '../local/description.ts';

const count = z.int().min(0);
const totalsSchema = z.object({
  read: count,
  sent: count,
  rejected: count,
  /** Set for contacts only. `repeated` and `redriven` are set for accounts only. */
  created: count,
  changed: count,
  unchanged: count,
  repeated: count,
  /** Repeated rows in chunks that had failed and that the service tries again. */
  redriven: count.default(0),
});

/** Numbers of rows that were processed so far. */
export type Totals = z.output<typeof totalsSchema>;

export const noTotals: Totals = {
  ...{ read: 0, sent: 0, rejected: 0, created: 0, changed: 0, unchanged: 0 },
  ...{ repeated: 0, redriven: 0 },
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
  /** Length of the file of rejected rows at this position. */
  rejected_bytes: count,
  /** Rows that the service rejected: their positions in the chunk, by chunk index. */
  refused: z.record(z.string(), z.array(count)),
  /** True if a chunk had no valid row: then the service has fewer chunks than the file. */
  has_unsent_chunk: z.boolean().default(true),
});

/** The progress of an import. If it is lost, chunks are sent again, and the service recognizes them by their pair. */
export type Journal = z.output<typeof journalSchema>;

export type JournalName = Pick<Journal, 'batch_id' | 'kind' | 'base_url' | 'client_id' | 'content'>;

export const newJournal = (name: JournalName, started_at: string): Journal => ({
  ...{ ...name, started_at, totals: { ...noTotals } },
  ...{ rejected_bytes: 0, refused: {}, has_unsent_chunk: false },
});

export const journalPath = (base: string) => `${base}.import.json`;

/** The journal of an earlier run of the same import. */
export async function readJournal(path: string, name: JournalName): Promise<Journal | undefined> {
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

export const removeJournal = (path: string): Promise<void> => rm(path, { force: true });
