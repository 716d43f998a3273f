import type { Readable } from 'node:stream';
import { DeleteObjectCommand, ListObjectVersionsCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { failureOf } from '../../../lib/store/errors.ts';
import type { ObjectBytes, ObjectStore } from '../../../lib/store/objects.ts';
import type { DropBoxFiles, StoredObject } from './drop-box-files.ts';

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
        .catch((error) => {
          throw failureOf(error, 'the objects of the bucket could not be listed');
        });
      for (const { Key, VersionId, LastModified } of page.Versions ?? []) {
        if (Key !== undefined && VersionId !== undefined) {
          yield { key: Key, version: VersionId, at: LastModified?.getTime() ?? 0 };
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
    try {
      await this.#client.send(new PutObjectCommand(put));
    } catch (error) {
      throw failureOf(error, 'an object could not be written to the bucket');
    } finally {
      await release();
    }
  }

  async remove(key: string, version: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, VersionId: version }));
    } catch (error) {
      throw failureOf(error, 'an object could not be deleted from the bucket');
    }
  }
}
