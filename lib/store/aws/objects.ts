import { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { failureOf, failWith } from '../table/errors.ts';

/** A reader that stops before the end must call `destroy`: until then the stream holds a connection. */
export type ObjectBytes = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** S3 denied access. It also does so for an object that does not exist, if the caller may not list the bucket. */
export class ObjectDenied extends Error {
  override readonly name = 'ObjectDenied';
}

/** The object cannot be read as it is stored. A retry does not help. The message is for the sender of the file. */
export class ObjectUnreadable extends Error {
  override readonly name = 'ObjectUnreadable';
}

/** What S3 says about one version of an object, without its bytes. `size`: in bytes. */
export type ObjectDescription = {
  version: string;
  size: number;
  etag: string;
  /** Those that S3 has, by algorithm. */
  checksums: Readonly<Record<string, string>>;
};

/** The operations on the drop box's bucket that the service needs. */
export interface ObjectStore {
  /**
   * The bytes of this version of the object, from the offset; `undefined` if the version does not exist (any more).
   * @throws ObjectDenied, ObjectUnreadable, StoreUnavailable
   */
  read(key: string, version: string, offset: number): Promise<ObjectBytes | undefined>;
  /** This version, or the newest one; `undefined` if it does not exist or S3 does not describe it. */
  describe(key: string, version?: string): Promise<ObjectDescription | undefined>;
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

/** S3 puts ETags in quotes, except in its notifications. */
const etagOf = (header = ''): string => header.replaceAll('"', '');

const checksumNames = ['CRC64NVME', 'SHA256', 'SHA1', 'CRC32C', 'CRC32'] as const;

/** `StorageClass`: of an object in an archive. */
type S3Refusal = Error & { StorageClass?: string };

/** Why S3 cannot return the object, if a retry does not help. It names the storage class or the key. */
function unreadable({ name, message, StorageClass }: S3Refusal): string | undefined {
  const [key = 'a key'] = /arn:[\w-]+:kms:[\w:/-]+/.exec(message) ?? [];
  if (name === 'InvalidObjectState') {
    return `The object has the storage class ${StorageClass ?? 'of an archive'}, which cannot be read at once. Upload the file with the class STANDARD.`;
  }
  if (name === 'InvalidRequest' && /Server Side Encryption/i.test(message)) {
    return 'The object is encrypted with a key of the sender (SSE-C), which the service does not have. Upload the file without a key.';
  }
  if (name.startsWith('KMS.') || (name === 'AccessDenied' && message.includes('kms:Decrypt'))) {
    return `The object is encrypted with AWS KMS, and the service may not use ${key}. Upload the file without naming a key.`;
  }
  return undefined;
}

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
      const refusal = error as S3Refusal;
      const { name } = refusal;
      if (missingErrors.has(name)) return undefined;
      if (name === 'InvalidRange') return Readable.from([]);
      const reason = unreadable(refusal);
      if (reason !== undefined) throw new ObjectUnreadable(reason, { cause: error });
      if (name === 'AccessDenied') throw new ObjectDenied('S3 denies access', { cause: error });
      throw failureOf(error, 'an object could not be read from the bucket');
    }
  }

  async describe(key: string, version?: string): Promise<ObjectDescription | undefined> {
    const of = { Bucket: this.#bucket, Key: key, VersionId: version, ChecksumMode: 'ENABLED' } as const;
    const found = await this.#client.send(new HeadObjectCommand(of)).catch((error: unknown) => {
      const { httpStatusCode: status = 0 } = error instanceof S3ServiceException ? error.$metadata : {};
      // A refusal has no body, and the SDK has no name for it. Reading the object shows why.
      if (status >= 400 && status < 500 && status !== 429) return undefined;
      throw failureOf(error, 'an object of the bucket could not be looked up');
    });
    if (!found) return undefined;
    const checksums = checksumNames.flatMap((name) => {
      const value = found[`Checksum${name}`];
      return value === undefined ? [] : [[name, value]];
    });
    return {
      ...{ version: found.VersionId ?? '', size: found.ContentLength ?? 0, etag: etagOf(found.ETag) },
      checksums: Object.fromEntries(checksums),
    };
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
