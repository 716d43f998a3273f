import * as z from 'zod';
import { noContent, type StoredDocument, storedDocument } from '../domain/content/document.ts';
import { type LinkedContent, linked } from '../domain/content/link.ts';
import { type DeclaredLookup, declaredLookup, declaredLookups } from '../domain/lookup.ts';
import { type Team, teamSchema } from '../domain/team.ts';
import { timestamp } from '../domain/timestamp.ts';
import type { Database, Item } from './database.ts';
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
export class ContentCatalogue {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #contents = new Map<string, { content: Promise<Content>; until: number }>();
  readonly #lookups = new Map<string, { lookups: Promise<readonly DeclaredLookup[]>; until: number }>();
  /** By owner, the latest revision that was read. */
  readonly #documents = new Map<string, { revision: string; document: Promise<StoredDocument> }>();
  readonly #linked = new Map<string, { sources: readonly unknown[]; content: Content }>();

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** For showing: the content as it was at most {@link contentCachedFor} ago. */
  load(teamId: string): Promise<Content> {
    const cached = this.#contents.get(teamId);
    if (cached && this.#now() < cached.until) return cached.content;
    const content = this.current(teamId);
    keep(this.#contents, teamId, { content, until: this.#now() + contentCachedFor });
    content.catch(() => this.#contents.delete(teamId));
    return content;
  }

  /** The fields that contacts are written with, as they were at most {@link contentCachedFor} ago: one small read. */
  lookups(teamId: string): Promise<readonly DeclaredLookup[]> {
    const cached = this.#lookups.get(teamId);
    if (cached && this.#now() < cached.until) return cached.lookups;
    const lookups = loadLookups(this.#database, teamId);
    keep(this.#lookups, teamId, { lookups, until: this.#now() + contentCachedFor });
    lookups.catch(() => this.#lookups.delete(teamId));
    return lookups;
  }

  /** The same as they were read last, however long ago: good for a guess. */
  lastLookups(teamId: string): Promise<readonly DeclaredLookup[]> | undefined {
    return this.#lookups.get(teamId)?.lookups;
  }

  /** For deciding: the content as it is now. One round trip, and one more for a revision that was never read. */
  async current(teamId: string): Promise<Content> {
    const keys = [contentKey(teamId), contentKey(globalTeam), teamKey(teamId)];
    const [ownItem, globalItem, teamItem] = await this.#database.get(keys);
    const [own, global] = await Promise.all([this.#document(teamId, ownItem), this.#document(globalTeam, globalItem)]);
    const team = teamItem && teamSchema.parse(teamItem);
    const sources = [own, global, team?.updated_at, team?.secret_id];
    const before = this.#linked.get(teamId);
    if (before?.sources.every((source, index) => source === sources[index])) return before.content;
    const revision = ownItem ? pointerSchema.parse(ownItem).revision : null;
    const content = { ...linked(own, global, { teamId, team: team ? shownTeamOf(team) : null }), team, revision };
    keep(this.#linked, teamId, { sources, content });
    return content;
  }

  async #document(owner: string, item: Item | undefined): Promise<StoredDocument> {
    const pointer = item && pointerSchema.parse(item);
    if (!pointer) return noContent;
    const read = this.#documents.get(owner);
    if (read?.revision === pointer.revision) return read.document;
    const document = readRevision(this.#database, owner, pointer);
    keep(this.#documents, owner, { revision: pointer.revision, document });
    document.catch(() => this.#documents.delete(owner));
    return document;
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

const shownTeamOf = ({ team_id, name, privacy_policy_url, terms_of_service_url, updated_at }: Team) => ({
  id: team_id,
  name,
  privacy_policy_url,
  terms_of_service_url,
  updated_at,
});

/** Keeps the entry, and no more than {@link teamsKept} of them: the oldest goes. */
function keep<Entry>(entries: Map<string, Entry>, name: string, entry: Entry): void {
  entries.delete(name);
  entries.set(name, entry);
  if (entries.size > teamsKept) entries.delete(entries.keys().next().value!);
}
