import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import type { FileLayout, FilePosition } from '../domain/drop-box/file-position.ts';
import { isJsonObject } from '../domain/values/json.ts';
import { FileRefused } from './bytes.ts';
import { jsonOr } from './columns.ts';
import { decoded } from './encoding.ts';
import { type FileKind, typeOf } from './kinds.ts';
import { RecordReader } from './records.ts';
import { isSeveralObjects } from './rows.ts';

/** Bytes to read before the header is parsed. */
export const headBytes = 256 * 1024;
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= 0x20);

const bytesOfHex = (hex: string) => Buffer.from(hex, 'hex');
const notText = 'Save it as CSV UTF-8.';
const archive = ['an archive', 'Unpack it, or compress it with gzip.'] as const;
/** The first bytes of what is sent by mistake, with its name and the remedy. */
const containers: readonly (readonly [start: Buffer, name: string, remedy: string])[] = [
  ...['03', '05', '07'].map((byte): [Buffer, string, string] => [
    bytesOfHex(`504b${byte}`),
    'a zip archive or an Excel workbook',
    'Unpack it, or save the sheet as CSV UTF-8.',
  ]),
  [bytesOfHex('d0cf11e0'), 'an Excel workbook', 'Save the sheet as CSV UTF-8.'],
  [Buffer.from('-----BEGIN PGP'), 'PGP data', 'Decrypt it first.'],
  ...['425a68', 'fd377a585a', '377abcaf', '28b52ffd', '52617221'].map((start): [Buffer, string, string] => [
    bytesOfHex(start),
    ...archive,
  ]),
  [Buffer.from('%PDF-'), 'a PDF document', notText],
  [bytesOfHex('1f8b'), 'gzip data in gzip data', 'Compress it once.'],
];

const tarMark = Buffer.from('ustar');
const tar = [tarMark, ...archive] as const;

/** Packets with which encrypted, signed or compressed data begin (RFC 9580, section 5). */
const pgpTags: ReadonlySet<number> = new Set([1, 3, 4, 8, 9, 18, 20]);

/** @param head bytes of the file before its text is decoded. @throws FileRefused */
export function refuseContainer(head: Buffer): void {
  const isTar = head.subarray(257, 262).equals(tarMark);
  const found = isTar ? tar : containers.find(([start]) => head.subarray(0, start.length).equals(start));
  if (found) throw new FileRefused(`The file is ${found[1]}. ${found[2]}`);
  const first = head[0] ?? 0;
  const tag = first & 0x40 ? first & 0x3f : (first >> 2) & 0x0f;
  const isPgp = first >= 0x80 && pgpTags.has(tag) && head.subarray(0, 64).some((byte) => byte < 9) && !isUtf8(head);
  const isUtf16 = first >= 0xfe && head[1]! >= 0xfe;
  if (isPgp && !isUtf16) throw new FileRefused('The file is PGP data. Decrypt it first.');
}

/** How a file begins, besides its text. */
type Beginning = {
  kind: FileKind;
  name: string;
  delimiter: string | undefined;
  /** Why the text ends after the head. */
  failure: FileRefused | undefined;
};

/**
 * The position of the first row and the layout of the file.
 * @param mark length of the byte order mark
 * @throws FileRefused
 */
export function startOf(
  head: Buffer,
  mark: number,
  encoded: Pick<FileLayout, 'gzip' | 'encoding'>,
  { kind, name, delimiter: given, failure }: Beginning,
): FilePosition {
  const text = head.subarray(mark);
  if (isBlank(text)) throw failure ?? new FileRefused('The file is empty.');
  if (text[0] === 0 || text[1] === 0) throw new FileRefused(utf16);
  const format = formatOf(text, name, kind);
  const first = firstLine(text, format);
  const delimiter = given ?? delimiterOf(first.text);
  const layout: FileLayout = { format, ...encoded, newline: first.newline, delimiter, header: [] };
  const start = { layout, offset: mark, line: 1, chunk: 0, rows: 0 };
  return format === 'ndjson' ? start : afterHeader(text, start, failure);
}

const utf16 =
  'The file is UTF-16 without a byte order mark, or not a text file. Save it as UTF-8, or name its encoding, as --encoding utf-16le.';

const [quote, lineFeed, carriageReturn, space] = [0x22, 0x0a, 0x0d, 0x20];

/**
 * The first line that is not blank, and the byte that ends lines, which its end decides. In a header, line ends in quotes
 * are data.
 */
function firstLine(
  text: Buffer,
  format: FileLayout['format'],
  hasQuotes = format === 'csv',
): { text: string; newline: FileLayout['newline'] } {
  let start = 0;
  while (text[start]! <= space && start < text.length) start++;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote && hasQuotes) isQuoted = !isQuoted;
    if (isQuoted || (byte !== lineFeed && byte !== carriageReturn)) continue;
    let end = at;
    while (text[end] === carriageReturn) end++;
    return { text: decoded(text.subarray(start, at)).text, newline: text[end] === lineFeed ? 10 : 13 };
  }
  if (isQuoted) return firstLine(text, format, false);
  return { text: decoded(text.subarray(start)).text, newline: 10 };
}

const endings: Record<string, FileLayout['format']> = { csv: 'csv', tsv: 'csv', ndjson: 'ndjson', jsonl: 'ndjson' };

/** The format by the file extension, or else by the first character. */
function formatOf(head: Buffer, name: string, kind: FileKind): FileLayout['format'] {
  const ending = basename(name.toLowerCase(), '.gz').split('.').at(-1) ?? '';
  const first = head.subarray(0, 1000).toString('latin1').trimStart()[0];
  if (first === '[')
    throw new FileRefused('The file is a JSON array. Write one JSON object per line instead (NDJSON).');
  const format = endings[ending] ?? (first === '{' ? 'ndjson' : 'csv');
  if (format === 'ndjson') refuseDocument(head, kind);
  return format;
}

/**
 * A file that is one JSON document, over several lines or with the records in an array: as NDJSON, each of its lines
 * would be a rejected row.
 */
function refuseDocument(head: Buffer, kind: FileKind): void {
  const [first = '', ...others] = head
    .toString('utf8')
    .trim()
    .split(/\r\n|[\r\n]/);
  if (jsonOr(first, undefined) === undefined && isSeveralObjects(first)) throw new FileRefused(severalObjects);
  // A line that is only cut off is an invalid row.
  const isDocument = others.length > 0 ? /^\{(?:.*([{[]|[^}\]\s]\s*,))?\s*$/.test(first) : holdsRecords(first, kind);
  if (!isDocument) return;
  throw new FileRefused('The file is one JSON document. Write one JSON object per line instead (NDJSON).');
}

const severalObjects =
  'The JSON objects of the file follow one another as }{, without line ends. Write each on a line of its own (NDJSON).';

/** True for `{"accounts": [{…}]}`: no field of a record, but an array of objects. */
function holdsRecords(line: string, kind: FileKind): boolean {
  const value = jsonOr(line, null);
  if (!isJsonObject(value)) return false;
  const isRecord = Object.keys(value).some((name) => typeOf(kind, name) !== undefined || name.includes('.'));
  return !isRecord && Object.values(value).some((each) => Array.isArray(each) && each.some(isJsonObject));
}

function afterHeader(text: Buffer, start: FilePosition, failure: FileRefused | undefined): FilePosition {
  const { layout } = start;
  const reader = new RecordReader(start, undefined);
  const header = reader.push(text).next().value ?? (failure ? undefined : reader.finish().next().value);
  // The header itself is cut off.
  if (!header && failure) throw failure;
  if (!header?.cells || header.end > headBytes || bytesOf(header.cells) > maxHeaderBytes) {
    throw new FileRefused(`The header cannot be read: ${header?.error ?? 'it is longer than 64 KB'}.`);
  }
  if (/^"?sep=[^a-z]?"?\s*$/i.test(header.text)) {
    throw new FileRefused(`The first line is ${header.text.trim()}, which only Excel reads. Delete this line.`);
  }
  if (header.isForeign) {
    const remedy = 'Name the encoding of the file, as --encoding windows-1252, or save it as UTF-8';
    throw new FileRefused(`The header is not UTF-8. ${remedy}.`);
  }
  if (layout.encoding !== undefined && header.text.includes('\ufffd')) {
    throw new FileRefused(`The header is not ${layout.encoding}. Name another encoding with --encoding.`);
  }
  const { end, nextLine } = header;
  return { ...start, layout: { ...layout, header: header.cells }, offset: end, line: nextLine };
}

/** Most bytes of the header as JSON. Stored progress contains it several times, and an item holds at most 400 KB. */
const maxHeaderBytes = 64 * 1024;

const bytesOf = (cells: readonly string[]): number => Buffer.byteLength(JSON.stringify(cells));

/** The delimiter that occurs most often in the first line, or a comma. */
function delimiterOf(line: string): string {
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best));
}
