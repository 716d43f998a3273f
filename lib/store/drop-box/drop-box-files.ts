import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { bucketClient } from '../aws/aws-clients.ts';
import { type ObjectBytes, type ObjectStore, S3ObjectStore } from '../aws/objects.ts';
import { failWith } from '../table/errors.ts';

/**
 * One version of an object, and the time of its write in milliseconds since the epoch. `isPassedOver`: it is empty, and
 * another one followed, so that it is not imported.
 */
export type StoredObject = { key: string; version: string; at: number; isPassedOver?: true };

/** Access to the drop box to list and delete, of administrators and of the function that erases. */
export interface DropBoxFiles {
  /** All versions of all objects with this prefix. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** `undefined` if the version was deleted. */
  read(key: string, version: string): Promise<ObjectBytes | undefined>;
  write(key: string, text: AsyncIterable<string>): Promise<void>;
  /** Deletes the version permanently; no error if it was already deleted. */
  remove(key: string, version: string): Promise<void>;
}

/** A body with its length, which S3 requires before the body. */
type Spooled = { body: Readable; length: number; release(): Promise<void> };

/** The drop box of a deployed stack. */
export class S3DropBoxFiles implements DropBoxFiles {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #objects: Pick<ObjectStore, 'read'>;
  readonly #spool: (text: AsyncIterable<string>) => Promise<Spooled>;

  /** @param spool stores a text of unknown length until it is sent */
  constructor(
    bucket: string,
    client: S3Client,
    objects: Pick<ObjectStore, 'read'>,
    spool: (text: AsyncIterable<string>) => Promise<Spooled>,
  ) {
    this.#client = client;
    this.#bucket = bucket;
    this.#objects = objects;
    this.#spool = spool;
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    let at: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
    for (;;) {
      const page = await this.#client
        .send(new ListObjectVersionsCommand({ Bucket: this.#bucket, Prefix: prefix, ...at }))
        .catch(failWith('the objects of the bucket could not be listed'));
      for (const { Key, VersionId, LastModified, Size, IsLatest = false } of page.Versions ?? []) {
        if (Key !== undefined && VersionId !== undefined) {
          const passedOver = Size === 0 && !IsLatest ? ({ isPassedOver: true } as const) : {};
          yield { key: Key, version: VersionId, at: LastModified?.getTime() ?? 0, ...passedOver };
        }
      }
      if (!page.IsTruncated) return;
      at = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
    }
  }

  read(key: string, version: string): Promise<ObjectBytes | undefined> {
    return this.#objects.read(key, version, 0);
  }

  async write(key: string, text: AsyncIterable<string>): Promise<void> {
    const { body, length, release } = await this.#spool(text);
    const put = { Bucket: this.#bucket, Key: key, Body: body, ContentLength: length };
    const sent = this.#client.send(new PutObjectCommand(put));
    await sent.catch(failWith('an object could not be written to the bucket')).finally(release);
  }

  async remove(key: string, version: string): Promise<void> {
    const deletion = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, VersionId: version });
    await this.#client.send(deletion).catch(failWith('an object could not be deleted from the bucket'));
  }
}

/**
 * The drop box at the endpoint of the configuration, or else as every SDK finds it. With the SDK's defaults, a streamed upload
 * is sent in chunks with a trailing checksum and without the known length.
 */
export function deployedDropBox(bucket: string, config: S3ClientConfig = {}): DropBoxFiles {
  const client = bucketClient({ requestChecksumCalculation: 'WHEN_REQUIRED', ...config });
  return new S3DropBoxFiles(bucket, client, new S3ObjectStore(bucket, client), spool);
}

/** Writes to a temporary file, because the text can be larger than the memory. */
async function spool(text: AsyncIterable<string>) {
  const folder = await mkdtemp(join(tmpdir(), 'onboarding-'));
  const path = join(folder, 'object');
  const release = () => rm(folder, { recursive: true, force: true });
  try {
    await pipeline(Readable.from(text), createWriteStream(path, { mode: 0o600 }));
    return { body: createReadStream(path), length: (await stat(path)).size, release };
  } catch (error) {
    await release();
    throw error;
  }
}
