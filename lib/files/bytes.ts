import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FileRefused } from './refused.ts';

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The first bytes of a stream, at least so many if there are, and the stream as if they had not been taken. */
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

/** @throws FileRefused, while it is read, where the compressed data are broken or end too early. */
export async function* gunzipped(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // What goes wrong comes out of the loop below.
  const output = pipeline(Readable.from(bytes, { objectMode: false }), createGunzip(), () => {});
  try {
    yield* output as AsyncIterable<Buffer>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!code.startsWith('Z_')) throw error;
    throw new FileRefused('The gzip data are broken or end too early: the file was not copied whole.', {
      cause: error,
    });
  }
}

/** The bytes from the offset on. */
export async function* from(bytes: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer> {
  let left = offset;
  for await (const part of bytes) {
    if (left < part.length) yield left === 0 ? part : part.subarray(left);
    left = Math.max(0, left - part.length);
  }
}
