export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A file cannot be read, or cannot be read further. The message is for the sender of the file. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** A file is not whole. What came before is read. */
export class FileBroken extends FileRefused {}

export type Peeked = {
  head: Buffer;
  /** The whole stream. */
  bytes: AsyncIterable<Buffer>;
  /** Why the stream ends after `head`, if it is refused there. */
  failure: FileRefused | undefined;
};

/**
 * At least the first `length` bytes of a stream, or all if it is shorter.
 * @throws FileRefused if not even its first byte can be read
 */
export async function peek(bytes: Bytes, length: number): Promise<Peeked> {
  const source = (async function* () {
    for await (const part of bytes) yield Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  })();
  let head = Buffer.alloc(0);
  let failure: FileRefused | undefined;
  try {
    while (head.length < length) {
      const { done, value } = await source.next();
      if (done) break;
      head = Buffer.concat([head, value]);
    }
  } catch (error) {
    if (!(error instanceof FileRefused) || head.length === 0) throw error;
    failure = error;
  }
  return { head, bytes: joined(head, source, failure), failure };
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>, failure?: FileRefused): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  if (failure) throw failure;
  yield* rest;
}

/** The bytes from the offset to the end. */
export async function* from(bytes: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer> {
  let left = offset;
  for await (const part of bytes) {
    if (left < part.length) yield left === 0 ? part : part.subarray(left);
    left = Math.max(0, left - part.length);
  }
}

const isMark = (byte: number): boolean => byte === 0 || byte === 0x1a;
const isBlank = (byte: number): boolean => byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09;
/** More bytes of a kind in turn are no end of a file. */
const maxRuns = 1000;
const maxRunBytes = 64 * 1024;

/** The bytes without NUL and 0x1A at their end, which mark or pad the end of a file. Blanks among them are kept. */
export async function* withoutEndMarks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // What may be the end: a byte and how often it occurs, because a file can be padded with gigabytes.
  let runs: [byte: number, count: number][] = [];
  for await (const part of bytes) {
    const start = startOfMarks(part, runs.length > 0);
    if (start > 0) {
      yield* bytesOf(runs);
      runs = [];
      yield part.subarray(0, start);
    }
    for (let at = start; at < part.length; at++) {
      const last = runs.at(-1);
      if (last?.[0] === part[at]) last![1] += 1;
      else runs.push([part[at]!, 1]);
    }
    if (runs.length > maxRuns) {
      yield* bytesOf(runs);
      runs = [];
    }
  }
  yield* bytesOf(runs.filter(([byte]) => !isMark(byte)));
}

function* bytesOf(runs: readonly (readonly [number, number])[]): Generator<Buffer> {
  for (const [byte, count] of runs) {
    for (let left = count; left > 0; left -= maxRunBytes) yield Buffer.alloc(Math.min(left, maxRunBytes), byte);
  }
}

/** Where the marks at the end of the part begin. @param isOpen true if there were marks right before it */
function startOfMarks(part: Buffer, isOpen: boolean): number {
  let at = part.length;
  while (at > 0 && (isMark(part[at - 1]!) || isBlank(part[at - 1]!))) at--;
  if (at === 0 && isOpen) return 0;
  while (at < part.length && !isMark(part[at]!)) at++;
  return at;
}
