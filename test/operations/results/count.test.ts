import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { listTemplateJourneys } from '../../../lib/operations/journeys/list-of-template.ts';
import { countJourneys } from '../../../lib/operations/results/count.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/database.ts';
import { insertionOf } from '../../../lib/store/journeys.ts';
import { freshTable } from '../../support/engine.ts';
import { database, dependencies, journeysOf, team, templateId } from '../../support/journey-operations.ts';
import { count, numbers, openCampaign, type Person, person, results } from '../../support/results-world.ts';

beforeEach(() => openCampaign());

const none = { journeys: { created: 0, opened: 0, completed: 0, verified: 0 } };

describe('the results of a template', () => {
  test('count a journey that another write changed after it was read', async () => {
    const ann = await person('ann');
    let tries = 0;
    const transact: Database['transact'] = async (...args) => tries++ > 0 && database.transact(...args);
    await count([ann], { ...bound(database), transact });
    expect(await numbers()).toMatchObject({ journeys: { ...none.journeys, created: 1 } });
    await ann.view('view');
    await count([ann]);
    await setTimeout(2);
    await ann.view('view');
    tries = 0;
    const write: Database['write'] = async (writes) => (tries++ > 0 ? database.write(writes) : writes.map(() => false));
    await count([ann], { ...bound(database), write });
    expect(tries).toBe(2);
  });

  test('move a journey in the list to its latest view, of a page seen before too', async () => {
    await openCampaign((await freshTable()).database);
    const ann = await person('ann');
    await ann.view('view');
    await count([ann]);
    const [first] = await journeysOf('ann');
    await setTimeout(2);
    await ann.view('view');
    await count([ann]);
    const [second] = await journeysOf('ann');
    const listed = await listTemplateJourneys(dependencies(), team, { template_id: templateId });
    expect(listed.journeys[0]!.analytics_cache.last_viewed).toBe(second!.analytics_cache.last_viewed);
    expect(second!.analytics_cache.last_viewed! > first!.analytics_cache.last_viewed!).toBe(true);
  });

  test('list the latest view of several pages', async () => {
    await openCampaign((await freshTable()).database);
    const ann = await person('ann');
    for (const page of ['view', 'survey', 'view'] as const) {
      await ann.view(page);
      await setTimeout(2);
      await count([ann]);
      const [journey] = await journeysOf('ann');
      const listed = await listTemplateJourneys(dependencies(), team, { template_id: templateId });
      expect(listed.journeys[0]!.analytics_cache.last_viewed).toBe(journey!.analytics_cache.last_viewed);
    }
  });

  test('are the same however often journeys are counted, and by how many at once', async () => {
    const people: Person[] = [];
    for (let n = 0; n < 50; n++) people.push(await person(`p${n}`));
    for (const [n, each] of people.entries()) if (n % 2 === 0) await each.view('view');
    await Promise.all(Array.from({ length: 5 }, () => count([...people, ...people])));
    await count(people);
    expect(await numbers()).toMatchObject({
      journeys: { created: 50, opened: 25 },
      pages: [
        [25, 25, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    });
  });

  test('have all pages of a journey, also if one transaction cannot count them', async () => {
    const ann = await person('ann');
    const journey = { ...ann.key, id: ann.journeyId, contact_id: ann.key.contactId, template_id: templateId };
    const many = Array.from({ length: 200 }, (_, n) => `page-${n}`);
    for (const kind of ['viewed', 'completed'] as const) {
      const actions = many.map((page_id) => ({ kind, page_id, at: '2026-11-20T10:00:00.000000Z' }));
      await database.write(actions.map((action) => insertionOf(team, journey, action)));
    }
    await count([ann]);
    const { pages: shown, journeys } = await results();
    const counted = shown.filter(({ page_id }) => page_id.startsWith('page-'));
    expect(counted.map(({ viewed, completed }) => [viewed, completed])).toEqual(many.map(() => [1, 1]));
    expect(journeys).toMatchObject({ created: 1, opened: 1 });
  });

  test('do not count a journey that does not exist', async () => {
    await countJourneys(dependencies(), team, [{ contactId: 'nobody', templateId }]);
    expect(await numbers()).toMatchObject(none);
  });
});

describe('a fault while journeys are counted', () => {
  const away = new StoreUnavailable('away');
  /** Fails at the transaction with this number, before or after it is committed. */
  function failing(at: number, when: 'before' | 'after'): Database {
    let transactions = 0;
    return {
      ...bound(database),
      transact: async (...args) => {
        if (++transactions !== at) return database.transact(...args);
        if (when === 'after') await database.transact(...args);
        throw away;
      },
    };
  }

  test.each([
    [1, 'before'],
    [1, 'after'],
    [2, 'before'],
    [2, 'after'],
    [3, 'after'],
  ] as const)('in transaction %i, %s it is committed, is made good when they are counted again', async (at, when) => {
    const people: Person[] = [];
    for (let n = 0; n < 50; n++) people.push(await person(`p${n}`));
    for (const each of people) await each.view('view');
    await expect(count(people, failing(at, when))).rejects.toBe(away);
    await count(people);
    await count(people);
    expect(await numbers()).toMatchObject({
      journeys: { created: 50, opened: 50 },
      pages: [
        [50, 50, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    });
  });

  test('does not hide what happened meanwhile', async () => {
    const ann = await person('ann');
    const slow: Database = {
      ...bound(database),
      transact: async (...args) => {
        await ann.view('view');
        await count([ann]);
        return database.transact(...args);
      },
    };
    await count([ann], slow);
    expect(await numbers()).toMatchObject({
      journeys: { created: 1, opened: 1 },
      pages: [
        [1, 1, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    });
  });
});
