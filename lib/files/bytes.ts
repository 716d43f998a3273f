import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Returns at least the first `length` bytes of a stream, or all if it is shorter, and the whole stream. */
export async function peek(bytes: Bytes, length: number): Promise<{ head: Buffer; bytes: AsyncIterable<Buffer> }> {
  const source = (async function* () {
    for await (const part of bytes) yield Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  })();
  let head = Buffer.alloc(0);
  while (head.length < length) {
    const { done, value } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return { head, bytes: joined(head, source) };
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

export const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** @throws FileRefused during reading, if the compressed data is damaged or ends too early */
export async function* gunzipped(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // Errors are thrown by the loop below, so the callback ignores them.
  const output = pipeline(Readable.from(bytes, { objectMode: false }), createGunzip(), () => {});
  try {
    yield* output as AsyncIterable<Buffer>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!code.startsWith('Z_')) throw error;
    throw new FileRefused('The gzip data is damaged or ends too early. Copy the file again.', {
      cause: error,
    });
  }
}

/** The bytes from the offset to the end. */
export async function* from(bytes: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer> {
  let left = offset;
  for await (const part of bytes) {
    if (left < part.length) yield left === 0 ? part : part.subarray(left);
    left = Math.max(0, left - part.length);
  }
}

/** A file cannot be read, or cannot be read further. The message is for the sender of the file. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

export type Decoded = {
  text: string;
  /** True if the bytes are not UTF-8. They are then read as Latin-1, which is their probable encoding. */
  isForeign: boolean;
};

export function decoded(bytes: Buffer): Decoded {
  const isForeign = !isUtf8(bytes);
  return { text: isForeign ? bytes.toString('latin1') : bytes.toString('utf8'), isForeign };
}

/** True if this part of a text, which was read as Latin-1, is not UTF-8. */
export const holdsForeignBytes = (text: string): boolean => !isUtf8(Buffer.from(text, 'latin1'));

export const foreignReason = 'is not UTF-8; it is shown as Latin-1, its probable encoding';
export const nulReason = 'contains a NUL character, which is not allowed';
