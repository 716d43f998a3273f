import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { countJourneys } from '../../../lib/operations/results/count.ts';
import { listTemplateJourneys } from '../../../lib/operations/results/list-journeys.ts';
import { insertionOf, loadJourneyWithActions } from '../../../lib/store/journeys/journeys.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { WriteRefused } from '../../../lib/store/table/errors.ts';
import { journeyKey } from '../../../lib/store/table/keys.ts';
import { freshTable } from '../../support/engine/engine.ts';
import type { ModelDatabase } from '../../support/models/model-database.ts';
import { database, dependencies, journeysOf, team, templateId } from '../../support/operations/journey-operations.ts';
import { count, numbers, openCampaign, type Person, person, results } from '../../support/operations/results-world.ts';
import { withStoreLimits } from './store-limits.ts';

beforeEach(() => openCampaign());

const none = { journeys: { created: 0, opened: 0, completed: 0, verified: 0, cancelled: 0, expired: 0 } };

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

  test('count a journey that another write changed after the caller read it', async () => {
    const ann = await person('ann');
    const read = (await loadJourneyWithActions(database, team, ann.key))!;
    await ann.view('view');
    await count([ann]);
    await countJourneys(dependencies(), team, [ann.key], [read]);
    expect(await numbers()).toMatchObject({ journeys: { created: 1, opened: 1 } });
  });

  test('count the journeys of every transaction that another write was faster than', async () => {
    const people: Person[] = [];
    for (let n = 0; n < 45; n++) people.push(await person(`p${n}`));
    const refused = new Set<string>();
    const transact: Database['transact'] = async (writes, ...options) => {
      const name = JSON.stringify(writes.map((write) => 'key' in write && write.key));
      if (refused.has(name)) return database.transact(writes, ...options);
      refused.add(name);
      return refused.size > 2 && database.transact(writes, ...options);
    };
    await count(people, { ...bound(database), transact });
    expect(refused.size).toBeGreaterThan(2);
    expect(await numbers()).toMatchObject({ journeys: { ...none.journeys, created: people.length } });
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

  test('move a journey in the list to its latest answer, also if the results stay the same', async () => {
    await openCampaign((await freshTable()).database);
    const ann = await person('ann');
    const listed = async (sent: object) =>
      (await listTemplateJourneys(dependencies(), team, { template_id: templateId, ...sent })).journeys;
    await ann.answer(['How?', 'Well']);
    await count([ann]);
    const [{ updated_at: before } = { updated_at: '' }] = await listed({});
    await setTimeout(2);
    await ann.answer(['How?', 'Well']);
    await count([ann]);
    const [journey] = await journeysOf('ann');
    expect(journey!.updated_at > before).toBe(true);
    expect(await listed({ updated_since: journey!.updated_at })).toMatchObject([{ updated_at: journey!.updated_at }]);
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

  /** Takes part in the campaign with these answers to surveys, by page. They are stored as the API stores them. */
  async function answering(uniqueId: string, surveys: Record<string, object[]>): Promise<Person> {
    const own = await person(uniqueId);
    await give(own, surveys);
    return own;
  }
  async function give({ key }: Person, surveys: Record<string, object[]>): Promise<void> {
    const answers = Object.entries(surveys).map(([page_id, choices]) => {
      return { page_id, block_id: `block-${page_id}`, id: 'r', answer: null, at: later, count: 1, choices };
    });
    const set = { answers: JSON.stringify(answers), answers_number: 1 };
    await database.write([{ kind: 'update', key: journeyKey(team, key.contactId, templateId), set, expect: {} }]);
  }
  const later = '2026-11-20T10:00:00.000000Z';
  const many = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));
  const shown = async () =>
    (await results()).questions.flatMap(({ key, answers }) => answers.map((each) => ({ of: key, ...each })));
  const uncounted: object[] = [];
  beforeEach(() => void uncounted.splice(0));
  const onSetAside = (error: unknown, ids: object) => void uncounted.push({ error: (error as Error).name, ...ids });
  const within = (people: readonly Person[], using = withStoreLimits(database)) =>
    countJourneys(
      { ...dependencies(using), onSetAside },
      team,
      people.map(({ key }) => key),
    );

  test('follow a person who changes 400 answers at once', async () => {
    const surveys = (option: string) => ({
      a: many(200, (n) => ({ key: `q${n}`, option_key: option })),
      b: many(200, (n) => ({ key: `q${n}`, option_key: option })),
    });
    const ann = await answering('ann', surveys('yes'));
    await within([ann]);
    await give(ann, surveys('no'));
    await within([ann]);
    expect((await shown()).filter(({ count: number }) => number > 0)).toEqual(
      ['a', 'b'].flatMap(() =>
        many(200, (n) => `q${n}`)
          .sort()
          .map((of) => ({ of, key: 'no', answer: null, count: 1 })),
      ),
    );
  });

  test.each([
    ['20 journeys of many days', 20, (n: number) => ({ a: [{ key: 'q', option_key: `${n}` }] })],
    ['keys of 300 characters', 80, (n: number) => ({ a: many(72, (at) => long(n * 72 + at)) })],
    [
      '5,800 options',
      58,
      (n: number) => ({ a: many(100, (at) => ({ key: 'question_1', option_key: `option_${n * 100 + at}` })) }),
    ],
  ])('count all people within the limits of the store: %s', async (_, size, surveysOf) => {
    const people = await Promise.all(many(size, (n) => answering(`p${n}`, surveysOf(n))));
    for (const [n, { key, journeyId }] of people.entries()) {
      const journey = { id: journeyId, contact_id: key.contactId, template_id: templateId };
      const at = (day: number) => `${2000 + n}-01-0${day}T10:00:00.000000Z`;
      const actions = [
        ...many(3, (day) => ({ kind: 'viewed' as const, page_id: `page-${n}-${day}`, at: at(day + 1) })),
        { kind: 'finished' as const, page_id: 'a', at: at(9) },
      ];
      await database.write(actions.map((action) => insertionOf(team, journey, action)));
    }
    const onRefusal = vi.fn();
    await within(people, withStoreLimits(database, onRefusal));
    expect(onRefusal).not.toHaveBeenCalled();
    const counted = (await shown()).filter(({ count: number }) => number > 0);
    expect(counted).toHaveLength(people.reduce((sum, _, n) => sum + surveysOf(n).a.length, 0));
    expect((await numbers()).journeys).toMatchObject({ created: size, opened: size, completed: size, verified: 0 });
    expect(uncounted).toEqual([]);
  });
  const long = (n: number) => ({ key: 'k'.repeat(300), option_key: `${n}`.padEnd(300, 'o') });

  test('lack only what the store refuses, which is reported once and tried again by a recount', async () => {
    let isFull = true;
    let refusals = 0;
    const limited = withStoreLimits(database);
    const full: Database = {
      ...limited,
      transact: async (writes, options) => {
        if (isFull && /answers\/a[12]\//.test(JSON.stringify(writes.map((write) => 'key' in write && write.key))))
          throw refusals++ < 20 ? new WriteRefused('ValidationError') : new Error('it is tried without an end');
        return limited.transact(writes, options);
      },
    };
    const choices = [{ key: 'q', option_key: 'yes' }];
    const people = [
      await answering('ann', { a1: choices, a2: choices, b: choices }),
      await answering('bo', { b: choices }),
    ];
    for (let views = 0; views < 3; views++) {
      for (const each of people) await each.view('view');
      await within(people, full);
    }
    const { contactId: contact_id } = people[0]!.key;
    const refused = { error: 'WriteRefused', team_id: team, contact_id, template_id: templateId };
    expect(uncounted).toEqual([refused, refused]);
    expect((await numbers()).pages[0]).toEqual([2, 2, 0]);
    expect(await shown()).toMatchObject([{}, {}, {}, { of: 'q', count: 2 }]);
    isFull = false;
    await countJourneys(dependencies(full), team, [people[0]!.key], [], true);
    expect(await shown()).toMatchObject([{}, {}, {}, ...[1, 1, 2].map((number) => ({ of: 'q', count: number }))]);
    await give(people[0]!, { b: [] });
    await within(people, full);
    expect(await shown()).toMatchObject([{}, {}, {}, { of: 'q', count: 1 }]);
  });

  test('do not take a new journey for the one that was read, if the person was erased meanwhile', async () => {
    const ann = await person('ann');
    const table = database as ModelDatabase;
    let isErased = false;
    const erasing: Database = {
      ...bound(database),
      transact: async (writes, options) => {
        if (!isErased) {
          isErased = true;
          for (const item of table.items.values()) if (item.pk.includes(ann.key.contactId)) table.damage(item);
          await person('ann');
        }
        return database.transact(writes, options);
      },
    };
    await ann.view('view');
    await count([ann], erasing);
    expect((await numbers()).journeys).toEqual({ ...none.journeys, created: 1, by_source: { api: 1 } });
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
