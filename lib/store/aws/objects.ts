import { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { failureOf, failWith } from '../table/errors.ts';

/** A reader that stops before the end must call `destroy`: until then the stream holds a connection. */
export type ObjectBytes = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** S3 denied access. It also does so for an object that does not exist, if the caller may not list the bucket. */
export class ObjectDenied extends Error {
  override readonly name = 'ObjectDenied';
}

/** The operations on the drop box's bucket that the service needs. */
export interface ObjectStore {
  /**
   * The bytes of this version of the object, from the offset; `undefined` if the version does not exist (any more).
   * @throws ObjectDenied, StoreUnavailable
   */
  read(key: string, version: string, offset: number): Promise<ObjectBytes | undefined>;
  write(key: string, text: string): Promise<void>;
  /**
   * Writes an object that consists of the head and the contents of other objects (a few megabytes each), in this order.
   * @param length of the whole object, in bytes
   */
  join(key: string, head: string, parts: readonly string[], length: number): Promise<void>;
}

const types: Record<string, string> = { json: 'application/json', csv: 'text/csv; charset=utf-8' };
const typeOf = (key: string) => types[key.slice(key.lastIndexOf('.') + 1)];

/** Error codes of S3 for an object or version that does not exist. */
const missingErrors = new Set(['NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed']);

/** Parts are small, but the worst file has thousands of them: one after another would take minutes. */
const parallelParts = 8;

export class S3ObjectStore implements ObjectStore {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async read(key: string, version: string, offset: number): Promise<ObjectBytes | undefined> {
    try {
      const Range = offset > 0 ? `bytes=${offset}-` : undefined;
      const get = new GetObjectCommand({ Bucket: this.#bucket, Key: key, VersionId: version, Range });
      return (await this.#client.send(get)).Body as Readable;
    } catch (error) {
      const { name } = error as Error;
      if (missingErrors.has(name)) return undefined;
      if (name === 'InvalidRange') return Readable.from([]);
      if (name === 'AccessDenied') throw new ObjectDenied('S3 denies access', { cause: error });
      throw failureOf(error, 'an object could not be read from the bucket');
    }
  }

  async write(key: string, text: string): Promise<void> {
    await this.#put(key, text);
  }

  async join(key: string, head: string, parts: readonly string[], length: number): Promise<void> {
    const body = Readable.from(this.#joined(head, parts), { objectMode: false });
    // A stream error without a listener would end the process, and a request that has failed no longer listens.
    const streamError = new Promise<never>((_, reject) => body.once('error', reject));
    try {
      await Promise.race([this.#put(key, body, length), streamError]);
    } finally {
      body.destroy();
    }
  }

  async *#joined(head: string, parts: readonly string[]): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    for (let at = 0; at < parts.length; at += parallelParts) {
      yield* await Promise.all(parts.slice(at, at + parallelParts).map((key) => this.#whole(key)));
    }
  }

  async #whole(key: string): Promise<Uint8Array> {
    const sent = this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
    return sent
      .then(({ Body }) => Body!.transformToByteArray())
      .catch(failWith('an object could not be read from the bucket'));
  }

  async #put(key: string, body: string | Readable, length?: number): Promise<void> {
    const put = { Bucket: this.#bucket, Key: key, Body: body, ContentType: typeOf(key), ContentLength: length };
    const sent = this.#client.send(new PutObjectCommand(put));
    await sent.catch(failWith('an object could not be written to the bucket'));
  }
}
