import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { applyContent } from '../../../lib/content/apply.ts';
import { readDocument } from '../../../lib/content/read.ts';
import { type StoredDocument, storedDocument } from '../../../lib/domain/campaigns/document.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import type { DeclaredLookup } from '../../../lib/domain/contacts/lookup.ts';
import { teamSchema } from '../../../lib/domain/teams/team.ts';
import {
  ContentCache,
  contentCachedFor,
  loadLookups,
  loadRevision,
  loadStoredContent,
  markFilled,
  saveContent,
  shownTeamOf,
} from '../../../lib/store/campaigns/content.ts';
import { storedContentOf } from '../../../lib/store/campaigns/stored-content.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { contentKey, contentPartKey, globalTeam } from '../../../lib/store/table/keys.ts';
import { insertTeam, saveSecret, updateTeam } from '../../../lib/store/teams/teams.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { id, now as importedAt, teamId } from '../../support/samples/content-documents.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const now = Date.parse('2026-03-01T00:00:00.999Z');
const [first, second] = ['2026-03-01T00:00:00.999000Z', '2026-03-02T00:00:00.999000Z'];

/** A document whose channel declares these fields. */
const declaring = (...lookup_fields: string[]): StoredDocument => ({
  ...noContent,
  engagement_channels: [
    {
      ...{ id: 'c', name: null, properties: null, show_navigation: null, theme_styles: null, lookup_fields },
      ...{ frame_ancestors: [], default_content: null },
    },
  ],
});
const objective = (key: string): StoredDocument => ({
  ...noContent,
  objectives: [{ id: key, team_id: null, key, name: null, driver_id: null }],
});

let database: ModelDatabase;
beforeEach(() => {
  database = new ModelDatabase();
});

async function save(document: StoredDocument, revision: string, changes: { to?: Database; at?: number } = {}) {
  const { to = database, at = now } = changes;
  return saveContent(to, team, document, { before: await loadStoredContent(to, team), revision, now: at });
}
const load = () => loadStoredContent(database, team);
const expiryOf = (revision: string) => database.read(contentPartKey(team, revision, 0))?.expires_at;
const lookup = (slot: DeclaredLookup['slot'], field: string, changes: object = {}): DeclaredLookup => ({
  ...{ slot, field, filled: false, declared_at: first },
  ...changes,
});

describe('saved content', () => {
  test('has a revision and a version, and no lookups unless fields are declared', async () => {
    expect(await load()).toEqual({ document: noContent, version: 0, lookups: [] });
    expect(await loadLookups(database, team)).toEqual([]);
    expect(await save(objective('a'), 'r1')).toBe(true);
    expect(await load()).toEqual({ document: objective('a'), version: 1, revision: 'r1', lookups: [] });
    expect(await save(declaring('email'), 'r2')).toBe(true);
    const lookups = [lookup(1, 'email')];
    expect(await load()).toEqual({ document: declaring('email'), version: 2, revision: 'r2', lookups });
    expect(await loadLookups(database, team)).toEqual(lookups);
  });

  test('is saved without another read', async () => {
    const to = { ...bound(database), get: () => Promise.reject(new Error('a read')) };
    const given = { before: await load(), revision: 'r1', now };
    expect(await saveContent(to, team, objective('a'), given)).toBe(true);
  });

  test('of which a part has expired is not stored', async () => {
    const text = randomBytes(400_000).toString('base64');
    const document = { ...objective('a'), objectives: [{ ...objective('a').objectives[0]!, name: text }] };
    await save(document, 'r1');
    expect(await loadRevision(database, team, 'r1')).toEqual(document);
    database.damage(contentPartKey(team, 'r1', 0), { expires_at: 1 });
    expect(database.read(contentPartKey(team, 'r1', 1))).toBeDefined();
    expect(await loadRevision(database, team, 'r1')).toBeUndefined();
  });

  test('keeps each revision that was current', async () => {
    for (const [at, name] of ['a', 'b', 'c'].entries()) await save(objective(name), `r${at}`);
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      expect(expiryOf(`r${at}`)).toBeUndefined();
      expect(await loadRevision(database, team, `r${at}`)).toEqual(objective(name));
    }
    expect(await loadRevision(database, team, 'r9')).toBeUndefined();
    expect(await loadRevision(database, globalTeam, 'r0')).toBeUndefined();
  });

  test('keeps a revision that may have been current for a moment', async () => {
    const write: Database['write'] = async (writes) => {
      const written = await database.write(writes);
      if (!writes.some((each) => each.kind === 'insert' && each.item.sk === 'CONTENT')) return written;
      await save(objective('b'), 'r2');
      return written.map(() => false);
    };
    expect(await save(objective('a'), 'r1', { to: { ...bound(database), write } })).toBe(false);
    expect(expiryOf('r1')).toBeUndefined();
    expect(await loadRevision(database, team, 'r1')).toEqual(objective('a'));
  });

  test('is replaced only as it was read, and the revision that was not saved expires', async () => {
    const before = await load();
    await save(objective('a'), 'r1');
    const stale = { before, revision: 'r2', now };
    expect(await saveContent(database, team, objective('b'), stale)).toBe(false);
    expect((await load()).document).toEqual(objective('a'));
    expect([expiryOf('r1'), expiryOf('r2')]).toEqual([undefined, Math.floor(now / 1000)]);
    expect(await loadRevision(database, team, 'r2')).toBeUndefined();
    const again = { ...stale, before: { ...(await load()), version: 7 } };
    expect(await saveContent(database, team, objective('b'), again)).toBe(false);
    expect(await save(objective('c'), 'r3')).toBe(true);
    expect([expiryOf('r1'), expiryOf('r3')]).toEqual([undefined, undefined]);
  });

  test('is current if the write happened and its response was lost', async () => {
    const write: Database['write'] = async (writes) => (await database.write(writes)).map(() => false);
    expect(await save(objective('a'), 'r1', { to: { ...bound(database), write } })).toBe(true);
    expect(expiryOf('r1')).toBeUndefined();
  });
});

describe('a declared lookup', () => {
  test('is filled only if it is the same', async () => {
    await save(declaring('email', 'city', 'country', 'name_first'), 'r1');
    const declared = await loadLookups(database, team);
    expect(declared.map(({ slot, field }) => [slot, field])).toEqual([
      [1, 'email'],
      [2, 'city'],
      [3, 'country'],
      [4, 'name_first'],
    ]);
    const others = [
      lookup(2, 'email'),
      lookup(2, 'name_last'),
      lookup(3, 'country', { declared_at: second }),
      lookup(4, 'name_first'),
    ];
    expect(await markFilled(database, team, others)).toBe(true);
    const isFilled = async () => (await loadLookups(database, team)).map(({ filled }) => filled);
    expect(await isFilled()).toEqual([false, false, false, true]);
    expect((await load()).version).toBe(2);
    expect(await markFilled(database, team, [lookup(1, 'email')])).toBe(true);
    expect(await isFilled()).toEqual([true, false, false, true]);
    expect((await load()).version).toBe(3);
  });

  test('is not filled if the content has changed at the same time', async () => {
    await save(declaring('email'), 'r1');
    const get: Database['get'] = async (keys) => {
      const items = await database.get(keys);
      database.damage(contentKey(team), { version: 9 });
      return items;
    };
    expect(await markFilled({ ...bound(database), get }, team, [lookup(1, 'email')])).toBe(false);
    expect(await loadLookups(database, team)).toEqual([lookup(1, 'email')]);
  });

  test('of a team without content needs nothing', async () => {
    expect(await markFilled(database, team, [])).toBe(true);
    expect(database.items.size).toBe(0);
  });
});

describe('an instance', () => {
  const stored = teamSchema.parse({
    ...{ team_id: team, name: 'Team', features: [], secret: 's', secret_id: 1, previous_secret: null },
    ...{ privacy_policy_url: 'p', terms_of_service_url: 't', language: null, timezone: null, words: null },
    ...{ inserted_at: first, updated_at: first },
  });

  test('has the lookups of the last read as a guess, and current ones after a while', async () => {
    let clock = now;
    const cache = new ContentCache(database, () => clock);
    expect(cache.lastLookups(team)).toBeUndefined();
    expect(await cache.lookups(team)).toEqual([]);
    await save(declaring('email'), 'r1');
    expect([await cache.lookups(team), await cache.lastLookups(team)]).toEqual([[], []]);
    clock += contentCachedFor;
    expect(await cache.lastLookups(team)).toEqual([]);
    expect(await cache.lookups(team)).toEqual([lookup(1, 'email')]);
    expect(await cache.lastLookups(team)).toEqual([lookup(1, 'email')]);
  });

  test('links content again only if something has changed that it depends on', async () => {
    const cache = new ContentCache(database, () => now);
    const none = await cache.current(team);
    expect(none).toMatchObject({ team: undefined, revision: null });
    await insertTeam(database, stored);
    expect((await cache.current(team)).team).toEqual(stored);
    const equal = { ...stored, team_id: team.replace('8', '9') };
    await insertTeam(database, equal);
    expect((await cache.current(equal.team_id)).team).toEqual(equal);
    await save(objective('a'), 'r1');
    const content = await cache.current(team);
    expect(content).toMatchObject({ team: stored, revision: 'r1' });
    expect(content).not.toBe(none);
    expect(await cache.current(team)).toBe(content);
    await save(objective('b'), 'r2');
    expect(await cache.current(team)).not.toBe(content);
  });

  const globalChange = async () => {
    const before = await loadStoredContent(database, globalTeam);
    return saveContent(database, globalTeam, objective('c'), { before, revision: 'g1', now });
  };
  test.each<[string, () => Promise<boolean>]>([
    ["the team's content", () => save(objective('b'), 'r2')],
    ['the global content', globalChange],
    ['the settings of the team', () => updateTeam(database, team, { name: 'Other', updated_at: second })],
    ['the secret of the team', () => saveSecret(database, { ...stored, secret: 'other', secret_id: 2 }, stored)],
  ])('is not that from before a change of %s', async (_, change) => {
    const cache = new ContentCache(database, () => now);
    await insertTeam(database, stored);
    await save(objective('a'), 'r1');
    const before = await cache.current(team);
    expect(await change()).toBe(true);
    const content = await cache.current(team);
    expect(content).not.toEqual(before);
    expect(content).toEqual(await new ContentCache(database, () => now).current(team));
  });

  test('shows of a team what anybody may see', () => {
    expect(shownTeamOf(stored)).toEqual({
      ...{ id: team, name: 'Team', privacy_policy_url: 'p', terms_of_service_url: 't', updated_at: first },
    });
  });
});

const textAt = (path: string): string => readFileSync(`${projectRoot}/${path}`, 'utf8');

/** What the import of an example stores. */
function storedOf(example: string): string {
  const { document } = readDocument(JSON.parse(textAt(`examples/${example}`)));
  let count = 0;
  const context = { teamId, features: [], globalObjectives: [], idOf: () => id(++count), now: importedAt };
  const applied = applyContent(noContent, document!, context);
  if ('errors' in applied) throw new Error(JSON.stringify(applied.errors));
  return JSON.stringify(applied.content);
}

describe('stored content is complete, as the schemas of the import would parse it', () => {
  test.each(['campaigns.json', 'mortgage.json', 'sandbox.json'])('what the import of %s stores', (example) => {
    const stored = storedOf(example);
    expect(storedContentOf(stored)).toEqual(storedDocument.parse(JSON.parse(stored)));
  });
});
