import * as z from 'zod';
import { type JsonValue, readJson } from '../../domain/values/json.ts';
import { type Database, pages, readOne, type Write, writeOne } from '../table/database.ts';
import {
  contentPartKey,
  contentRevisionKey,
  contentRevisionPrefix,
  pendingContentKey,
  revisionsPartition,
} from '../table/keys.ts';
import { partsOf, textOf } from '../table/parts.ts';
import { itemReader, storedTime } from '../table/stored-item.ts';
import { publicationInsertion } from '../waiting-work/due-work.ts';

/** The history of an owner's content, and the document that waits for its time or for approval. */

/** Who changed what, and why. `who` is `null` if a command did it that is not about content. */
const act = {
  revision: z.string(),
  at: storedTime,
  who: z.string().nullable(),
  what: z.enum(['import', 'restore', 'reset']),
  /** The revision that a restore brings back. */
  restores: z.string().optional(),
  /** Of one that waits, or has waited, for this time. The service publishes it then. */
  publish_at: storedTime.optional(),
  approved_by: z.string().optional(),
  template_ids: z.array(z.string()),
  /** What changes, a line for each object; at most {@link mostChanges}. */
  changes: z.array(z.string()),
};
const publishedSchema = z.object(act);
export type PublishedRevision = z.output<typeof publishedSchema>;
const pendingSchema = z.object({
  ...act,
  who: z.string(),
  parts: z.int(),
  accept_moves: z.boolean(),
  new: z.boolean(),
  /** How often the service has begun to publish it. */
  attempts: z.int().optional(),
  /** Why the service did not publish it at its time: the code of the error, and what is wrong. It is not tried again. */
  refused: z
    .object({
      at: storedTime,
      error: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() })),
    })
    .optional(),
});
export type PendingRevision = z.output<typeof pendingSchema>;

/** An item has 400 KB. */
const mostChanges = 100;
const longestChange = 500;

const bounded = <Act extends { changes: string[] }>(given: Act): Act => {
  const more = given.changes.length - mostChanges;
  const lines = given.changes.slice(0, mostChanges).map((line) => line.slice(0, longestChange).toWellFormed());
  return { ...given, changes: more > 0 ? [...lines, `and ${more} more`] : lines };
};

const revisionOf = itemReader('content revision', publishedSchema);
const pendingOf = itemReader('pending content', pendingSchema);

/** For the transaction that makes it the current one. @param version that the pointer gets */
export const revisionInsertion = (owner: string, version: number, revision: PublishedRevision): Write => ({
  kind: 'insert',
  item: { ...contentRevisionKey(owner, version), ...bounded(revision) },
});

/** The published revisions, newest first. */
export async function* publishedRevisions(database: Database, owner: string): AsyncGenerator<PublishedRevision> {
  const query = { pk: revisionsPartition(owner), descending: true, after: `${contentRevisionPrefix}~` };
  for await (const items of pages(database, query)) yield* items.map(revisionOf);
}

export const loadPending = (database: Database, owner: string): Promise<PendingRevision | undefined> =>
  readOne(database, pendingContentKey(owner), pendingOf);

/** Writes first the document, then the item that names it. False if another document waits. */
export async function insertPending(
  database: Database,
  owner: string,
  pending: Omit<PendingRevision, 'parts'>,
  document: JsonValue,
): Promise<boolean> {
  const parts = await partsOf(document);
  const items = parts.map((data, part) => ({ ...contentPartKey(owner, pending.revision, part), data }));
  await database.write(items.map((item) => ({ kind: 'insert', item })));
  const item = { ...pendingContentKey(owner), ...bounded({ ...pending, parts: parts.length }) };
  const { publish_at: at, revision } = pending;
  const due = at === undefined ? [] : [publicationInsertion(owner, at, revision)];
  const isWritten = await database.transact([{ kind: 'insert', item }, ...due]);
  // If the response was lost, the retry of the write fails its condition. So the stored item decides.
  return isWritten || (await loadPending(database, owner))?.revision === pending.revision;
}

/** The document as it was given. */
export async function pendingDocument(
  database: Database,
  owner: string,
  { revision, parts }: Pick<PendingRevision, 'revision' | 'parts'>,
): Promise<JsonValue> {
  const items = await database.get(partKeys(owner, { revision, parts }));
  return readJson(await textOf(items.map((item) => partOf(item).data)));
}

const partOf = itemReader('part of a revision', z.object({ data: z.instanceof(Uint8Array) }));

/** For the transaction that publishes it, or withdraws it. */
export const pendingDeletion = (owner: string, { revision }: Pick<PendingRevision, 'revision'>): Write => ({
  kind: 'delete',
  key: pendingContentKey(owner),
  expect: { revision },
});

/** Changes the document that waits with this id. False if none does. */
export const changePending = (
  database: Database,
  owner: string,
  revision: string,
  set: Pick<PendingRevision, 'attempts' | 'refused' | 'approved_by'>,
): Promise<boolean> => writeOne(database, { kind: 'update', key: pendingContentKey(owner), set, expect: { revision } });

/** Makes the document expire that no longer waits. */
export async function expirePending(
  database: Database,
  owner: string,
  pending: Pick<PendingRevision, 'revision' | 'parts'>,
  now: number,
): Promise<void> {
  const set = { expires_at: Math.floor(now / 1000) };
  await database.write(partKeys(owner, pending).map((key) => ({ kind: 'update', key, set, expect: {} })));
}

const partKeys = (owner: string, { revision, parts }: Pick<PendingRevision, 'revision' | 'parts'>) =>
  Array.from({ length: parts }, (_, part) => contentPartKey(owner, revision, part));
