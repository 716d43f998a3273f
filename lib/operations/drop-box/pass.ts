import { rejectedPartKey } from '../../domain/drop-box/drop.ts';
import { joinedNotices } from '../../domain/drop-box/file-notice.ts';
import { storedOffset } from '../../domain/drop-box/file-position.ts';
import { Problem } from '../../domain/values/problem.ts';
import { FileRefused } from '../../files/bytes.ts';
import { type FileChunk, type OpenedFile, OutOfTime, openFile } from '../../files/file.ts';
import { mappingOf } from '../../files/mapping.ts';
import { rejectedLine } from '../../files/rejected.ts';
import { type ObjectStore, ObjectUnreadable } from '../../store/aws/objects.ts';
import type { DropService } from '../service.ts';
import { NoCapacity } from './capacity.ts';
import type { RejectedRow } from './send.ts';
import type { Drop } from './state.ts';

/** The state is saved after this many chunks, or bytes of rejected rows. The next attempt repeats at most that much. */
const chunksPerSave = 10;
const bytesPerPart = 1_000_000;
const maxWarnings = 50;

/**
 * Reads the chunks of the file while there is time, from the position at which the previous attempt stopped. The rows
 * that `take` rejects are stored.
 * @returns true if the end of the file was reached.
 * @throws FileRefused if the file cannot be read to its end; ObjectDenied; ObjectUnreadable; LeaseLost; errors of `take`
 */
export async function readChunks(
  { objects, onRowFailure }: Pick<DropService, 'objects' | 'onRowFailure'>,
  drop: Drop,
  hasTime: () => boolean,
  take: (chunk: FileChunk) => Promise<readonly RejectedRow[]>,
): Promise<boolean> {
  const { key, version, place, map } = drop.state;
  const bytes = await objects.read(key, version, storedOffset(place));
  if (!bytes) throw new ObjectUnreadable('The file no longer exists: it was deleted or replaced before it was read.');
  try {
    const mapping = mappingOf(drop.kind, map);
    const opened = await openFile(bytes, { kind: drop.kind, name: key, mapping, place, hasTime, onRowFailure });
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
  if (!state.place) {
    state.warnings = opened.warnings.slice(0, maxWarnings);
    state.notices = [];
  }
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
      state.notices = joinedNotices(state.notices, chunk.notices);
      state.place = chunk.next;
      unsaved += 1;
      const isLast = !hasTime();
      if (isLast || unsaved === chunksPerSave || lines.length > bytesPerPart) await save();
      if (isLast) return false;
    }
  } catch (error) {
    if (error instanceof OutOfTime) {
      if (unsaved > 0) await save();
      return false;
    }
    // The chunks before the error are kept.
    if (error instanceof FileRefused || error instanceof NoCapacity || isTooManyChunks(error)) await save();
    throw error;
  }
  await save();
  return true;
}

/** True if the team has reached the limit of open chunks. The file waits until some are applied. */
export const isTooManyChunks = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'too_many_requests';

async function addPart(objects: ObjectStore, drop: Drop, lines: string): Promise<void> {
  await objects.write(rejectedPartKey(drop.fileId, drop.state.parts), lines);
  drop.state.parts += 1;
  drop.state.partBytes += new TextEncoder().encode(lines).length;
}
