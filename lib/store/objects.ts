import { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { objectRequests } from './connections.ts';
import { failureOf } from './errors.ts';

/** To be destroyed by whoever does not read to the end: until then it takes a connection. */
export type ObjectBytes = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** S3 says so also where there is nothing to read, to whoever may not list the bucket. */
export class ObjectDenied extends Error {
  override readonly name = 'ObjectDenied';
}

/** What the service asks of the drop box's bucket, and no more. */
export interface ObjectStore {
  /**
   * The bytes of that version of the object, from the offset on; `undefined` where it is not, or no longer, there.
   * @throws ObjectDenied, StoreUnavailable
   */
  read(key: string, version: string, offset: number): Promise<ObjectBytes | undefined>;
  write(key: string, text: string): Promise<void>;
  /** Writes the head and, behind it, other objects of some megabytes one after another. @param length of all that, in bytes. */
  join(key: string, head: string, parts: readonly string[], length: number): Promise<void>;
}

const types: Record<string, string> = { json: 'application/json', csv: 'text/csv; charset=utf-8' };
const typeOf = (key: string) => types[key.slice(key.lastIndexOf('.') + 1)];

/** What S3 answers where there is nothing to read; a range that begins at the end is one of these. */
const absences = new Set(['NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed']);

/** Small objects, thousands of them in the worst file: one by one would take minutes. */
const partsAtOnce = 8;

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
    this.#client = client ?? new S3Client({ ...plainBodies, requestHandler: objectRequests });
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
      if (name === 'AccessDenied') throw new ObjectDenied('S3 denies access', { cause: error });
      throw failureOf(error, 'the bucket did not give an object');
    }
  }

  async write(key: string, text: string): Promise<void> {
    await this.#put(key, text);
  }

  async join(key: string, head: string, parts: readonly string[], length: number): Promise<void> {
    const body = Readable.from(this.#joined(head, parts), { objectMode: false });
    // An error of the stream that nobody listens to would end the process; the request does not listen once it failed.
    const unreadable = new Promise<never>((_, reject) => body.once('error', reject));
    try {
      await Promise.race([this.#put(key, body, length), unreadable]);
    } finally {
      body.destroy();
    }
  }

  async *#joined(head: string, parts: readonly string[]): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    for (let at = 0; at < parts.length; at += partsAtOnce) {
      yield* await Promise.all(parts.slice(at, at + partsAtOnce).map((key) => this.#whole(key)));
    }
  }

  async #whole(key: string): Promise<Uint8Array> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return await Body!.transformToByteArray();
    } catch (error) {
      throw failureOf(error, 'the bucket did not give an object');
    }
  }

  async #put(key: string, body: string | Readable, length?: number): Promise<void> {
    const put = { Bucket: this.#bucket, Key: key, Body: body, ContentType: typeOf(key) };
    try {
      await this.#client.send(new PutObjectCommand(length === undefined ? put : { ...put, ContentLength: length }));
    } catch (error) {
      throw failureOf(error, 'the bucket did not take an object');
    }
  }
}
