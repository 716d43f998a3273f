import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { newSecret, newSlug } from '../../lib/auth/secrets.ts';
import { accountRecord } from '../../lib/domain/account-record.ts';
import type { PageAction } from '../../lib/domain/response.ts';
import { timestamp } from '../../lib/domain/timestamp.ts';
import { fits } from '../../lib/http/reply.ts';
import { updateContact } from '../../lib/operations/contacts/update.ts';
import { upsertBatch, upsertContact } from '../../lib/operations/contacts/upsert.ts';
import { createTeam } from '../../lib/operations/create-team.ts';
import { confirmJourney } from '../../lib/operations/journeys/confirm.ts';
import { listJourneys } from '../../lib/operations/journeys/list.ts';
import { recordPageAction } from '../../lib/operations/journeys/record-action.ts';
import { type OpenJourney, openJourney, placeOfSlug, showJourney } from '../../lib/operations/journeys/show.ts';
import { startJourneys } from '../../lib/operations/journeys/start.ts';
import { ContentCatalogue } from '../../lib/store/content.ts';
import { type Database, StoreUnavailable } from '../../lib/store/database.ts';
import { insertionOf, loadContactFile } from '../../lib/store/journeys.ts';
import { derivedContactId, derivedProductId } from '../../lib/store/keys.ts';
import { ProductCatalogue } from '../../lib/store/products.ts';
import { record } from '../support/contacts.ts';
import { putContent } from '../support/content.ts';
import { applyRecords, importDependencies } from '../support/import-operations.ts';
import { ModelDatabase } from '../support/model-database.ts';

let database: Database;
let team: string;
const features = ['product_objective_reporting', 'product_objective_reporting_phase_2'] as const;

/** An institution on a table of its own. */
async function open(): Promise<void> {
  database = new ModelDatabase();
  const dependencies = { database, now: Date.now, newId: randomUUID, newSecret };
  team = (await createTeam(dependencies, { name: 'Test', features: [...features] })).team_id;
}
beforeEach(open);

/** Nothing is cached between two calls. */
const dependencies = (using = database) => ({
  database: using,
  now: Date.now,
  newId: randomUUID,
  newSlug,
  pause: async () => {},
  fits,
  content: new ContentCatalogue(using, Date.now),
  catalogue: new ProductCatalogue(using),
  baseUrl: 'https://example.com',
});
const idOf = (uniqueId: string) => derivedContactId(team, uniqueId);
const journeysOf = (uniqueId: string) => listJourneys(dependencies(), team, idOf(uniqueId));

const act = async (slug: string, action: PageAction, using = dependencies()) =>
  recordPageAction(using, await placeOfSlug(using.database, slug), action, () => false);

const objective = { id: randomUUID(), key: 'enrolled' };
const ids = {
  objective: randomUUID(),
  type: randomUUID(),
  product: randomUUID(),
  set: randomUUID(),
  view: randomUUID(),
};
const places = Object.values(ids).map(() => randomUUID());
const templateId = randomUUID();
const named = { journey: { template_id: templateId } };

const documentOf = () => {
  const pages = [
    { id: ids.objective, completion_condition: 'objective', objective_id: objective.id },
    { id: ids.type, completion_condition: 'open', completion_product_type: 'savings' },
    { id: ids.product, completion_condition: 'open', completion_product_id: derivedProductId(team, 'CD') },
    { id: ids.set, completion_condition: 'open', completion_standardized_types: ['auto_loan'] },
    { id: ids.view, completion_condition: 'view' },
  ];
  const template_pages = pages.map((page, order) => ({ id: places[order]!, order, page }));
  return { objectives: [objective], templates: [{ id: templateId, name: 'Welcome', template_pages }] };
};
/** The same template before it got its pages, or with other conditions. */
const earlier = () => {
  const { objectives, templates } = documentOf();
  const template_pages = templates[0]!.template_pages.slice(0, 2).map(({ page, ...rest }) => ({
    ...rest,
    page: { id: page.id, completion_condition: 'confirm' },
  }));
  return { objectives, templates: [{ ...templates[0]!, template_pages }] };
};

let order = 0;
const imported = async (...records: object[]) => {
  const chunk = { teamId: team, order: ++order, records: records.map((each) => accountRecord.parse(each)) };
  await applyRecords(importDependencies(database), chunk);
};
const post = (fields: object) => upsertContact(dependencies(), team, record(fields));

describe('the order law', () => {
  const contact = { unique_id: 'p' };
  const account = (account_number: string, product: object) => ({ account_number, product });
  const steps: Record<string, () => Promise<unknown>> = {
    'the contact': () => post({ unique_id: 'p', city: 'Tabor' }),
    'the objective': () => post({ unique_id: 'p', enrolled: '2026-01-01' }),
    'the journey': () => post({ unique_id: 'p', ...named }),
    'savings account': () => imported(account('1', { code: 'SAV', type: 'savings' })),
    'savings link': () => imported({ account_number: '1', contact }),
    'deposit account': () => imported({ ...account('2', { code: 'CD', type: 'investment' }), contact }),
    'car loan': () => imported(account('3', { code: 'CAR', type: 'loan', standardized_type: 'auto_loan' })),
    'car loan link': () => imported({ account_number: '3', contact: { unique_id: 'p', role: 'joint' } }),
    'the template': () => putContent(database, team, documentOf()),
  };
  const names = Object.keys(steps);

  test('in whatever order journey, account, link, contact and template come, the completions are the same', async () => {
    const orders = fc.shuffledSubarray(names, { minLength: names.length });
    await fc.assert(
      fc.asyncProperty(orders, async (sequence) => {
        await open();
        // Objective keys and templates must be known when a contact names them; what the template asks may change.
        await putContent(database, team, earlier());
        for (const name of sequence) await steps[name]!();
        const [journey] = await journeysOf('p');
        expect(journey?.analytics_cache).toMatchObject({
          is_completed: false,
          pages_completed: [ids.objective, ids.type, ids.product, ids.set],
        });
        await act(journey!.slug, { type: 'page_viewed', page_id: ids.view });
        expect((await journeysOf('p'))[0]?.analytics_cache.is_completed).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('a part of the steps completes exactly what it brings about', async () => {
    const has = (sequence: readonly string[], ...wanted: string[]) => wanted.every((name) => sequence.includes(name));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names), async (sequence) => {
        await open();
        await putContent(database, team, documentOf());
        for (const name of sequence) await steps[name]!();
        const journeys = await journeysOf('p');
        expect(journeys).toHaveLength(has(sequence, 'the journey') ? 1 : 0);
        if (journeys.length === 0) return;
        const expected = [
          [ids.objective, 'the objective'],
          [ids.type, 'savings account', 'savings link'],
          [ids.product, 'deposit account'],
          [ids.set, 'car loan', 'car loan link'],
        ].filter(([, ...wanted]) => has(sequence, ...wanted));
        expect(journeys[0]?.analytics_cache.pages_completed).toEqual(expected.map(([id]) => id));
      }),
      { numRuns: 40 },
    );
  });
});

describe('a completed journey', () => {
  test('stays completed when its template grows, for journey_completed was recorded', async () => {
    const pageId = randomUUID();
    const first = { id: randomUUID(), page: { id: pageId, completion_condition: 'view' } };
    await putContent(database, team, { templates: [{ id: templateId, name: 'W', template_pages: [first] }] });
    await post({ unique_id: 'p', ...named });
    const [{ slug } = { slug: '' }] = await journeysOf('p');
    await act(slug, { type: 'page_viewed', page_id: pageId });
    const second = { id: randomUUID(), order: 2, page: { id: randomUUID(), completion_condition: 'confirm' } };
    await putContent(database, team, { templates: [{ id: templateId, name: 'W', template_pages: [first, second] }] });
    const [journey] = await journeysOf('p');
    expect(journey?.analytics_cache).toMatchObject({ is_completed: true, is_completely_viewed: false });
  });

  test('has journey_completed recorded once, however often its last page is', async () => {
    const pageId = randomUUID();
    const template_pages = [{ id: randomUUID(), page: { id: pageId, completion_condition: 'action' } }];
    await putContent(database, team, { templates: [{ id: templateId, name: 'W', template_pages }] });
    await post({ unique_id: 'p', ...named });
    const [{ slug } = { slug: '' }] = await journeysOf('p');
    for (const type of ['page_completed', 'page_completed', 'page_viewed'] as const) {
      await act(slug, { type, page_id: pageId });
    }
    const file = await loadContactFile(database, team, idOf('p'));
    const kinds = file?.journeys[0]?.actions.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['completed', 'finished', 'viewed']);
  });
});

describe('what was shown as completed', () => {
  const shown = async () => (await journeysOf('p'))[0]!;
  const completedOf = async () => (await shown()).analytics_cache.pages_completed;
  const actionsOf = async () => (await loadContactFile(database, team, idOf('p')))!.journeys[0]!.actions;
  const savings = { account_number: '1', product: { code: 'SAV', type: 'savings' }, contact: { unique_id: 'p' } };

  beforeEach(async () => {
    await putContent(database, team, documentOf());
    await post({ unique_id: 'p', enrolled: 'yes', ...named });
    await imported(savings);
  });

  const changes: Record<string, () => Promise<unknown>> = {
    'an account of another product': () => imported({ ...savings, product: { code: 'LOAN', type: 'loan' } }),
    'a closed account': () => imported({ ...savings, closed_date: '2020-01-01' }),
    'other conditions': () => putContent(database, team, earlier()),
    'a template without the pages': () =>
      putContent(database, team, { templates: [{ id: templateId, name: 'Welcome', template_pages: [] }] }),
  };
  test.each(Object.entries(changes))('is taken back by nothing: %s', async (_, change) => {
    expect(await completedOf()).toEqual([ids.objective, ids.type]);
    await change();
    expect((await completedOf()).toSorted()).toEqual([ids.objective, ids.type].toSorted());
  });

  test.each(Object.entries(changes).slice(0, 2))('is not what nobody was shown: %s', async (_, change) => {
    await change();
    expect(await completedOf()).toEqual([ids.objective]);
  });

  test('is recorded once, in one write, and then neither written nor derived from accounts again', async () => {
    const calls: string[] = [];
    const observed: Database = {
      get: (keys) => database.get(keys),
      query: (input) => database.query(input),
      transact: (writes) => database.transact(writes),
      write: (writes) => {
        calls.push('write');
        return database.write(writes);
      },
    };
    const list = () => listJourneys(dependencies(observed), team, idOf('p'));
    const first = await list();
    expect(calls).toEqual(['write']);
    expect(await list()).toEqual(first);
    expect(calls).toEqual(['write']);
    expect((await actionsOf()).map(({ kind }) => kind)).toEqual(['completed', 'completed']);
  });

  test('is shown by nothing that failed to record it', async () => {
    const broken: Database = {
      get: (keys) => database.get(keys),
      query: (input) => database.query(input),
      transact: (writes) => database.transact(writes),
      write: () => Promise.reject(new StoreUnavailable('away')),
    };
    await expect(listJourneys(dependencies(broken), team, idOf('p'))).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('is recorded by the journey page as well', async () => {
    const { slug } = await shownJourneyOf();
    const place = await placeOfSlug(database, slug);
    const view = await openJourney(dependencies(), place);
    expect(await actionsOf()).toEqual([]);
    await showJourney(dependencies(), view as OpenJourney);
    expect((await actionsOf()).map(({ page_id }) => page_id).toSorted()).toEqual([ids.objective, ids.type].toSorted());
  });
  const shownJourneyOf = async () => (await loadContactFile(database, team, idOf('p')))!.journeys[0]!.journey;
});

describe('a view', () => {
  const pageId = randomUUID();
  let slug: string;
  beforeEach(async () => {
    const template_pages = [{ id: randomUUID(), page: { id: pageId, completion_condition: 'view' } }];
    await putContent(database, team, { templates: [{ id: templateId, name: 'W', template_pages }] });
    await post({ unique_id: 'p', ...named });
    slug = (await journeysOf('p'))[0]!.slug;
  });
  test('costs one write the first time and one write again, and none beside it', async () => {
    const start = Date.now() + 60_000;
    const writes: number[] = [];
    const observed: Database = {
      get: (keys) => database.get(keys),
      query: (input) => database.query(input),
      transact: (each) => database.transact(each),
      write: (each) => {
        writes.push(each.length);
        return database.write(each);
      },
    };
    const using = (now: number) => ({ ...dependencies(observed), now: () => now });
    const view = { type: 'page_viewed', page_id: pageId } as const;
    // The page completes by it, and with it the journey.
    await act(slug, view, using(start));
    expect(writes.splice(0)).toEqual([2, 1]);
    await act(slug, view, using(start + 1));
    expect(writes.splice(0)).toEqual([1]);
    await act(slug, view, using(start));
    expect(writes.filter((count) => count > 0)).toEqual([]);
  });

  const seen = (now: number) =>
    act(slug, { type: 'page_viewed', page_id: pageId }, { ...dependencies(), now: () => now });

  test('of a page seen before moves last_viewed and updated_at, and is one write', async () => {
    const start = Date.now() + 60_000;
    await seen(start);
    await seen(start + 5000);
    const [journey] = await journeysOf('p');
    expect(journey!.analytics_cache).toMatchObject({ last_viewed: timestamp(start + 5000), pages_viewed: [pageId] });
    expect(journey!.updated_at).toBe(timestamp(start + 5000));
    const { actions } = (await loadContactFile(database, team, idOf('p')))!.journeys[0]!;
    expect(actions.find(({ kind }) => kind === 'viewed')).toMatchObject({ at: timestamp(start) });
  });

  test('that is late, or one of many at a moment, never moves it back', async () => {
    const start = Date.now() + 60_000;
    const moments = Array.from({ length: 8 }, (_, n) => start + n * 1000);
    await Promise.all([...moments].reverse().map(seen));
    await seen(start);
    expect((await journeysOf('p'))[0]!.analytics_cache.last_viewed).toBe(timestamp(moments.at(-1)!));
  });
});

test('a confirmation answers with the time of the latest change, recorded actions among them', async () => {
  await putContent(database, team, { templates: [{ id: templateId, name: 'Welcome' }] });
  await post({ unique_id: 'p', ...named });
  const [journey] = await journeysOf('p');
  const place = { templateId, journeyId: journey!.id };
  const at = Date.now() + 60_000;
  const key = { contactId: idOf('p'), templateId };
  await database.write([insertionOf(team, key, { kind: 'viewed', page_id: randomUUID(), at: timestamp(at) })]);
  const unconfirmed = await confirmJourney(dependencies(), team, place, false);
  expect(unconfirmed).toMatchObject({ completion_verified_at: null, updated_at: timestamp(at) });
  const later = { ...dependencies(), now: () => at + 1000 };
  expect(await confirmJourney(later, team, place, true)).toMatchObject({ updated_at: timestamp(at + 1000) });
  expect((await journeysOf('p'))[0]!.updated_at).toBe(timestamp(at + 1000));
});

describe('a fault between the contact and its journey', () => {
  /** Takes single writes, and no transaction, which is how journeys are made. */
  const broken = (): Database => ({
    get: (keys) => database.get(keys),
    query: (input) => database.query(input),
    write: (writes) => database.write(writes),
    transact: () => Promise.reject(new StoreUnavailable('away')),
  });

  beforeEach(async () => {
    await putContent(database, team, { templates: [{ id: templateId, name: 'Welcome' }] });
  });

  test('is made good by sending the contact again', async () => {
    const contact = record({ unique_id: 'p', city: 'Tabor', ...named });
    await expect(upsertContact(dependencies(broken()), team, contact)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await journeysOf('p')).toEqual([]);
    const again = await upsertContact(dependencies(), team, contact);
    expect(again).toMatchObject({ created: false, contact: { city: 'Tabor' } });
    expect(await journeysOf('p')).toHaveLength(1);
  });

  test('is made good by sending the batch again', async () => {
    const batch = Array.from({ length: 100 }, (_, n) => record({ unique_id: `p${n}`, ...named }));
    await expect(upsertBatch(dependencies(broken()), team, batch)).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await upsertBatch(dependencies(), team, batch)).existing_contacts).toHaveLength(100);
    for (const n of batch.keys()) expect(await journeysOf(`p${n}`)).toHaveLength(1);
  });

  test('is made good by sending the update again', async () => {
    await post({ unique_id: 'p' });
    const change = record({ unique_id: 'p', city: 'Tabor', ...named });
    const update = updateContact(dependencies(broken()), team, idOf('p'), change);
    await expect(update).rejects.toBeInstanceOf(StoreUnavailable);
    await updateContact(dependencies(), team, idOf('p'), change);
    expect(await journeysOf('p')).toHaveLength(1);
  });
});

test('starting many journeys of which some exist makes the others, and no second one of any', async () => {
  await putContent(database, team, { templates: [{ id: templateId, name: 'Welcome' }] });
  const template = { id: templateId, name: 'Welcome' };
  const starts = Array.from({ length: 90 }, (_, n) => ({ contactId: idOf(`p${n}`), template, change: {} }));
  const some = await startJourneys(dependencies(), team, starts.slice(40, 50));
  // Somebody else makes one between the reading and the writing.
  let rival = true;
  const raced: Database = {
    get: (keys) => database.get(keys),
    query: (input) => database.query(input),
    write: (writes) => database.write(writes),
    transact: async (writes) => {
      if (rival) {
        rival = false;
        await startJourneys(dependencies(), team, starts.slice(0, 1));
      }
      return database.transact(writes);
    },
  };
  const all = await startJourneys(dependencies(raced), team, starts);
  expect(all.filter(({ created }) => created)).toHaveLength(79);
  expect(all.slice(40, 50).map(({ journey }) => journey)).toEqual(some.map(({ journey }) => journey));
  expect(new Set(all.map(({ journey }) => journey.slug)).size).toBe(90);
});
