import { isDropped, remainingKey } from '../../domain/drop.ts';
import { Problem } from '../../domain/problem.ts';
import { fixedDays } from '../../domain/retention.ts';
import type { DropBoxFiles, StoredObject } from '../../store/drop-box-files.ts';
import { loadDrop } from '../../store/drop-files.ts';
import { derivedFileId } from '../../store/ids.ts';
import type { Erasure } from './erasure.ts';
import { containsText, type FileHit, findInFile, objectsOf, remainingText } from './files.ts';

export type FileDependencies = {
  files: DropBoxFiles;
  wait(milliseconds: number): Promise<void>;
  onProgress(text: string): void;
};

/** Number of times, one second apart, that the state of a file is read until it is imported: 15 minutes. */
const maxLooks = 900;
/** Milliseconds. */
const day = 24 * 3600 * 1000;

/**
 * Deletes the person's rows from the team's files. A dropped file is replaced by a copy under another key, because a copy
 * under the same key would be imported again.
 */
export async function eraseFromFiles(dependencies: FileDependencies, erasure: Erasure): Promise<void> {
  const { files, onProgress } = dependencies;
  // The service writes objects about a file until the file has been imported, so these are searched afterwards.
  for (const isOfClient of [true, false]) {
    const objects = (await objectsOf(files, erasure.teamId)).filter(({ key }) => isDropped(key) === isOfClient);
    for (const object of objects) {
      if (isOfClient && object.at > Date.parse(erasure.state.begun_at)) continue;
      onProgress(`reading ${object.key}`);
      const hit = await findInFile(files, object, erasure.state.names);
      if (!hit) continue;
      if (isOfClient) await untilImported(dependencies, erasure, object);
      await eraseFrom(files, hit);
      await erasure.commit([], {}, { files: 1, file_rows: hit.lines.length });
    }
  }
  await eraseParts(files, erasure);
}

async function eraseFrom(files: DropBoxFiles, hit: FileHit): Promise<void> {
  const { key, version } = hit.object;
  const target = isDropped(key) ? remainingKey(key) : key;
  if (!hit.isUnreadable) await files.write(target, remainingText(files, hit));
  await files.remove(key, version);
}

/** A file that is not imported yet would create the person again, and cannot be imported after it is replaced. */
async function untilImported(
  { wait, onProgress }: FileDependencies,
  { dependencies: { database, now }, teamId }: Erasure,
  { key, version, at }: StoredObject,
): Promise<void> {
  for (let look = 0; look < maxLooks; look++) {
    const drop = await loadDrop(database, teamId, derivedFileId(key, version));
    // Files can be kept longer than their states.
    const isOld = !drop && at < now() - fixedDays.dropStates * day;
    if (isOld || drop?.state.phase === 'done') return;
    if (look === 0) onProgress(`waiting until ${key} has been imported`);
    await wait(1000);
  }
  throw new Problem('conflict', [
    {
      path: '',
      message: `${key} names the contact and is not imported yet. Run the command again when its report is written.`,
    },
  ]);
}

const partOfFile = /^work\/([^/]+)\//;

/** Deletes parts with rejected rows of files whose report is written: the service does not read them again. */
async function eraseParts(files: DropBoxFiles, erasure: Erasure): Promise<void> {
  const { database } = erasure.dependencies;
  const named = new Set(erasure.state.names.map(({ unique_id }) => unique_id));
  for await (const object of files.list('work/')) {
    const [, fileId] = partOfFile.exec(object.key) ?? [];
    const drop = fileId === undefined ? undefined : await loadDrop(database, erasure.teamId, fileId);
    if (drop?.state.phase !== 'done' || !(await containsText(files, object, named))) continue;
    await files.remove(object.key, object.version);
    await erasure.commit([], {}, { files: 1 });
  }
}
