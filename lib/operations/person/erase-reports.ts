import { reportKey } from '../../domain/drop.ts';
import { timestamp } from '../../domain/timestamp.ts';
import type { StoredObject } from '../../store/drop-box-files.ts';
import { dropPages, dropUpdate, loadDrop, type StoredDrop } from '../../store/drop-files.ts';
import { derivedFileId } from '../../store/ids.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { FileDependencies } from './erase-files.ts';
import type { Erasure } from './erasure.ts';
import type { Person } from './files.ts';
import { namesAt } from './names.ts';
import { PersonWords } from './person-words.ts';

/** Reports of dropped files and their states in the table can quote cells of the file, for example its first line. */

const erasedText = 'Deleted: this text named a person who was erased.';

/** Reasons, and the elements of lists: warnings and columns. All other strings are keys, ids and times. */
const quoting = /^(?:reason|failure|\d+)$/;

/** The JSON without the texts that name the person; `undefined` if there are none. */
function withoutPerson(json: string, words: PersonWords): unknown {
  let isNamed = false;
  const value = JSON.parse(json, (name, each) => {
    if (typeof each !== 'string' || !quoting.test(name) || !words.isIn(each)) return each;
    isNamed = true;
    return erasedText;
  });
  return isNamed ? value : undefined;
}

const wordsAt = ({ names, facts }: Person, at: string): PersonWords => new PersonWords(namesAt(names, at), facts);

export async function eraseFromReports(
  { files }: Pick<FileDependencies, 'files'>,
  erasure: Erasure,
  person: Person,
): Promise<void> {
  const reports: StoredObject[] = [];
  for await (const object of files.list(`${erasure.teamId}/`)) {
    if (object.key.endsWith(reportKey(''))) reports.push(object);
  }
  const newest = new Map<string, number>();
  for (const { key, at } of reports) newest.set(key, Math.max(at, newest.get(key) ?? 0));
  for (const { key, version, at } of reports) {
    const text = await textOf(files, key, version);
    const report = text && withoutPerson(text, wordsAt(person, timestamp(at)));
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

/** A report has at most a few hundred kilobytes. `undefined` if the version was deleted. */
async function textOf(files: FileDependencies['files'], key: string, version: string): Promise<string | undefined> {
  const bytes = await files.read(key, version);
  if (!bytes) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** A file that names the person has been imported by now, so its state is final. */
export async function eraseFromStates(erasure: Erasure, person: Person): Promise<void> {
  const { dependencies, teamId } = erasure;
  const { database } = dependencies;
  for await (const page of dropPages(database, teamId)) {
    for (const listed of page.filter((each) => rewritten(each, person))) {
      const fileId = derivedFileId(listed.state.key, listed.state.version);
      await untilWritten(dependencies, 'the state of a file is contended', async () => {
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
  return withoutPerson(JSON.stringify(state), wordsAt(person, state.received_at)) as StoredDrop['state'] | undefined;
}
