import { isDropped, parseDropKey, remainingKey } from '../../../../lib/domain/drop.ts';
import { Problem } from '../../../../lib/domain/problem.ts';
import { fixedDays } from '../../../../lib/domain/retention.ts';
import { loadDrop } from '../../../../lib/store/drop-files.ts';
import { listExpectedFiles } from '../../../../lib/store/expected-files.ts';
import { derivedFileId } from '../../../../lib/store/ids.ts';
import type { DropBoxFiles, StoredObject } from '../../store/drop-box-files.ts';
import { eraseFromReports, eraseFromStates } from './erase-reports.ts';
import type { Erasure } from './erasure.ts';
import { type FileHit, findInFile, objectsOf, remainingText, searchText } from './files.ts';
import { type PersonFacts, PersonWords } from './words.ts';

export type FileDependencies = {
  files: DropBoxFiles;
  wait(milliseconds: number): Promise<void>;
  onProgress(text: string): void;
};

/** Number of times, one second apart, that the state of a file is read until it is imported: 15 minutes. */
const maxLooks = 900;
/** Milliseconds. */
const day = 24 * 3600 * 1000;
/** Names of files in the state of an erasure, which one item of the table holds. */
const maxNamedFiles = 100;

/**
 * Deletes the person from the team's files, their reports and their states. A dropped file is replaced by a copy under
 * another key, because a copy under the same key would be imported again.
 */
export async function eraseFromFiles(dependencies: FileDependencies, erasure: Erasure): Promise<void> {
  const { files, onProgress } = dependencies;
  const expected = await listExpectedFiles(erasure.dependencies.database, erasure.teamId);
  const person = { names: erasure.state.names, facts: await erasure.contact(), expected };
  // The service writes objects about a file until the file has been imported, so these are searched afterwards.
  for (const isOfClient of [true, false]) {
    const objects = (await objectsOf(files, erasure.teamId)).filter(({ key }) => isDropped(key) === isOfClient);
    for (const object of objects) {
      if (isOfClient && object.at > Date.parse(erasure.state.begun_at)) continue;
      onProgress(`reading ${object.key}`);
      const hit = await findInFile(files, object, person);
      if (hit?.holds === 'unknown') await noteUnknown(dependencies, erasure, object);
      else if (hit) await eraseHit(dependencies, erasure, hit);
    }
  }
  await eraseFromReports(dependencies, erasure, person);
  await eraseFromStates(erasure, person);
  await eraseParts(files, erasure, person.facts);
}

async function noteUnknown({ onProgress }: FileDependencies, erasure: Erasure, { key }: StoredObject): Promise<void> {
  onProgress(`${key} is not text, so it cannot be searched and is kept`);
  const { files_unknown } = erasure.state;
  if (files_unknown.includes(key) || files_unknown.length >= maxNamedFiles) return;
  await erasure.commit([], { files_unknown: [...files_unknown, key] }, {});
}

async function eraseHit(dependencies: FileDependencies, erasure: Erasure, hit: FileHit): Promise<void> {
  const { files, onProgress } = dependencies;
  const { key, version } = hit.object;
  if (isDropped(key)) await untilImported(dependencies, erasure, hit.object);
  if (hit.holds === 'rows') await files.write(isDropped(key) ? remainingKey(key) : key, remainingText(files, hit));
  else onProgress(`${key} cannot be read as rows and names the contact, so it is deleted`);
  await files.remove(key, version);
  const { files_deleted } = erasure.state;
  const isNamed = hit.holds === 'text' && files_deleted.length < maxNamedFiles;
  const change = isNamed ? { files_deleted: [...files_deleted, key] } : {};
  await erasure.commit([], change, { files: 1, file_rows: hit.lines.length });
}

/** A file that is not imported yet would create the person again, and cannot be imported after it is replaced. */
async function untilImported(
  { wait, onProgress }: FileDependencies,
  { dependencies: { database, now }, teamId }: Erasure,
  { key, version, at }: StoredObject,
): Promise<void> {
  // A file in another folder is never imported and has no state.
  if ('error' in parseDropKey(key)) return;
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
async function eraseParts(files: DropBoxFiles, erasure: Erasure, facts: PersonFacts | undefined): Promise<void> {
  const { database } = erasure.dependencies;
  const words = new PersonWords(new Set(erasure.state.names.map(({ unique_id }) => unique_id)), facts);
  for await (const object of files.list('work/')) {
    const [, fileId] = partOfFile.exec(object.key) ?? [];
    const drop = fileId === undefined ? undefined : await loadDrop(database, erasure.teamId, fileId);
    if (drop?.state.phase !== 'done' || !(await searchText(files, object, words))) continue;
    await files.remove(object.key, object.version);
    await erasure.commit([], {}, { files: 1 });
  }
}
