import { decoded } from './encoding.ts';

/** Most bytes of a record in a file. A longer one usually means that a line break is missing. */
export const maxRecordBytes = 1024 * 1024;

/** A line without its line break. */
export type Line = {
  bytes: Buffer;
  /** The line break. Inside a quoted cell it is a part of the value. */
  ending: string;
  /** Line number, from 1. */
  number: number;
  /** Byte offsets of this line and of the next one. */
  start: number;
  end: number;
  /** True if the line is longer than {@link maxRecordBytes}. Only its beginning is kept. */
  isTooLong: boolean;
};

/**
 * Splits a stream of bytes into lines. Keeps at most one line in memory. Each LF ends a line, and the CRs before it
 * belong to the line end. If the header ends in CR, each CR ends a line too.
 */
export class LineReader {
  readonly #newline: number;
  readonly #delimiter: number | undefined;
  #kept: Buffer[] = [];
  #keptLength = 0;
  #start: number;
  #at: number;
  #number: number;
  /** True if the last part ended in a CR that ends a line. An LF may follow it. */
  #isAtReturn = false;
  /** True if the last line has no line end and others have. */
  isCut = false;

  /** @param delimiter of cells: a line of delimiters is blank too */
  constructor(newline: number, place: { offset: number; line: number }, delimiter?: string) {
    this.#newline = newline;
    this.#delimiter = delimiter?.charCodeAt(0);
    this.#start = place.offset;
    this.#at = place.offset;
    this.#number = place.line;
  }

  /** @param isSkipped true while blank lines are left out: a file can consist of them, and a `Line` of each is slow */
  *push(part: Buffer, isSkipped: () => boolean = () => false): Generator<Line> {
    if (part.length === 0) return;
    let from = 0;
    if (this.#isAtReturn) {
      from = part[0] === lineFeed ? 1 : 0;
      yield this.#line(from === 1 ? '\r\n' : '\r');
    }
    for (;;) {
      if (this.#at === this.#start && isSkipped()) from = this.#skipBlank(part, from);
      const end = this.#newline === lineFeed ? part.indexOf(lineFeed, from) : endOfLine(part, from);
      if (end === -1) break;
      this.#keep(part.subarray(from, end));
      this.#isAtReturn = part[end] === carriageReturn && end === part.length - 1;
      if (this.#isAtReturn) return;
      const ending = part[end] === lineFeed ? '\n' : part[end + 1] === lineFeed ? '\r\n' : '\r';
      yield this.#line(ending);
      from = end + ending.length;
    }
    this.#keep(part.subarray(from));
  }

  /** @returns the index of the first line that is not blank, or not whole */
  #skipBlank(part: Buffer, from: number): number {
    let next = from;
    for (let at = from; at < part.length && at - next <= maxRecordBytes; at++) {
      const byte = part[at]!;
      if (byte === this.#newline) {
        next = at + 1;
        this.#number += 1;
      } else if (byte === lineFeed) next = at + 1;
      else if (byte !== carriageReturn && byte !== space && byte !== this.#delimiter) break;
    }
    this.#at += next - from;
    this.#start = this.#at;
    return next;
  }

  /** Returns the last line if no line break ends it. */
  *finish(): Generator<Line> {
    if (this.#isAtReturn) yield this.#line('\r');
    if (this.#at === this.#start) return;
    this.isCut = this.#number > 1;
    yield this.#line('');
  }

  #keep(bytes: Buffer): void {
    this.#at += bytes.length;
    const room = maxRecordBytes + 1 - this.#keptLength;
    if (bytes.length === 0 || room <= 0) return;
    this.#kept.push(bytes.length > room ? bytes.subarray(0, room) : bytes);
    this.#keptLength += Math.min(bytes.length, room);
  }

  #line(ending: string): Line {
    const bytes = this.#kept.length === 1 ? this.#kept[0]! : Buffer.concat(this.#kept);
    const isTooLong = bytes.length > maxRecordBytes;
    let length = isTooLong ? shownOfTooLong : bytes.length;
    if (!isTooLong && this.#newline === lineFeed) while (bytes[length - 1] === carriageReturn) length--;
    this.#at += ending.length;
    const line = {
      bytes: bytes.subarray(0, length),
      ending: isTooLong || length === bytes.length ? ending : '\r'.repeat(bytes.length - length) + ending,
      number: this.#number,
      start: this.#start,
      end: this.#at,
      isTooLong,
    };
    this.#kept = [];
    this.#keptLength = 0;
    this.#start = this.#at;
    this.#number += 1;
    this.#isAtReturn = false;
    return line;
  }
}

/** The index of the first CR or LF, or -1. */
function endOfLine(part: Buffer, from: number): number {
  for (let at = from; at < part.length; at++) {
    if (part[at] === carriageReturn || part[at] === lineFeed) return at;
  }
  return -1;
}

const shownOfTooLong = 200;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;

/** One record of a file, or a line that is not a record. */
export type SourceRecord = {
  /** Line numbers and byte offsets of this record and of the next one. */
  line: number;
  start: number;
  end: number;
  nextLine: number;
  /** The text as it is in the file. */
  text: string;
  /** True if the bytes are not UTF-8. Text and cells then have a character for each byte. */
  isForeign: boolean;
  /** The cells of a CSV record, if it parses. */
  cells: string[] | undefined;
  /** Why the line is not a record. */
  error: string | undefined;
};

/** A line as a record without cells: a line of NDJSON, or a line of CSV that does not parse. */
export function lineRecord(line: Line, error = line.isTooLong ? tooLong : undefined): SourceRecord {
  const { number, start, end, bytes } = line;
  return { line: number, start, end, nextLine: number + 1, ...decoded(bytes), cells: undefined, error };
}

const tooLong = 'is longer than 1 MB: a line break is missing, or the file is not a text file';
