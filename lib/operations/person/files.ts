import { type DropKind, isDropped, parseDropKey } from '../../domain/drop.ts';
import { isBlank } from '../../domain/fields.ts';
import { isJsonObject } from '../../domain/json.ts';
import { timestamp } from '../../domain/timestamp.ts';
import { csvHeader } from '../../files/csv-header.ts';
import { openFile } from '../../files/file.ts';
import type { FileLayout } from '../../files/position.ts';
import { FileRefused } from '../../files/refused.ts';
import type { Row } from '../../files/rows.ts';
import type { DropBoxFiles, StoredObject } from '../../store/drop-box-files.ts';
import type { PersonName } from '../../store/erasures.ts';
import { namesAt } from './names.ts';

/** The first lines of the rows of a file that name the person. `isUnreadable`: the file names the person but cannot be read as rows. */
export type FileHit = { object: StoredObject; kind: DropKind; lines: number[]; isUnreadable: boolean };

/** The kind of a dropped file, or of an object with rows that the service wrote for it. */
function kindOfObject(key: string): DropKind | undefined {
  const owner = parseDropKey(key);
  return 'error' in owner || key.endsWith('/') || key.endsWith('.report.json') ? undefined : owner.kind;
}

/** The rows that name the person; `undefined` if there are none, or if the object was deleted. */
export async function findInFile(
  files: DropBoxFiles,
  object: StoredObject,
  names: readonly PersonName[],
): Promise<FileHit | undefined> {
  const kind = kindOfObject(object.key);
  if (!kind) return undefined;
  const named = namesAt(names, timestamp(object.at));
  const lines: number[] = [];
  try {
    for await (const { row, layout } of rowsOf(files, object, kind)) {
      if (namesPerson(row, layout, kind, named)) lines.push(row.line);
    }
    return lines.length > 0 ? { object, kind, lines, isUnreadable: false } : undefined;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const isNamed = lines.length > 0 || (await containsText(files, object, named));
    return isNamed ? { object, kind, lines, isUnreadable: true } : undefined;
  }
}

/** The text of the file without these rows: the header, then all other rows unchanged. */
export async function* remainingText(files: DropBoxFiles, { object, kind, lines }: FileHit): AsyncGenerator<string> {
  const erased = new Set(lines);
  let isFirst = true;
  for await (const { row, layout } of rowsOf(files, object, kind)) {
    if (isFirst) yield csvHeader(layout);
    isFirst = false;
    if (!erased.has(row.line)) yield `${row.text}\n`;
  }
}

async function* rowsOf(
  files: DropBoxFiles,
  { key, version }: StoredObject,
  kind: DropKind,
): AsyncGenerator<{ row: Row; layout: FileLayout }> {
  const bytes = await files.read(key, version);
  if (!bytes) return;
  try {
    const { layout, chunks } = await openFile(bytes, { kind, name: key.replace(/\.remaining$/, '') });
    for await (const { rows } of chunks) for (const row of rows) yield { row, layout };
  } finally {
    bytes.destroy();
  }
}

/** True if the bytes contain one of the values anywhere. */
export async function containsText(
  files: DropBoxFiles,
  { key, version }: StoredObject,
  named: ReadonlySet<string>,
): Promise<boolean> {
  const bytes = await files.read(key, version);
  if (!bytes) return false;
  const encoder = new TextEncoder();
  const wanted = [...named].map((name) => String.fromCharCode(...encoder.encode(name)));
  const overlap = Math.max(...wanted.map(({ length }) => length), 0);
  let tail = '';
  try {
    for await (const part of bytes) {
      // Each byte becomes one character, so that a value across two parts is found.
      const text = tail + Array.from(part, (byte) => String.fromCharCode(byte)).join('');
      if (wanted.some((name) => text.includes(name))) return true;
      tail = text.slice(-overlap);
    }
    return false;
  } finally {
    bytes.destroy();
  }
}

function namesPerson(row: Row, layout: FileLayout, kind: DropKind, named: ReadonlySet<string>): boolean {
  const name = nameIn(row, kind) ?? cellName(row, layout, kind);
  if (name !== undefined) return named.has(name);
  // A row that cannot be read may name the person in any cell.
  return row.errors.length > 0 && [...named].some((each) => asWord(each).test(row.text));
}

function nameIn({ record }: Row, kind: DropKind): string | undefined {
  const { contact } = record;
  const values =
    kind === 'contacts'
      ? [record.unique_id, record.email]
      : [record['contact.unique_id'], isJsonObject(contact) ? contact.unique_id : undefined];
  return values.find((value): value is string => typeof value === 'string' && !isBlank(value));
}

function cellName({ cells }: Row, { header }: FileLayout, kind: DropKind): string | undefined {
  const columns = kind === 'contacts' ? ['unique_id', 'email'] : ['contact.unique_id'];
  const places = columns.map((column) => header.findIndex((name) => name.trim() === column));
  return places.map((place) => cells?.[place]).find((cell) => !isBlank(cell));
}

const asWord = (value: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u');

/** All objects of the team that may name the person, dropped files first. */
export async function objectsOf(files: DropBoxFiles, teamId: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const object of files.list(`${teamId}/`)) if (kindOfObject(object.key)) objects.push(object);
  return objects.sort((a, b) => Number(isDropped(b.key)) - Number(isDropped(a.key)) || a.at - b.at);
}
