import { rejectedPartKey } from '../../domain/drop.ts';
import { Problem } from '../../domain/problem.ts';
import { type FileChunk, type OpenedFile, openFile } from '../../files/file.ts';
import { FileRefused } from '../../files/refused.ts';
import { rejectedLine } from '../../files/rejected.ts';
import type { ObjectStore } from '../../store/objects.ts';
import type { RejectedRow } from './send.ts';
import type { Drop } from './state.ts';

/** Chunks after which the place is kept, and bytes of rejected rows. Whoever goes on repeats no more than that. */
const chunksPerSave = 10;
const bytesPerPart = 1_000_000;

/**
 * Goes through the file, from where an earlier attempt left it, for as long as there is time. What `take` finds wrong
 * with a chunk's rows goes to the rejected rows.
 * @returns whether the end was reached.
 * @throws FileRefused where the file cannot be read, or not to its end. ObjectDenied, LeaseLost, what `take` throws
 */
export async function passThrough(
  objects: ObjectStore,
  drop: Drop,
  hasTime: () => boolean,
  take: (chunk: FileChunk) => Promise<readonly RejectedRow[]>,
): Promise<boolean> {
  const { key, version, place } = drop.state;
  const bytes = await objects.read(key, version, place && !place.layout.gzip ? place.offset : 0);
  if (!bytes) throw new FileRefused('The file is no longer there: it was deleted, or replaced, before it was read.');
  try {
    const opened = await openFile(bytes, { kind: drop.kind, name: key, place });
    return await takeChunks(objects, drop, opened, hasTime, take);
  } finally {
    bytes.destroy();
  }
}

async function takeChunks(
  objects: ObjectStore,
  drop: Drop,
  opened: OpenedFile,
  hasTime: () => boolean,
  take: (chunk: FileChunk) => Promise<readonly RejectedRow[]>,
): Promise<boolean> {
  const { state } = drop;
  state.layout = opened.layout;
  if (!state.place) state.warnings = opened.warnings.slice(0, 50);
  let lines = '';
  let unsaved = 0;
  const save = async () => {
    if (lines !== '') await addPart(objects, drop, lines);
    lines = '';
    unsaved = 0;
    state.stalls = 0;
    await drop.save();
  };
  try {
    for await (const chunk of opened.chunks) {
      for (const { row, errors } of await take(chunk)) lines += rejectedLine(opened.layout, row, errors);
      state.place = chunk.next;
      unsaved += 1;
      const isLast = !hasTime();
      if (isLast || unsaved === chunksPerSave || lines.length > bytesPerPart) await save();
      if (isLast) return false;
    }
  } catch (error) {
    // What was read until there counts.
    if (error instanceof FileRefused || isNoRoom(error)) await save();
    throw error;
  }
  await save();
  return true;
}

/** The team has as many open chunks as it may have: the file waits until some are applied. */
export const isNoRoom = (error: unknown): boolean => error instanceof Problem && error.code === 'too_many_requests';

async function addPart(objects: ObjectStore, drop: Drop, lines: string): Promise<void> {
  await objects.write(rejectedPartKey(drop.fileId, drop.state.parts), lines);
  drop.state.parts += 1;
  drop.state.partBytes += new TextEncoder().encode(lines).length;
}
