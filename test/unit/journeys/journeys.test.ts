import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { confirmJourney } from '../../../lib/operations/journeys/confirm.ts';
import { listJourneys } from '../../../lib/operations/journeys/list.ts';
import { journeyKeyOfSlug, type OpenJourney, openJourney, showJourney } from '../../../lib/operations/journeys/show.ts';
import { startJourneys } from '../../../lib/operations/journeys/start.ts';
import { loadContact, loadContacts } from '../../../lib/store/contacts/contacts.ts';
import { insertionOf, loadContactAggregate } from '../../../lib/store/journeys/journeys.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { putContent } from '../../support/operations/content.ts';
import {
  act,
  database,
  dependencies,
  documentOf,
  earlier,
  idOf,
  ids,
  imported,
  journeysOf,
  named,
  open,
  post,
  team,
  templateId,
} from '../../support/operations/journey-operations.ts';
import { upsertBatch } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

beforeEach(open);

describe('a completed journey', () => {
  test('has journey_completed recorded once, however often its last page is', async () => {
    const pageId = randomUUID();
    const template_pages = [{ id: randomUUID(), page: { id: pageId, completion_condition: 'action' } }];
    await putContent(database, team, { templates: [{ id: templateId, name: 'W', template_pages }] });
    await post({ unique_id: 'p', ...named });
    const [{ slug } = { slug: '' }] = await journeysOf('p');
    for (const type of ['page_completed', 'page_completed', 'page_viewed'] as const) {
      await act(slug, { type, page_id: pageId });
    }
    const file = await loadContactAggregate(database, team, idOf('p'));
    const kinds = file?.journeys[0]?.actions.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['completed', 'finished', 'viewed']);
  });
});

test('journeys that start together keep their order, in the order of contacts that were sent together', async () => {
  await putContent(database, team, { templates: [{ id: templateId, name: 'W' }] });
  const records = Array.from({ length: 300 }, (_, n) => record({ unique_id: `p${n}`, ...named }));
  await upsertBatch({ ...dependencies(), now: () => 1_700_000_000_000 }, team, records);
  const times = await Promise.all(records.map(async (_, n) => (await journeysOf(`p${n}`))[0]!.inserted_at));
  expect([...new Set(times)].toSorted()).toEqual(times);
});

describe('what was shown as completed', () => {
  const shown = async () => (await journeysOf('p'))[0]!;
  const completedOf = async () => (await shown()).analytics_cache.pages_completed;
  const actionsOf = async () => (await loadContactAggregate(database, team, idOf('p')))!.journeys[0]!.actions;
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
      ...bound(database),
      transact: (writes) => {
        calls.push('transact');
        return database.transact(writes);
      },
    };
    const list = () => listJourneys(dependencies(observed), team, idOf('p'));
    const first = await list();
    expect(calls).toEqual(['transact']);
    expect(await list()).toEqual(first);
    expect(calls).toEqual(['transact']);
    expect((await actionsOf()).map(({ kind }) => kind)).toEqual(['completed', 'completed']);
  });

  test('is shown by nothing that failed to record it', async () => {
    const broken: Database = {
      ...bound(database),
      transact: () => Promise.reject(new StoreUnavailable('away')),
    };
    await expect(listJourneys(dependencies(broken), team, idOf('p'))).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('is recorded by the journey page as well', async () => {
    const { slug } = await shownJourneyOf();
    const place = await journeyKeyOfSlug(database, slug);
    const view = await openJourney(dependencies(), place);
    expect(await actionsOf()).toEqual([]);
    await showJourney(dependencies(), view as OpenJourney);
    expect((await actionsOf()).map(({ page_id }) => page_id).toSorted()).toEqual([ids.objective, ids.type].toSorted());
  });
  const shownJourneyOf = async () => (await loadContactAggregate(database, team, idOf('p')))!.journeys[0]!.journey;
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
  test('costs one transaction the first time and one write again, and none beside it', async () => {
    const start = Date.now() + 60_000;
    const writes: number[] = [];
    const observed: Database = {
      ...bound(database),
      transact: (each) => {
        writes.push(each.length);
        return database.transact(each);
      },
      write: (each) => {
        writes.push(each.length);
        return database.write(each);
      },
    };
    const using = (now: number) => ({ ...dependencies(observed), now: () => now });
    const view = { type: 'page_viewed', page_id: pageId } as const;
    // The page completes by it, and with it the journey. Each is on the condition that the journey exists.
    await act(slug, view, using(start));
    expect(writes.splice(0)).toEqual([3, 2]);
    await act(slug, view, using(start + 1));
    expect(writes.splice(0)).toEqual([1]);
    await act(slug, view, using(start));
    expect(writes).toEqual([]);
  });

  const seen = (now: number) =>
    act(slug, { type: 'page_viewed', page_id: pageId }, { ...dependencies(), now: () => now });

  test('that is late, or one of many at a moment, never moves it back', async () => {
    const start = Date.now() + 60_000;
    await seen(start - 1000);
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
  const ids = { id: journey!.id, contact_id: idOf('p'), template_id: templateId };
  await database.write([insertionOf(team, ids, { kind: 'viewed', page_id: randomUUID(), at: timestamp(at) })]);
  const unconfirmed = await confirmJourney(dependencies(), team, place, false);
  expect(unconfirmed).toMatchObject({ completion_verified_at: null, updated_at: timestamp(at) });
  const later = { ...dependencies(), now: () => at + 1000 };
  expect(await confirmJourney(later, team, place, true)).toMatchObject({ updated_at: timestamp(at + 1000) });
  expect((await journeysOf('p'))[0]!.updated_at).toBe(timestamp(at + 1000));
});

test('starting many journeys of which some exist makes the others, and no second one of any', async () => {
  await putContent(database, team, { templates: [{ id: templateId, name: 'Welcome' }] });
  const template = {
    id: templateId,
    name: 'Welcome',
    journey_creation_strategy: null,
    journey_duration_hours: null,
    template_messages: [],
  };
  const uniqueIds = Array.from({ length: 90 }, (_, n) => `p${n}`);
  const records = uniqueIds.map((unique_id) => record({ unique_id }));
  await upsertBatch(dependencies(), team, records);
  const contacts = await loadContacts(database, team, uniqueIds.map(idOf));
  const starts = contacts.map((stored) => ({ contact: stored!.contact, template, change: {} }));
  const some = await startJourneys(dependencies(), team, starts.slice(40, 50));
  // Another client creates one between the read and the write.
  let rival = true;
  const raced: Database = {
    ...bound(database),
    transact: async (writes) => {
      if (rival) {
        rival = false;
        await startJourneys(dependencies(), team, starts.slice(0, 1));
      }
      return database.transact(writes);
    },
  };
  const all = await startJourneys(dependencies(raced), team, starts);
  expect(all.filter((each) => each!.created)).toHaveLength(79);
  expect(all.slice(40, 50).map((each) => each!.journey)).toEqual(some.map((each) => each!.journey));
  expect(new Set(all.map((each) => each!.journey.slug)).size).toBe(90);
});

test('an update of a journey is written once', async () => {
  await putContent(database, team, { templates: [{ id: templateId, name: 'Welcome' }] });
  await post({ unique_id: 'p' });
  const { contact } = (await loadContact(database, team, idOf('p')))!;
  const template = {
    id: templateId,
    name: 'Welcome',
    journey_creation_strategy: null,
    journey_duration_hours: null,
    template_messages: [],
  };
  const start = { contact, template };
  await startJourneys(dependencies(), team, [{ ...start, change: {} }]);
  const write = vi.fn(bound(database).write);
  const using = dependencies({ ...bound(database), write });
  const [updated] = await startJourneys(using, team, [{ ...start, change: { name: 'New' } }]);
  expect(updated).toMatchObject({ created: false, journey: { name: 'New' } });
  expect(write).toHaveBeenCalledTimes(1);
});

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
        // Objective keys and templates must exist when a contact names them; the conditions of a template may change.
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
