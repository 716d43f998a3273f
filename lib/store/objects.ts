import { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

/** To be destroyed by whoever does not read to the end: until then it takes a connection. */
export type ObjectBytes = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** What the service asks of the drop box's bucket, and no more. */
export interface ObjectStore {
  /** The bytes of that version of the object, from the offset on; `undefined` where it is not, or no longer, there. */
  read(key: string, version: string, offset: number): Promise<ObjectBytes | undefined>;
  write(key: string, text: string): Promise<void>;
  /** Writes the head and, behind it, other objects one after another. @param length of all that, in bytes. */
  join(key: string, head: string, parts: readonly string[], length: number): Promise<void>;
}

const types: Record<string, string> = { json: 'application/json', csv: 'text/csv; charset=utf-8' };
const typeOf = (key: string) => types[key.slice(key.lastIndexOf('.') + 1)];

/** What S3 answers where there is nothing to read; a range that begins at the end is one of these. */
const absences = new Set(['NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed']);

/**
 * Otherwise a body that is streamed goes in chunks with a checksum behind them, without the length that we know; and
 * one that comes is wrapped, so that destroying it leaves the connection open.
 */
export const plainBodies = {
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const;

export class S3ObjectStore implements ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(bucket: string, client?: S3Client) {
    this.#bucket = bucket;
    this.#client = client ?? new S3Client(plainBodies);
  }

  async read(key: string, version: string, offset: number): Promise<ObjectBytes | undefined> {
    const range = offset > 0 ? { Range: `bytes=${offset}-` } : {};
    const wanted = { Bucket: this.#bucket, Key: key, VersionId: version, ...range };
    try {
      return (await this.#client.send(new GetObjectCommand(wanted))).Body as ObjectBytes;
    } catch (error) {
      const { name } = error as Error;
      if (absences.has(name)) return undefined;
      if (name === 'InvalidRange') return Readable.from([]);
      throw error;
    }
  }

  async write(key: string, text: string): Promise<void> {
    await this.#put(key, text);
  }

  async join(key: string, head: string, parts: readonly string[], length: number): Promise<void> {
    const client = this.#client;
    const Bucket = this.#bucket;
    const bytes = (async function* () {
      yield Buffer.from(head);
      for (const Key of parts) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        yield* Body as ObjectBytes;
      }
    })();
    await this.#put(key, Readable.from(bytes, { objectMode: false }), length);
  }

  async #put(key: string, body: string | Readable, length?: number): Promise<void> {
    const put = { Bucket: this.#bucket, Key: key, Body: body, ContentType: typeOf(key) };
    await this.#client.send(new PutObjectCommand(length === undefined ? put : { ...put, ContentLength: length }));
  }
}
