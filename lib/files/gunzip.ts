import { crc32, createInflateRaw } from 'node:zlib';
import { FileBroken, FileRefused } from './bytes.ts';

/** The compressed data end too early. What came before is whole. */
export class FileCut extends FileBroken {}

const broken = 'The gzip data is damaged or ends too early. Copy the file again.';
const damaged = (cause?: unknown) => new FileRefused(broken, { cause });

type GunzipOptions = {
  /** Called if only spaces, line ends, NUL or 0x1A follow the data. */
  onTail?: () => void;
  /** Bytes of output that are lost before damaged data, at most. */
  chunkSize?: number;
};

/**
 * The decompressed bytes of a gzip file, all that come before an error included. Node's own gunzip ignores or refuses
 * what follows the data, and does not say which.
 * @throws FileCut; FileRefused
 */
export async function* gunzipped(
  bytes: AsyncIterable<Buffer>,
  { onTail, chunkSize = 16 * 1024 }: GunzipOptions = {},
): AsyncGenerator<Buffer> {
  const input = new Input(bytes);
  do {
    await skipHeader(input);
    let checksum = 0;
    for await (const part of inflated(input, chunkSize)) {
      checksum = crc32(part, checksum);
      yield part;
    }
    if ((await input.exactly(8)).readUInt32LE(0) !== checksum) throw damaged();
  } while (isGzip(await input.peek(2)));
  const isBlank = await input.isBlank();
  if (!isBlank) throw new FileRefused('Other data follow the gzip data. Copy the file again.');
  if (input.length > 0) onTail?.();
}

export const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;

const [hasChecksum, hasExtra, hasName, hasComment] = [2, 4, 8, 16];

/** RFC 1952, section 2.3. */
async function skipHeader(input: Input): Promise<void> {
  const flags = (await input.exactly(10))[3]!;
  if (flags & hasExtra) await input.exactly((await input.exactly(2)).readUInt16LE(0));
  for (const flag of [hasName, hasComment]) {
    while (flags & flag && (await input.exactly(1))[0] !== 0);
  }
  if (flags & hasChecksum) await input.exactly(2);
}

/** A slice of compressed data. It can become a thousand times as long. */
const sliceBytes = 16 * 1024;

async function* inflated(input: Input, chunkSize: number): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize });
  const output: Buffer[] = [];
  const over = new Promise<Error | undefined>((resolve) => {
    inflate.on('data', (part) => output.push(part));
    inflate.once('end', () => resolve(undefined)).once('error', resolve);
  });
  try {
    for (;;) {
      const slice = await input.take(sliceBytes);
      if (slice.length === 0) throw new FileCut(broken);
      const before = inflate.bytesWritten;
      // After the end of the data or an error, the callback may not be called.
      const written = new Promise<undefined>((resolve) => inflate.write(slice, () => resolve(undefined)));
      const error = await Promise.race([over, written]);
      const used = inflate.bytesWritten - before;
      const failure = error ?? (used < slice.length ? await over : undefined);
      yield* output.splice(0);
      if (failure) throw damaged(failure);
      if (used === slice.length) continue;
      input.back(slice.subarray(used));
      return;
    }
  } finally {
    inflate.destroy();
  }
}

/** Bytes that are taken from a stream in the lengths that are needed. */
class Input {
  readonly #source: AsyncIterator<Buffer>;
  #kept: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  /** Bytes that were read and not taken. */
  get length(): number {
    return this.#kept.length;
  }

  back(bytes: Buffer): void {
    this.#kept = Buffer.concat([bytes, this.#kept]);
  }

  /** At least the first so many bytes, unless the stream ends before them. */
  async peek(length: number): Promise<Buffer> {
    while (this.#kept.length < length) {
      const { done, value } = await this.#source.next();
      if (done) break;
      this.#kept = this.#kept.length === 0 ? value : Buffer.concat([this.#kept, value]);
    }
    return this.#kept;
  }

  /** At most so many bytes, and none only at the end. */
  async take(length: number): Promise<Buffer> {
    const taken = (await this.peek(1)).subarray(0, length);
    this.#kept = this.#kept.subarray(taken.length);
    return taken;
  }

  /** @throws FileCut */
  async exactly(length: number): Promise<Buffer> {
    const taken = (await this.peek(length)).subarray(0, length);
    if (taken.length < length) throw new FileCut(broken);
    this.#kept = this.#kept.subarray(length);
    return taken;
  }

  /** True if nothing follows but spaces, line ends, NUL and 0x1A. Reads to the end, or to the first other byte. */
  async isBlank(): Promise<boolean> {
    for (;;) {
      if (!this.#kept.every((byte) => blank.has(byte))) return false;
      const { done, value } = await this.#source.next();
      if (done) return true;
      this.#kept = value;
    }
  }
}

const blank: ReadonlySet<number> = new Set([0, 0x1a, ...Buffer.from(' \t\r\n')]);
