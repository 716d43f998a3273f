import { open, readFile, rename, rm } from 'node:fs/promises';
import * as z from 'zod';
import type { FileKind } from '../../lib/files/kinds.ts';
import type { FilePosition } from '../../lib/files/position.ts';

const count = z.int().min(0);
const totalsSchema = z.object({
  read: count,
  sent: count,
  rejected: count,
  /** Of contacts, and of accounts that the service had accepted under this batch id before. */
  created: count,
  changed: count,
  unchanged: count,
  repeated: count,
  /** Of those repeated: in chunks that had failed, and that the service tries again. */
  redriven: count.default(0),
});

/** Rows, as far as they have been dealt with. */
export type Totals = z.output<typeof totalsSchema>;

export const noTotals: Totals = {
  ...{ read: 0, sent: 0, rejected: 0, created: 0, changed: 0, unchanged: 0 },
  ...{ repeated: 0, redriven: 0 },
};

const placeSchema = z.object({
  layout: z.object({
    format: z.enum(['csv', 'ndjson']),
    gzip: z.boolean(),
    newline: z.union([z.literal(10), z.literal(13)]),
    delimiter: z.string(),
    header: z.array(z.string()),
  }),
  offset: count,
  line: count,
  chunk: count,
});

const journalSchema = z.object({
  batch_id: z.string(),
  kind: z.enum(['accounts', 'contacts']),
  base_url: z.string(),
  client_id: z.string(),
  /** Fingerprint of the file and its mapping: of another file the place says nothing. */
  content: z.string(),
  /** By the service's clock. */
  started_at: z.string(),
  /** Everything before it has been answered. */
  place: placeSchema,
  totals: totalsSchema,
  /** Length of the file of rejected rows as of this place. */
  rejected_bytes: count,
  /** Rows that the service refused, by chunk: their places among the chunk's rows. */
  refused: z.record(z.string(), z.array(count)),
  /** Whether a chunk had no row to send, so that the service knows fewer chunks than the file has. */
  has_unsent_chunk: z.boolean().default(true),
});

/** How far an import is. Losing it costs time, not rows: whatever is sent again is known by its batch id and place. */
export type Journal = z.output<typeof journalSchema> & { place: FilePosition };

export type JournalName = { batch_id: string; kind: FileKind; base_url: string; client_id: string; content: string };

export const journalPath = (base: string) => `${base}.import.json`;

/** What an earlier run of the same import left behind. */
export async function readJournal(path: string, name: JournalName): Promise<Journal | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const { data } = journalSchema.safeParse(jsonOf(text));
  const isSame = data && Object.entries(name).every(([field, value]) => data[field as keyof JournalName] === value);
  return isSame ? data : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All of it, or what was there before; through no file or link that somebody else put there. */
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
