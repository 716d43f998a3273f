import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import {
  ContentCache,
  contentCachedFor,
  loadRevision,
  loadStoredContent,
} from '../../../lib/store/campaigns/content.ts';
import type { Database, Upsert } from '../../../lib/store/table/database.ts';
import type { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { contentPartKey } from '../../../lib/store/table/keys.ts';
import { projectRoot } from '../../support/architecture/sources.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';

const sample = JSON.parse(readFileSync(`${projectRoot}/examples/campaigns.json`, 'utf8'));

let database: DynamoDatabase;
let team: string;
let trips: number;
beforeEach(async () => {
  ({ database } = await freshTable({
    onConsumed: () => {
      trips++;
    },
  }));
  team = await newTeam(database);
  trips = 0;
});

const put = (document: object, into: Database = database, owner: string | null = team) =>
  importContent(
    { ...serviceOn(into, { pause: async () => {} }), fits: () => true },
    owner,
    document as unknown as JsonValue,
  );
const named = (name: string, css?: string) => ({ templates: [{ name, ...(css === undefined ? {} : { css }) }] });
const names = async () => (await loadStoredContent(database, team)).document.templates.map(({ name }) => name);

const isPointer = (write: Upsert) =>
  write.kind === 'update' ? write.key.sk === 'CONTENT' : write.item.sk === 'CONTENT';

/** A database that runs something else just before the pointer is moved. */
const atThePointer = (happen: (writes: readonly Upsert[]) => Promise<boolean[]>): Database => ({
  get: (keys) => database.get(keys),
  query: (input) => database.query(input),
  transact: async (writes) =>
    writes.some((write) => isPointer(write as Upsert))
      ? (await happen(writes as Upsert[])).every(Boolean)
      : database.transact(writes),
  write: (writes) => (writes.some(isPointer) ? happen(writes) : database.write(writes)),
});

const partsOf = async (revision: string) => {
  const { pk } = contentPartKey(team, revision, 0);
  return (await database.query({ pk })).items;
};

test('a page that outgrows an item is stored in parts and read back whole', async () => {
  const content = randomBytes(900_000).toString('base64');
  await put({ templates: [{ name: 'Large', template_pages: [{ page: { content } }] }] });
  const { document, revision } = await loadStoredContent(database, team);
  expect((await partsOf(revision!)).length).toBeGreaterThan(2);
  expect(await loadRevision(database, team, revision!)).toEqual(document);
  const { templates } = await new ContentCache(database, Date.now).load(team);
  expect(templates[0]!.template_pages[0]!.page.content).toBe(content);
});

test('an import that changes nothing writes nothing', async () => {
  await put(sample);
  const before = await loadStoredContent(database, team);
  const { counts } = await put(sample, {
    get: (keys) => database.get(keys),
    query: (input) => database.query(input),
    write: () => Promise.reject(new Error('a write')),
    transact: () => Promise.reject(new Error('a write')),
  });
  expect(counts.templates).toEqual({ created: 0, updated: 0, unchanged: sample.templates.length });
  expect(await loadStoredContent(database, team)).toEqual(before);
});

describe('an import is all or nothing', () => {
  test('when it dies before the pointer moves, and can be made again', async () => {
    await put(named('before'));
    const crash = atThePointer(() => Promise.reject(new Error('died')));
    await expect(put(sample, crash)).rejects.toThrow('died');
    expect(await names()).toEqual(['before']);
    expect((await put(sample)).counts.templates.created).toBe(sample.templates.length);
    expect(await names()).toEqual(['before', ...sample.templates.map(({ name }: { name: string }) => name)]);
  });

  test('and of two at once none is lost, whichever comes first', async () => {
    await put(named('first'));
    let rival = async () => {
      rival = async () => {};
      await put(named('rival'));
    };
    const overtaken = atThePointer(async (writes) => {
      await rival();
      return database.write(writes);
    });
    await put(named('overtaken'), overtaken);
    expect(await names()).toEqual(['first', 'rival', 'overtaken']);
    await Promise.all(['a', 'b', 'c'].map((name) => put(named(name))));
    expect((await names()).sort()).toEqual(['a', 'b', 'c', 'first', 'overtaken', 'rival']);
  });

  test('and what no answer could hold is not taken', async () => {
    const dependencies = { ...serviceOn(database), fits: () => false };
    const refused = importContent(dependencies, team, named('x') as unknown as JsonValue);
    await expect(refused).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await names()).toEqual([]);
  });
});

describe('an instance', () => {
  test('shows content as it was at most five seconds ago, and decides by what is stored now', async () => {
    let clock = Date.now();
    const cache = new ContentCache(database, () => clock);
    expect((await cache.load(team)).templates).toEqual([]);
    await put(named('new'));
    expect((await cache.load(team)).templates).toEqual([]);
    expect((await cache.current(team)).templates).toHaveLength(1);
    clock += contentCachedFor;
    expect((await cache.load(team)).templates).toMatchObject([{ name: 'new', team: { id: team, name: 'Test' } }]);
    expect(contentCachedFor).toBe(5_000);
  });

  test('has each new revision of the global objectives, beside content of its own that stays', async () => {
    await put(named('own'));
    const cache = new ContentCache(database, () => 0);
    for (const keys of [['debit_card'], ['debit_card', 'mobile_app']]) {
      await put({ objectives: keys.map((key) => ({ key })) }, database, null);
      const { objectives, templates } = await cache.current(team);
      expect(objectives.map(({ key }) => key)).toEqual(keys);
      expect(templates).toMatchObject([{ name: 'own' }]);
    }
  });

  test('reads a revision once, and after that its pointer alone', async () => {
    await put(sample);
    const cache = new ContentCache(database, () => 0);
    trips = 0;
    await cache.current(team);
    expect(trips).toBe(2);
    await cache.current(team);
    expect(trips).toBe(3);
    await cache.load(team);
    await cache.load(team);
    expect(trips).toBe(4);
  });

  test('tries again after a failed read', async () => {
    let fails = true;
    const flaky: Database = {
      ...atThePointer(() => Promise.resolve([])),
      get: (keys) => (fails ? Promise.reject(new Error('away')) : database.get(keys)),
    };
    const cache = new ContentCache(flaky, Date.now);
    await expect(cache.load(team)).rejects.toThrow('away');
    fails = false;
    expect((await cache.load(team)).templates).toEqual([]);
  });
});
