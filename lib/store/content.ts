import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { LoadCache } from '../cache.ts';
import { noContent, type StoredDocument, storedDocument } from '../domain/content/document.ts';
import { type LinkedContent, linked } from '../domain/content/link.ts';
import { type DeclaredLookup, declaredLookup, declaredLookups } from '../domain/lookup.ts';
import { type Team, teamSchema } from '../domain/team.ts';
import { timestamp } from '../domain/timestamp.ts';
import type { Database } from './database.ts';
import { contentKey, contentPartKey, globalTeam, type Key, teamKey } from './keys.ts';
import { partsOf, textOf } from './parts.ts';

/**
 * All content of a team is one document, immutable once it is written. A pointer names the revision that counts, so a
 * change of any size happens at one instant, and what has been read of a revision never has to be read again.
 */
const pointerSchema = z.object({
  revision: z.string(),
  parts: z.int(),
  version: z.int(),
  /** The fields that the channels declare for lookups: contact writes need them without the content. */
  lookups: z.array(declaredLookup).default([]),
});
type Pointer = z.output<typeof pointerSchema>;

/** The content, and the version of the pointer that a change must still find; 0 where there is none yet. */
export type StoredContent = {
  document: StoredDocument;
  version: number;
  revision?: string;
  parts: number;
  lookups: readonly DeclaredLookup[];
};

export type Content = LinkedContent & {
  /** Whose content it is; nothing where the team does not exist. */
  team: Team | undefined;
  /** Which revision of the team's own content it is; `null` where it has none. */
  revision: string | null;
};

/** Content is shown as it was at most this long ago, in milliseconds. */
export const contentCachedFor = 5_000;
/** Whoever has read the pointer before it moved still finds the parts that it named, for a day (in seconds). */
const oldRevisionKept = 24 * 3600;
/** Teams whose content an instance keeps. */
const teamsKept = 100;

/** The content of teams, as every instance of a function keeps it. */
export class ContentCache {
  readonly #database: Database;
  readonly #contents: LoadCache<Content>;
  readonly #lookups: LoadCache<readonly DeclaredLookup[]>;
  /** By owner and revision. */
  readonly #documents = new LoadCache<StoredDocument>(teamsKept);
  /** By all that it is made from. */
  readonly #linked = new LRUCache<string, Content>({ max: teamsKept });

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#contents = new LoadCache(teamsKept, { maxAge: contentCachedFor, now });
    this.#lookups = new LoadCache(teamsKept, { maxAge: contentCachedFor, now });
  }

  /** For showing: the content as it was at most {@link contentCachedFor} ago. */
  load(teamId: string): Promise<Content> {
    return this.#contents.get(teamId, () => this.current(teamId));
  }

  /** The fields that contacts are written with, as they were at most {@link contentCachedFor} ago: one small read. */
  lookups(teamId: string): Promise<readonly DeclaredLookup[]> {
    return this.#lookups.get(teamId, () => loadLookups(this.#database, teamId));
  }

  /** The same as they were read last, however long ago: good for a guess. */
  lastLookups(teamId: string): Promise<readonly DeclaredLookup[]> | undefined {
    return this.#lookups.last(teamId);
  }

  /** For deciding: the content as it is now. One round trip, and one more for a revision that was never read. */
  async current(teamId: string): Promise<Content> {
    const keys = [contentKey(teamId), contentKey(globalTeam), teamKey(teamId)];
    const [ownItem, globalItem, teamItem] = await this.#database.get(keys);
    const [ownPointer, globalPointer] = [ownItem, globalItem].map((item) => item && pointerSchema.parse(item));
    const [own, global] = await Promise.all([
      this.#document(teamId, ownPointer),
      this.#document(globalTeam, globalPointer),
    ]);
    const team = teamItem && teamSchema.parse(teamItem);
    const revision = ownPointer?.revision ?? null;
    const name = JSON.stringify([teamId, revision, globalPointer?.revision, team?.updated_at, team?.secret_id]);
    const before = this.#linked.get(name);
    if (before) return before;
    const content = { ...linked(own, global, { teamId, team: team ? shownTeamOf(team) : null }), team, revision };
    this.#linked.set(name, content);
    return content;
  }

  async #document(owner: string, pointer: Pointer | undefined): Promise<StoredDocument> {
    if (!pointer) return noContent;
    return this.#documents.get(`${owner}#${pointer.revision}`, () => readRevision(this.#database, owner, pointer));
  }
}

/** What is stored for the owner (a team, or {@link globalTeam}) now. */
export async function loadStoredContent(database: Database, owner: string): Promise<StoredContent> {
  const pointer = await loadPointer(database, owner);
  if (!pointer) return { document: noContent, version: 0, parts: 0, lookups: [] };
  return { ...pointer, document: await readRevision(database, owner, pointer) };
}

/**
 * Puts the document in place of what was read, whole: first all its parts, then the pointer. False where somebody else
 * was quicker.
 * @param revision a fresh id @param now milliseconds since the epoch
 */
export async function saveContent(
  database: Database,
  owner: string,
  document: StoredDocument,
  { before, revision, now }: { before: StoredContent; revision: string; now: number },
): Promise<boolean> {
  const parts = await partsOf(document);
  const items = parts.map((data, part) => ({ ...contentPartKey(owner, revision, part), data }));
  await database.write(items.map((item) => ({ kind: 'insert', item })));
  const key = contentKey(owner);
  const fields = document.engagement_channels.flatMap(({ lookup_fields }) => lookup_fields);
  const lookups = declaredLookups(before.lookups, fields, timestamp(now));
  const pointer = { revision, parts: parts.length, version: before.version + 1, lookups };
  const [moved] = await database.write([
    before.version === 0
      ? { kind: 'insert', item: { ...key, ...pointer } }
      : { kind: 'update', key, set: pointer, expect: { version: before.version } },
  ]);
  // A write whose answer was lost and that was sent again finds itself in its own way.
  const counts = moved || (await loadPointer(database, owner))?.revision === revision;
  await expireParts(database, owner, counts ? before : pointer, now);
  return counts;
}

async function loadPointer(database: Database, owner: string): Promise<Pointer | undefined> {
  const [item] = await database.get([contentKey(owner)]);
  return item && pointerSchema.parse(item);
}

/** The team's declared lookups now. */
export const loadLookups = async (database: Database, teamId: string): Promise<readonly DeclaredLookup[]> =>
  (await loadPointer(database, teamId))?.lookups ?? [];

/**
 * Notes that the indexes of these lookups hold every contact. One that was declared anew meanwhile stays unfilled.
 * @returns false where the content was changed at that moment
 */
export async function markFilled(
  database: Database,
  teamId: string,
  filled: readonly DeclaredLookup[],
): Promise<boolean> {
  const key = contentKey(teamId);
  const [item] = await database.get([key]);
  if (!item) return true;
  const { version, lookups: stored } = pointerSchema.parse(item);
  const isFilled = (each: DeclaredLookup) =>
    filled.some(({ field, slot, declared_at }) => {
      return each.field === field && each.slot === slot && each.declared_at === declared_at;
    });
  const lookups = stored.map((each) => ({ ...each, filled: each.filled || isFilled(each) }));
  const set = { lookups, version: version + 1 };
  const [written] = await database.write([{ kind: 'update', key, set, expect: { version } }]);
  return written === true;
}

/** Lets the parts of a revision that does not count go, after a day. */
async function expireParts(
  database: Database,
  owner: string,
  old: Pick<StoredContent, 'revision' | 'parts'>,
  now: number,
) {
  const set = { expires_at: Math.floor(now / 1000) + oldRevisionKept };
  await database.write(partKeys(owner, old).map((key) => ({ kind: 'update', key, set, expect: {} })));
}

const partKeys = (owner: string, { revision = '', parts }: Pick<StoredContent, 'revision' | 'parts'>): Key[] =>
  Array.from({ length: parts }, (_, part) => contentPartKey(owner, revision, part));

async function readRevision(database: Database, owner: string, pointer: Pointer): Promise<StoredDocument> {
  const items = await database.get(partKeys(owner, pointer));
  return storedDocument.parse(JSON.parse(await textOf(items.map((item) => item?.data as Uint8Array))));
}

export const shownTeamOf = ({ team_id, name, privacy_policy_url, terms_of_service_url, updated_at }: Team) => ({
  id: team_id,
  name,
  privacy_policy_url,
  terms_of_service_url,
  updated_at,
});
