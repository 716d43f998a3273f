import { type DropKind, isDropped, parseDropKey, reportKey } from '../../domain/drop-box/drop.ts';
import { type ExpectedFile, expectationOf } from '../../domain/drop-box/expected-file.ts';
import type { FileLayout } from '../../domain/drop-box/file-position.ts';
import { isBlank } from '../../domain/values/fields.ts';
import { isJsonObject } from '../../domain/values/json.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { FileRefused } from '../../files/bytes.ts';
import { fieldOfColumn, type Mapping } from '../../files/columns.ts';
import { dataLine } from '../../files/csv.ts';
import { decodedText, NotText } from '../../files/decoded-text.ts';
import { openFile } from '../../files/file.ts';
import { mappingOf } from '../../files/mapping.ts';
import type { Row } from '../../files/rows.ts';
import type { DropBoxFiles, StoredObject } from '../../store/drop-box/drop-box-files.ts';
import type { PersonName } from '../../store/erasure/erasures.ts';
import { namesAt } from './names.ts';
import { type PersonFacts, PersonWords } from './words.ts';

/**
 * The values that have named a person, and the contact's facts as far as they are known. `expected`: the team's expected
 * files, which say what the columns of its files are.
 */
export type Person = {
  names: readonly PersonName[];
  facts: PersonFacts | undefined;
  expected: readonly ExpectedFile[];
};

/**
 * What a file holds of a person: rows, with their first lines; text, if the file cannot be read as rows; or nobody can
 * tell, because it is not text either.
 */
export type FileHit = {
  object: StoredObject;
  mapping: Mapping | undefined;
  lines: number[];
  holds: 'rows' | 'text' | 'unknown';
};

function mappingAt(expected: readonly ExpectedFile[], kind: DropKind, at: number): Mapping | undefined {
  const files = expected.filter(({ type }) => type === kind);
  const mapping = mappingOf(kind, expectationOf(files, timestamp(at))?.expected.map);
  // What remains of a file after an erasure has fewer rows than its last line says.
  return mapping && { ...mapping, trailer: undefined };
}

/** The kind of a dropped file, or of an object with rows that the service wrote for it. */
function kindOfObject(key: string): DropKind | undefined {
  const owner = parseDropKey(key);
  return 'error' in owner ? undefined : owner.kind;
}

/** `undefined` if the file does not name the person, or if it was deleted. */
export async function findInFile(
  files: DropBoxFiles,
  object: StoredObject,
  person: Person,
): Promise<FileHit | undefined> {
  const kind = kindOfObject(object.key);
  const named = namesAt(person.names, timestamp(object.at));
  const words = new PersonWords(named, person.facts);
  const lines: number[] = [];
  let mapping: Mapping | undefined;
  try {
    if (!kind) throw new FileRefused('a folder without a type');
    mapping = mappingAt(person.expected, kind, object.at);
    for await (const { row, layout } of rowsOf(files, object, kind, mapping)) {
      if (namesPerson(row, headerOf(layout, kind, mapping), kind, named, words)) lines.push(row.line);
    }
    return lines.length > 0 ? { object, mapping, lines, holds: 'rows' } : undefined;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const holds = lines.length > 0 ? 'text' : await searchText(files, object, words);
    return holds && { object, mapping, lines, holds };
  }
}

/** The text of the file without these rows: the header, then all other rows unchanged. */
export async function* remainingText(files: DropBoxFiles, { object, mapping, lines }: FileHit): AsyncGenerator<string> {
  const erased = new Set(lines);
  const kind = kindOfObject(object.key)!;
  let isFirst = true;
  for await (const { row, layout } of rowsOf(files, object, kind, mapping)) {
    if (isFirst) yield csvHeader(layout);
    isFirst = false;
    if (!erased.has(row.line)) yield `${row.text}\n`;
  }
}

async function* rowsOf(
  files: DropBoxFiles,
  { key, version }: StoredObject,
  kind: DropKind,
  mapping: Mapping | undefined,
): AsyncGenerator<{ row: Row; layout: FileLayout }> {
  const bytes = await files.read(key, version);
  if (!bytes) return;
  try {
    const { layout, chunks } = await openFile(bytes, { kind, mapping, name: key.replace(/\.remaining$/, '') });
    for await (const { rows } of chunks) for (const row of rows) yield { row, layout };
  } finally {
    bytes.destroy();
  }
}

/** `text` if the words are anywhere in the object, `unknown` if they may be in a part that cannot be decoded. */
export async function searchText(
  files: DropBoxFiles,
  { key, version }: StoredObject,
  words: PersonWords,
): Promise<'text' | 'unknown' | undefined> {
  const bytes = await files.read(key, version);
  if (!bytes) return undefined;
  try {
    return (await words.isInParts(decodedText(bytes))) ? 'text' : undefined;
  } catch (error) {
    if (error instanceof NotText) return 'unknown';
    throw error;
  } finally {
    bytes.destroy();
  }
}

/** The columns by the names of their fields. */
const headerOf = ({ header }: FileLayout, kind: DropKind, mapping: Mapping | undefined): string[] =>
  header.map((name) => fieldOfColumn(name.trim(), kind, mapping) ?? '');

function namesPerson(
  row: Row,
  header: readonly string[],
  kind: DropKind,
  named: ReadonlySet<string>,
  words: PersonWords,
): boolean {
  const name = nameIn(row, kind) ?? cellName(row, header, kind);
  if (name !== undefined) return named.has(name);
  // A row that cannot be read may name the person in any cell.
  return row.errors.length > 0 && words.isIn(row.text);
}

function nameIn({ record }: Row, kind: DropKind): string | undefined {
  const { contact } = record;
  const values =
    kind === 'contacts'
      ? [record.unique_id, record.email]
      : [record['contact.unique_id'], isJsonObject(contact) ? contact.unique_id : undefined];
  return values.find((value): value is string => typeof value === 'string' && !isBlank(value));
}

function cellName({ cells }: Row, header: readonly string[], kind: DropKind): string | undefined {
  const columns = kind === 'contacts' ? ['unique_id', 'email'] : ['contact.unique_id'];
  const places = columns.map((column) => header.indexOf(column));
  return places.map((place) => cells?.[place]).find((cell) => !isBlank(cell));
}

/** Sorts as `objectsOf` does. */
export const positionOf = ({ key, at }: StoredObject): string =>
  `${isDropped(key) ? 0 : 1}#${String(Math.floor(at)).padStart(15, '0')}`;

/** All objects of the team that may name the person except reports, dropped files first. */
export async function objectsOf(files: DropBoxFiles, teamId: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const object of files.list(`${teamId}/`)) {
    if (!object.key.endsWith('/') && !object.key.endsWith(reportKey(''))) objects.push(object);
  }
  return objects.sort((a, b) => positionOf(a).localeCompare(positionOf(b)));
}

/** What a file with this layout begins with, in UTF-8: a mark if another encoding is expected, and the header line. */
export const csvHeader = ({ format, header, delimiter, encoding }: FileLayout): string =>
  (encoding === undefined ? '' : '\ufeff') + (format === 'csv' ? dataLine(header, delimiter) : '');
