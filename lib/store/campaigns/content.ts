import * as z from 'zod';
import { BoundedCache, LoadCache } from '../../cache.ts';
import type { StoredDocument } from '../../domain/campaigns/document.ts';
import { changedDurations } from '../../domain/campaigns/durations.ts';
import { type LinkedContent, linked, noContent } from '../../domain/campaigns/link.ts';
import { changedPlans } from '../../domain/campaigns/message-plan.ts';
import { type DeclaredLookup, declaredLookup, declaredLookups } from '../../domain/contacts/lookup.ts';
import type { Team } from '../../domain/teams/team.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import {
  all,
  chunksOf,
  type Database,
  type Item,
  readOne,
  type Upsert,
  versioned,
  type Write,
  writeOne,
} from '../table/database.ts';
import { contentKey, contentPartition, contentPartKey, globalTeam, type Key, teamKey } from '../table/keys.ts';
import { partsOf, textOf } from '../table/parts.ts';
import { itemReader } from '../table/stored-item.ts';
import { teamOf } from '../teams/teams.ts';
import { planWrite } from '../waiting-work/due-work.ts';
import { storedContentOf } from './stored-content.ts';

/**
 * All content of a team is one document, in revisions that never change. A pointer names the current revision. So a
 * change of any size takes effect at once, and a revision that was read once can be cached without a limit in time.
 * Earlier revisions are kept, because responses name the revision that the person saw.
 */
const pointerSchema = z.object({
  revision: z.string(),
  parts: z.int(),
  version: z.int(),
  /** The fields that the channels declare for lookups. They are stored here because contact writes need only them. */
  lookups: z.array(declaredLookup),
});
type Pointer = z.output<typeof pointerSchema>;

const pointerOf: (item: unknown) => Pointer = itemReader('content pointer', pointerSchema);

/** The content, and the version of its pointer as the condition of the next change; 0 if there is no pointer yet. */
export type StoredContent = {
  document: StoredDocument;
  version: number;
  revision?: string;
  lookups: readonly DeclaredLookup[];
};

export type Content = LinkedContent & {
  /** The owner of the content; `undefined` if the team does not exist. */
  team: Team | undefined;
  /** The revision of the team's own content; `null` if the team has none. */
  revision: string | null;
};

/** Milliseconds for which content is cached. Changes are visible after this time at the latest. */
export const contentCachedFor = 5_000;
/** Number of teams whose content a function instance caches. */
const maxTeams = 100;

/** Caches the content of teams in a function instance. */
export class ContentCache {
  readonly #database: Database;
  readonly #contents: LoadCache<Content>;
  readonly #lookups: LoadCache<readonly DeclaredLookup[]>;
  /** By owner and revision. */
  readonly #documents = new LoadCache<StoredDocument>(maxTeams);
  /** By everything that the linked content depends on. */
  readonly #linked = new BoundedCache<Content>(maxTeams);

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#contents = new LoadCache(maxTeams, { maxAge: contentCachedFor, now });
    this.#lookups = new LoadCache(maxTeams, { maxAge: contentCachedFor, now });
  }

  /** For display: the content, at most {@link contentCachedFor} milliseconds old. */
  load(teamId: string): Promise<Content> {
    return this.#contents.get(teamId, () => this.current(teamId));
  }

  /** The team's declared lookups, at most {@link contentCachedFor} milliseconds old: one small read. */
  lookups(teamId: string): Promise<readonly DeclaredLookup[]> {
    return this.#lookups.get(teamId, () => loadLookups(this.#database, teamId));
  }

  /** The declared lookups from the last read, of any age. Use them only as a guess. */
  lastLookups(teamId: string): Promise<readonly DeclaredLookup[]> | undefined {
    return this.#lookups.last(teamId);
  }

  /** For decisions and responses: the current content. One round trip, and one more for a new revision. */
  async current(teamId: string): Promise<Content> {
    const keys = [contentKey(teamId), contentKey(globalTeam), teamKey(teamId)];
    const [ownItem, globalItem, teamItem] = await this.#database.get(keys);
    const [ownPointer, globalPointer] = [ownItem, globalItem].map((item) => item && pointerOf(item));
    const [own, global] = await Promise.all([
      this.#document(teamId, ownPointer),
      this.#document(globalTeam, globalPointer),
    ]);
    const team = teamItem && teamOf(teamItem);
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

/** The current stored content of the owner: a team, or {@link globalTeam}. */
export async function loadStoredContent(database: Database, owner: string): Promise<StoredContent> {
  const pointer = await loadPointer(database, owner);
  if (!pointer) return { document: noContent, version: 0, lookups: [] };
  const { version, revision, lookups } = pointer;
  return { document: await readRevision(database, owner, pointer), version, revision, lookups };
}

/**
 * Replaces the content that was read with the document. Writes first all parts, then the pointer. False if another
 * write changed the content first.
 * @param saving.revision a fresh id
 * @param saving.now milliseconds since the epoch
 * @param saving.beside is written in one transaction with the pointer
 */
export async function saveContent(
  database: Database,
  owner: string,
  document: StoredDocument,
  {
    before,
    revision,
    now,
    beside = [],
  }: { before: StoredContent; revision: string; now: number; beside?: readonly Write[] },
): Promise<boolean> {
  const parts = await partsOf(document);
  const items = parts.map((data, part) => ({ ...contentPartKey(owner, revision, part), data }));
  await database.write(items.map((item) => ({ kind: 'insert', item })));
  const fields = document.engagement_channels.flatMap(({ lookup_fields }) => lookup_fields);
  const lookups = declaredLookups(before.lookups, fields, timestamp(now));
  const pointer = { revision, parts: parts.length, lookups };
  const write = versioned(contentKey(owner), before.version, pointer);
  const plans = plansOf(owner, before.document, document, now);
  if (await savePointer(database, [write, ...beside], plans)) return true;
  // If the response was lost, the retry of the write fails its condition. So the stored revision decides.
  const stored = await loadPointer(database, owner);
  if (stored?.revision === revision) return true;
  // After a later version, this revision may have been current for a moment, so it is kept.
  if (stored?.version === before.version + 1) await expireParts(database, owner, pointer, now);
  return false;
}

/** Longer than any cache of content, running invocation and lag of an index. */
const planAfter = 120_000;

/**
 * Asks for walks over the journeys of the templates whose duration has changed, or messages. They change nothing if it has
 * not. A message can be due soon, so its campaign is walked at once, too.
 */
function plansOf(owner: string, before: StoredDocument, document: StoredDocument, now: number): Write[] {
  const messages = changedPlans(before, document);
  const later = new Set([...changedDurations(before, document), ...messages]);
  const walk = (at: number) => (templateId: string) => planWrite(owner, timestamp(at), templateId);
  return [...messages.map(walk(now)), ...[...later].map(walk(now + planAfter))];
}

/** Writes the pointer, with what is one transaction with it. Plans that are too many are written before. */
async function savePointer(
  database: Database,
  writes: readonly [Upsert, ...Write[]],
  plans: readonly Write[],
): Promise<boolean> {
  const left = 100 - writes.length;
  for (const group of chunksOf(plans.slice(left), 100)) await database.transact(group);
  const all = [...writes, ...plans.slice(0, left)];
  return all.length === 1 ? writeOne(database, writes[0]) : database.transact(all);
}

/** The document of a current or earlier revision; `undefined` if it is not stored. */
export async function loadRevision(
  database: Database,
  owner: string,
  revision: string,
): Promise<StoredDocument | undefined> {
  const items = await all(database, { pk: contentPartition(owner, revision) });
  return items.length === 0 || items.some((item) => item.expires_at !== undefined) ? undefined : documentOf(items);
}

const loadPointer = (database: Database, owner: string): Promise<Pointer | undefined> =>
  readOne(database, contentKey(owner), pointerOf);

/** The team's current declared lookups. */
export const loadLookups = async (database: Database, teamId: string): Promise<readonly DeclaredLookup[]> =>
  (await loadPointer(database, teamId))?.lookups ?? [];

/**
 * Records that the indexes of these lookups contain every contact. A lookup that was declared again since stays
 * unfilled.
 * @returns false if another write changed the content at the same time
 */
export async function markFilled(
  database: Database,
  teamId: string,
  filled: readonly DeclaredLookup[],
): Promise<boolean> {
  const pointer = await loadPointer(database, teamId);
  if (!pointer) return true;
  const { version, lookups: stored } = pointer;
  const isFilled = (each: DeclaredLookup) =>
    filled.some(({ field, slot, declared_at }) => {
      return each.field === field && each.slot === slot && each.declared_at === declared_at;
    });
  const lookups = stored.map((each) => ({ ...each, filled: each.filled || isFilled(each) }));
  return writeOne(database, versioned(contentKey(teamId), version, { lookups }));
}

/** Makes the parts of a revision expire that was never current. */
async function expireParts(database: Database, owner: string, lost: Pick<Pointer, 'revision' | 'parts'>, now: number) {
  const set = { expires_at: Math.floor(now / 1000) };
  await database.write(partKeys(owner, lost).map((key) => ({ kind: 'update', key, set, expect: {} })));
}

const partKeys = (owner: string, { revision, parts }: Pick<Pointer, 'revision' | 'parts'>): Key[] =>
  Array.from({ length: parts }, (_, part) => contentPartKey(owner, revision, part));

async function readRevision(database: Database, owner: string, pointer: Pointer): Promise<StoredDocument> {
  return documentOf(await database.get(partKeys(owner, pointer)));
}

const documentOf = async (parts: readonly (Item | undefined)[]): Promise<StoredDocument> =>
  storedContentOf(await textOf(parts.map((item) => item?.data as Uint8Array)));

export const shownTeamOf = ({ team_id, name, privacy_policy_url, terms_of_service_url, updated_at }: Team) => ({
  id: team_id,
  name,
  privacy_policy_url,
  terms_of_service_url,
  updated_at,
});
