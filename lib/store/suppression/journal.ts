import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import * as z from 'zod';
import { suppressionReasons, suppressionScopes } from '../../domain/suppression/suppression.ts';
import { failureOf, failWith } from '../table/errors.ts';
import { itemReader, jsonText, storedTime } from '../table/stored-item.ts';

/**
 * The journal of the lists of addresses. It is outside of the table, because a restore returns the table to a time before
 * somebody left. It has keyed hashes and ids: no address and no other personal data.
 */

const journalEntry = z.object({
  format: z.literal(1),
  at: storedTime,
  team_id: z.string(),
  /** Left out of a contact that left without an address. */
  hash: z.string().optional(),
  /** `removed`: the address is not listed for marketing any more; with `all`, for nothing. */
  change: z.enum(['added', 'removed']),
  for: z.enum(suppressionScopes),
  reason: z.enum(suppressionReasons).optional(),
  /** The contact that left or came back. */
  contact_id: z.string().optional(),
  id: z.string(),
  /** Why an administrator took the address off the list. */
  note: z.string().optional(),
});
export type JournalEntry = z.output<typeof journalEntry>;

/** Entries are added and never changed. */
export interface SuppressionJournal {
  /** The entry is stored durably when this returns. */
  add(entry: JournalEntry): Promise<void>;
  /** The entries of a team in the order of their times. */
  entries(teamId: string): AsyncIterable<JournalEntry>;
}

const entryOfText = itemReader('entry of the journal of addresses', jsonText(journalEntry));

const prefix = 'suppression/';
/** Objects that are read in parallel. */
const atOnce = 16;

export class S3SuppressionJournal implements SuppressionJournal {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(bucket: string, client: S3Client) {
    this.#client = client;
    this.#bucket = bucket;
  }

  async add(entry: JournalEntry): Promise<void> {
    const Key = `${prefix}${entry.team_id}/${entry.at.replaceAll(/[^0-9TZ]/g, '')}-${entry.id}.json`;
    const put = { Bucket: this.#bucket, Key, Body: JSON.stringify(entry), ContentType: 'application/json' };
    await this.#client
      .send(new PutObjectCommand(put))
      .catch(failWith('the leaving could not be added to the journal of addresses'));
  }

  async *entries(teamId: string): AsyncGenerator<JournalEntry> {
    const of = { Bucket: this.#bucket, Prefix: `${prefix}${teamId}/` };
    let after: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
    while (after) {
      const list = new ListObjectVersionsCommand({ ...of, ...after });
      const page: ListObjectVersionsCommandOutput = await this.#client
        .send(list)
        .catch(failWith('the journal of addresses could not be read'));
      const keys = (page.Versions ?? []).flatMap(({ Key }) => Key ?? []);
      for (let at = 0; at < keys.length; at += atOnce) {
        yield* await Promise.all(keys.slice(at, at + atOnce).map((key) => this.#read(key)));
      }
      after = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
        : undefined;
    }
  }

  async #read(key: string): Promise<JournalEntry> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return entryOfText((await Body?.transformToString()) ?? '');
    } catch (error) {
      throw failureOf(error, 'an entry of the journal of addresses could not be read');
    }
  }
}
