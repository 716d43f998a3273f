import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { failureOf, failWith } from '../table/errors.ts';
import { itemReader, jsonText, storedTime } from '../table/stored-item.ts';

/**
 * The list of erasures. It is outside of the table, because a restore returns the table to a time before them. It has
 * only derived ids: no `unique_id` and no other personal data.
 */

const entrySchema = z.object({
  format: z.literal(1),
  /** The time at which the contact was deleted. */
  erased_at: storedTime,
  team_id: z.string(),
  contact_id: z.string(),
  /** `inserted_at` of the contact; absent if there was none, only links that waited for it. */
  contact_since: storedTime.optional(),
  /** Chunks up to this order number were accepted before the contact was deleted. */
  order: z.int(),
  /** Digests of the `unique_id`s of the person; a former one with the time of the change. */
  names: z.array(z.object({ digest: z.string(), until: storedTime.optional() })),
});

export type ErasureEntry = z.output<typeof entrySchema>;

/** Entries are added and never changed. */
export interface ErasureList {
  /** Adding an entry again has no effect. */
  add(entry: ErasureEntry): Promise<void>;
  /** All entries, in no order. */
  entries(): AsyncIterable<ErasureEntry>;
}

export const entryOfText: (text: string) => ErasureEntry = itemReader(
  'entry of the list of erasures',
  jsonText(entrySchema),
);

/** The name of the entry's object. */
export const nameOfEntry = ({ team_id, erased_at, contact_id }: ErasureEntry): string =>
  `${team_id}/${erased_at.replaceAll(/[^0-9TZ]/g, '')}-${contact_id}.json`;

/** In the bucket of images, which is private and whose objects do not expire. No function may read this prefix. */
const prefix = 'erasures/';
/** Objects that are read in parallel. */
const atOnce = 16;

export class S3ErasureList implements ErasureList {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async add(entry: ErasureEntry): Promise<void> {
    const Key = `${prefix}${nameOfEntry(entry)}`;
    const put = { Bucket: this.#bucket, Key, Body: JSON.stringify(entry), ContentType: 'application/json' };
    try {
      await this.#client.send(new PutObjectCommand({ ...put, IfNoneMatch: '*' }));
    } catch (error) {
      if (error instanceof Error && error.name === 'PreconditionFailed') return;
      throw failureOf(error, 'the erasure could not be added to the list of erasures');
    }
  }

  async *entries(): AsyncGenerator<ErasureEntry> {
    let next: string | undefined;
    do {
      const { keys, after } = await this.#page(next);
      for (let at = 0; at < keys.length; at += atOnce) {
        yield* await Promise.all(keys.slice(at, at + atOnce).map((key) => this.#read(key)));
      }
      next = after;
    } while (next !== undefined);
  }

  async #page(after: string | undefined): Promise<{ keys: string[]; after: string | undefined }> {
    const list = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: after });
    const page = await this.#client.send(list).catch(failWith('the list of erasures could not be read'));
    return { keys: (page.Contents ?? []).flatMap(({ Key }) => Key ?? []), after: page.NextContinuationToken };
  }

  async #read(key: string): Promise<ErasureEntry> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return entryOfText((await Body?.transformToString()) ?? '');
    } catch (error) {
      throw failureOf(error, 'an entry of the list of erasures could not be read');
    }
  }
}
