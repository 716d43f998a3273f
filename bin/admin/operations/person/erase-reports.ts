import { reportKey } from '../../../../lib/domain/drop.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../../lib/domain/json.ts';
import { timestamp } from '../../../../lib/domain/timestamp.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import { dropPages, dropUpdate, loadDrop, type StoredDrop } from '../../../../lib/store/drop-files.ts';
import { derivedFileId } from '../../../../lib/store/ids.ts';
import type { DropBoxFiles, StoredObject } from '../../store/drop-box-files.ts';
import type { Erasure } from './erasure.ts';
import type { Person } from './files.ts';
import { namesAt } from './names.ts';
import { PersonWords } from './words.ts';

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

export async function eraseFromReports(
  { files }: { files: DropBoxFiles },
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
export async function eraseFromStates(erasure: Erasure, person: Person): Promise<void> {
  const { dependencies, teamId } = erasure;
  const { database } = dependencies;
  for await (const page of dropPages(database, teamId)) {
    for (const listed of page.filter((each) => rewritten(each, person))) {
      const fileId = derivedFileId(listed.state.key, listed.state.version);
      await untilWritten(dependencies, 'too many conflicts on the state of a file', async () => {
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
