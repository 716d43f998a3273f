import { isDropped, parseDropKey, remainingKey, reportKey } from '../../domain/drop-box/drop.ts';
import { fixedDays } from '../../domain/teams/retention.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../domain/values/json.ts';
import { Problem } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { DropBoxFiles, StoredObject } from '../../store/drop-box/drop-box-files.ts';
import { dropPages, dropUpdate, loadDrop, type StoredDrop } from '../../store/drop-box/drop-files.ts';
import { listExpectedFiles } from '../../store/drop-box/expected-files.ts';
import { derivedFileId } from '../../store/table/ids.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { EraseService } from '../service.ts';
import type { Erasure } from './erasure.ts';
import { type FileHit, findInFile, objectsOf, type Person, positionOf, remainingText, searchText } from './files.ts';
import { namesAt } from './names.ts';
import { type PersonFacts, PersonWords } from './words.ts';

/** Number of times, one second apart, that the state of a file is read until it is imported: 15 minutes. */
const maxLooks = 900;
/** Milliseconds between two notes of how far the search is, so that an interrupted one continues there. */
const saveAfter = 10_000;
/** Milliseconds. */
const day = 24 * 3600 * 1000;
/** Names of files in the state of an erasure, which one item of the table holds. */
export const maxNamedFiles = 100;

/**
 * Deletes the person from the team's files, their reports and their states. A dropped file is replaced by a copy under
 * another key, because a copy under the same key would be imported again.
 */
export async function eraseFromFiles(service: EraseService, erasure: Erasure): Promise<void> {
  const { files, onProgress } = service;
  const { now } = erasure.service;
  const expected = await listExpectedFiles(erasure.service.database, erasure.teamId);
  const person = { names: erasure.state.names, facts: await erasure.contact(), expected };
  let savedAt = now();
  // The service writes objects about a file until the file has been imported, so these are searched afterwards.
  for (const isOfClient of [true, false]) {
    const objects = (await objectsOf(files, erasure.teamId)).filter(({ key }) => isDropped(key) === isOfClient);
    for (const object of objects) {
      if (isOfClient && object.at > Date.parse(erasure.state.begun_at)) continue;
      const { searched = '' } = erasure.state;
      if (positionOf(object) < searched) continue;
      if (now() - savedAt > saveAfter) {
        await erasure.commit([], { searched: positionOf(object) }, {});
        savedAt = now();
      }
      onProgress(`reading ${object.key}`);
      const hit = await findInFile(files, object, person);
      if (hit?.holds === 'unknown') await noteUnknown(service, erasure, object);
      else if (hit) await eraseHit(service, erasure, hit);
    }
  }
  await eraseFromReports(service, erasure, person);
  await eraseFromStates(erasure, person);
  await eraseParts(files, erasure, person.facts);
}

async function noteUnknown({ onProgress }: EraseService, erasure: Erasure, { key }: StoredObject): Promise<void> {
  onProgress(`${key} is not text, so it cannot be searched and is kept`);
  const { files_unknown } = erasure.state;
  if (files_unknown.includes(key) || files_unknown.length >= maxNamedFiles) return;
  await erasure.commit([], { files_unknown: [...files_unknown, key] }, {});
}

async function eraseHit(service: EraseService, erasure: Erasure, hit: FileHit): Promise<void> {
  const { files, onProgress } = service;
  const { key, version } = hit.object;
  if (isDropped(key)) await untilImported(service, erasure, hit.object);
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
  { wait, onProgress }: EraseService,
  { service: { database, now }, teamId }: Erasure,
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
  const { database } = erasure.service;
  const words = new PersonWords(new Set(erasure.state.names.map(({ unique_id }) => unique_id)), facts);
  for await (const object of files.list('work/')) {
    const [, fileId] = partOfFile.exec(object.key) ?? [];
    const drop = fileId === undefined ? undefined : await loadDrop(database, erasure.teamId, fileId);
    if (drop?.state.phase !== 'done' || !(await searchText(files, object, words))) continue;
    await files.remove(object.key, object.version);
    await erasure.commit([], {}, { files: 1 });
  }
}

/** Reports of dropped files and their states in the table can quote cells of the file, for example its first line. */

const erasedText = 'Deleted: this text named a person who was erased.';

/** Reasons, and the elements of lists: warnings and columns. All other strings are keys, ids and times. */
const quoting = /^(?:reason|failure|\d+)$/;

/** The value without the texts that name the person; `undefined` if there are none. */
function withoutPerson<Value extends object>(value: Value, words: PersonWords): Value | undefined {
  let isNamed = false;
  const rest = (each: unknown, name: string): unknown => {
    if (typeof each === 'string' && quoting.test(name) && words.isIn(each)) {
      isNamed = true;
      return erasedText;
    }
    if (Array.isArray(each)) return each.map((element, index) => rest(element, String(index)));
    if (!isJsonObject(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([key, field]) => [key, rest(field, key)]));
  };
  const without = rest(value, '') as Value;
  return isNamed ? without : undefined;
}

const wordsAt = ({ names, facts }: Person, at: string): PersonWords => new PersonWords(namesAt(names, at), facts);

async function eraseFromReports({ files }: { files: DropBoxFiles }, erasure: Erasure, person: Person): Promise<void> {
  const reports: StoredObject[] = [];
  for await (const object of files.list(`${erasure.teamId}/`)) {
    if (object.key.endsWith(reportKey(''))) reports.push(object);
  }
  const newest = new Map<string, number>();
  for (const { key, at } of reports) newest.set(key, Math.max(at, newest.get(key) ?? 0));
  for (const { key, version, at } of reports) {
    const stored = await reportIn(files, key, version);
    const report = stored && withoutPerson(stored, wordsAt(person, timestamp(at)));
    if (!report) continue;
    // A copy of an earlier version would become the newest one.
    if (at === newest.get(key)) await files.write(key, once(`${JSON.stringify(report, undefined, 2)}\n`));
    await files.remove(key, version);
    await erasure.commit([], {}, { reports: 1 });
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/**
 * A report has at most a few hundred kilobytes. What is no report is a list of its text. `undefined` if the version was
 * deleted.
 */
async function reportIn(files: DropBoxFiles, key: string, version: string): Promise<object | undefined> {
  const bytes = await files.read(key, version);
  if (!bytes) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  const text = Buffer.concat(parts).toString();
  return reportOf(text) ?? [text];
}

/** `undefined` if it is no report: anyone who drops files can drop one under such a name, which is never imported. */
function reportOf(text: string): JsonObject | undefined {
  try {
    const report = parseJson(text);
    return isJsonObject(report) && 'status' in report ? report : undefined;
  } catch {
    return undefined;
  }
}

/** A file that names the person has been imported by now, so its state is final. */
async function eraseFromStates(erasure: Erasure, person: Person): Promise<void> {
  const { service, teamId } = erasure;
  const { database } = service;
  for await (const page of dropPages(database, teamId)) {
    for (const listed of page.filter((each) => rewritten(each, person))) {
      const fileId = derivedFileId(listed.state.key, listed.state.version);
      await untilWritten(service, 'too many conflicts on the state of a file', async () => {
        const drop = await loadDrop(database, teamId, fileId);
        const state = drop && rewritten(drop, person);
        if (!drop || !state) return undefined;
        const writes = [dropUpdate(teamId, fileId, { ...drop, state })];
        return (await erasure.commit(writes, {}, { file_states: 1 })) ? undefined : lostRace;
      });
    }
  }
}

function rewritten({ state }: StoredDrop, person: Person): StoredDrop['state'] | undefined {
  if (state.phase !== 'done') return undefined;
  return withoutPerson(state, wordsAt(person, state.received_at));
}
