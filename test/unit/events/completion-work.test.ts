import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { readResults } from '../../../lib/operations/results/read.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { completionWork, endCompletionWork, nextCompletionWork } from '../../../lib/store/events/completion-work.ts';
import { loadJourneyWithActions } from '../../../lib/store/journeys/journeys.ts';
import { bound, chunksOf, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { isKeptByReset } from '../../../lib/store/table/item-kinds.ts';
import { completionWorkPartition, contactKey, journeyKey } from '../../../lib/store/table/keys.ts';
import { itemSize } from '../../support/engine/item-size.ts';
import { putContent } from '../../support/operations/content.ts';
import { dependencies, idOf, imported, post, team } from '../../support/operations/journey-operations.ts';
import { openStream, publishAll, publishRecords, stream } from '../../support/operations/publishing.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { readAll } from '../../support/samples/events.ts';

const templates = Array.from({ length: 100 }, () => ({ id: randomUUID(), pages: [randomUUID(), randomUUID()] }));
const objectives = Array.from({ length: 20 }, (_, n) => ({ id: randomUUID(), key: `step${n}` }));
/** Each has a page that an account of savings completes, and a page that an objective completes. */
const document = {
  objectives,
  templates: templates.map(({ id, pages }, n) => ({
    ...{ id, name: `Campaign ${n}` },
    template_pages: [
      { completion_condition: 'open', completion_product_type: 'savings' },
      { completion_condition: 'objective', objective_id: objectives[n % objectives.length]!.id },
    ].map((page, order) => ({ id: randomUUID(), order, page: { id: pages[order], ...page } })),
  })),
};
const product = { code: 'SAV', type: 'savings' };
const link = (number: number, person: number) => ({
  account_number: `${number}`,
  contact: { unique_id: `p${person}` },
});
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => n + from);
const importAll = async (records: readonly object[]) => {
  for (const chunk of chunksOf(records, 500)) await imported(...chunk);
};

beforeEach(async () => {
  await openStream();
  await putContent(stream, team, document);
});

/** Journeys of these people, of one template after another. Nothing of them is left to be published. */
async function start(people: readonly number[]): Promise<void> {
  for (const person of people) {
    await post({ unique_id: `p${person}`, journey: { template_id: templates[person % templates.length]!.id } });
  }
  await publishAll();
}

/** Whether this page of the journey of the person is recorded as completed. */
async function isCompleted(person: number, page: 0 | 1): Promise<boolean> {
  const { id: templateId, pages } = templates[person % templates.length]!;
  const found = await loadJourneyWithActions(stream, team, { contactId: idOf(`p${person}`), templateId });
  return found?.actions.some(({ kind, page_id }) => kind === 'completed' && page_id === pages[page]) ?? false;
}
const completed = async (people: readonly number[], page: 0 | 1) => {
  const all = await Promise.all(people.map((person) => isCompleted(person, page)));
  return all.filter(Boolean).length;
};

/** Counts keys and items that are read, and writes. */
function counting() {
  const counts = { reads: 0, writes: 0, largest: 0 };
  const database: Database = {
    get: async (keys) => {
      counts.reads += keys.length;
      return stream.get(keys);
    },
    query: async (input) => {
      const page = await stream.query(input);
      counts.reads += Math.max(1, page.items.length);
      counts.largest = Math.max(counts.largest, page.items.length);
      return page;
    },
    write: async (writes) => {
      counts.writes += writes.length;
      return stream.write(writes);
    },
    transact: async (writes) => {
      counts.writes += writes.length;
      return stream.transact(writes);
    },
  };
  return { counts, using: { database, productCache: new ProductCache(database) } };
}

/** Passes on what has changed, a thousand records each time. @returns the most that one invocation has read and written */
async function publishCounted(): Promise<{ reads: number; writes: number; largest: number }> {
  const most = { reads: 0, writes: 0, largest: 0 };
  for (const records of chunksOf(stream.take(), 1000)) {
    const { counts, using } = counting();
    await publishRecords(records, using);
    for (const name of ['reads', 'writes', 'largest'] as const) most[name] = Math.max(most[name], counts[name]);
  }
  return most;
}

const failures: string[] = [];
/** Works the lane in turns of so many looks at the clock. @returns the number of turns */
async function workAll(looks = 5): Promise<number> {
  const working = { ...dependencies(stream) };
  const onContactFailure = (_: unknown, contactId: string) => failures.push(contactId);
  for (let turns = 1; ; turns++) {
    let left = looks;
    const outcome = await workCompletions({ ...working, onContactFailure }, team, () => left-- > 0);
    if (outcome === 'empty') return turns;
    if (turns > 1000) throw new Error('the work does not end');
  }
}
const waits = async () => (await nextCompletionWork(stream, team)) !== undefined;

/** No invocation reads or writes more, whatever a client has stored: it is far below people times templates. */
const bounds = { reads: 2500, writes: 500 };

test('an account with very many holders delays no event of another team, and completes every journey in the end', async () => {
  const having = numbers(40).map((n) => 123 * n);
  await importAll(numbers(5000).map((n) => link(1, n)));
  await start(having);
  const other = await newTeam(stream, []);
  await imported({ account_number: '1', product });
  const records = stream.take();
  await stream.write([{ kind: 'insert', item: { ...contactKey(other, randomUUID()), ...storedContact } }]);
  const { counts, using } = counting();
  const told: number[] = [];
  const query: Database['query'] = async (input) => {
    if (input.pk.includes('#A#')) told.push((await readAll(stream, undefined, 1000, other)).events.length);
    return using.database.query(input);
  };
  const seen: string[] = [];
  const wakeCompletions = async (teamId: string) => seen.push(teamId);
  const database = { ...bound(using.database), query };
  await publishRecords([...records, ...stream.take()], { ...using, database, wakeCompletions });
  // The event of the other team is told before the first holder is read, for completions or for events.
  expect(told).toEqual([1, 1]);
  expect(counts.reads).toBeLessThan(bounds.reads);
  expect(new Set(seen)).toEqual(new Set([team]));
  expect(await workAll()).toBeGreaterThan(5);
  expect(await completed(having, 0)).toBe(having.length);
  expect(await completed(numbers(200, 1), 0)).toBe(1);
});
const storedContact = {
  ...{ unique_id: 'other', data: '{}', version: 1, creation_id: 'a', call_id: 'a' },
  ...{ inserted_at: '2026-03-01T12:00:00.000000Z', updated_at: '2026-03-01T12:00:00.000000Z' },
};

describe('one invocation is bounded, and what is left is completed', () => {
  const many = numbers(400);
  test.each<[string, number[], 0 | 1, () => Promise<void>]>([
    [
      'if links were stored before their accounts',
      // Spread over all accounts.
      numbers(60).map((n) => 49 * n),
      0,
      async () => {
        await importAll(numbers(3000).map((n) => link(n % 100, n)));
        await publishAll();
        await importAll(numbers(100).map((n) => ({ account_number: `${n}`, product })));
      },
    ],
    [
      'if one person has very many accounts',
      [7],
      0,
      () =>
        importAll(
          numbers(1500).map((n) => ({
            ...link(n, 7),
            product: n === 1234 ? product : { ...product, code: 'X', type: 'loan' },
          })),
        ),
    ],
    [
      'if very many people complete many objectives',
      many,
      1,
      async () => {
        const done = Object.fromEntries(objectives.map(({ key }) => [key, true]));
        for (const person of many) await post({ unique_id: `p${person}`, ...done });
      },
    ],
    [
      'if links come without their accounts, for many templates',
      numbers(30).map((n) => 13 * n),
      0,
      async () => {
        await imported({ account_number: '1', product });
        await publishAll();
        await importAll(many.map((n) => link(1, n)));
      },
    ],
  ])('%s', async (_, people, page, store) => {
    await start(people);
    await store();
    const most = await publishCounted();
    expect(most.reads).toBeLessThan(bounds.reads);
    expect(most.writes).toBeLessThan(bounds.writes);
    expect(most.largest).toBeLessThanOrEqual(250);
    expect(await waits()).toBe(true);
    await workAll();
    expect(await completed(people, page)).toBe(people.length);
    await publishAll();
    await workAll();
    await publishAll();
    expect(await waits()).toBe(false);
  });
});

test('very many changed journeys delay no event of another team, and are counted exactly once in the end', async () => {
  const people = numbers(450);
  for (const person of people) await post({ unique_id: `p${person}`, journey: { template_id: templates[0]!.id } });
  const other = await newTeam(stream, []);
  const records = stream.take();
  await stream.write([{ kind: 'insert', item: { ...contactKey(other, randomUUID()), ...storedContact } }]);
  const all = [...records, ...stream.take()];
  const created = async () => (await readResults(dependencies(stream), team, templates[0]!.id)).journeys.created;
  const told = async () => (await readAll(stream, undefined, 1000, other)).events.length;
  let clock = dependencies(stream).now();
  const seen: [told: number, onBus: number][] = [];
  let onBus = 0;
  const put = async (events: readonly unknown[]) => {
    onBus += events.length;
  };
  // Each transaction of the counters takes 1.5 seconds.
  const { counts, using } = counting();
  const transact: Database['transact'] = async (writes) => {
    if (writes.some((write) => write.kind === 'add' && write.key.pk.includes('#S#'))) {
      seen.push([await told(), onBus]);
      clock += 1500;
    }
    return using.database.transact(writes);
  };
  const slow = { ...using, database: { ...bound(using.database), transact }, now: () => clock, bus: { put } };
  const began = clock;
  await publishRecords(all, slow);
  expect(seen[0]).toEqual([1, 2 * people.length + 1]);
  expect(clock - began).toBeLessThan(10_000);
  expect(await created()).toBeLessThan(100);
  expect(await waits()).toBe(true);
  expect(counts.reads).toBeLessThan(bounds.reads);
  // A repeat of the batch, here with time, and the lane count the same journeys.
  await publishRecords(all);
  expect(await created()).toBeGreaterThanOrEqual(200);
  expect(await workAll(2)).toBeGreaterThan(1);
  await publishRecords(all);
  await workAll();
  expect(await created()).toBe(people.length);
  expect(await waits()).toBe(false);
});

test('a bus that refuses holds up neither completions nor counts, and repeats the batch', async () => {
  await post({ unique_id: 'p1', journey: { template_id: templates[1]!.id } });
  const records = stream.take();
  const refused = new StoreUnavailable('refused');
  const failed = await publishRecords(records, { bus: { put: () => Promise.reject(refused) }, onFailure: () => {} });
  expect(failed).toHaveLength(1);
  expect((await readResults(dependencies(stream), team, templates[1]!.id)).journeys.created).toBe(1);
});

test('equal work of two changes at the same time is not lost when a worker ends the first', async () => {
  const waiting = { contactIds: [idOf('p1')] };
  const work = (origin: string) => completionWork(team, '2026-03-01T12:00:00.000000Z', origin, waiting);
  expect(await stream.write([...work('1'), ...work('2')])).toEqual([true, true]);
  expect(await stream.write(work('2'))).toEqual([false]);
});

test('waits in items that the table can hold, however many contacts and journeys there are', () => {
  const contactIds = numbers(20_000).map((person) => idOf(`p${person}`));
  const journeys = contactIds.map((contactId) => ({ contactId, templateId: templates[0]!.id }));
  const work = completionWork(team, '2026-03-01T12:00:00.000000Z', '1', { contactIds, journeys });
  const sizes = work.map((write) => (write.kind === 'insert' ? itemSize(write.item) : 0));
  expect(Math.max(...sizes)).toBeLessThan(400 * 1024);
});

test('of two workers at the same step of a walk over holders, only the first moves it', async () => {
  await stream.write(completionWork(team, '2026-03-01T12:00:00.000000Z', '1', { accountNumbers: ['1'] }));
  const work = (await nextCompletionWork(stream, team))!;
  expect(await endCompletionWork(stream, work, 'HOLDER#b', [])).toBe(true);
  expect(await endCompletionWork(stream, work, 'HOLDER#a', [])).toBe(false);
  expect(await endCompletionWork(stream, work, undefined, [])).toBe(false);
  expect(await nextCompletionWork(stream, team)).toMatchObject({ after: 'HOLDER#b' });
});

test('a journey that cannot be counted holds up no other, and is named', async () => {
  await start([0, 100, 200]);
  const templateId = templates[0]!.id;
  const journeys = numbers(3).map((n) => ({ contactId: idOf(`p${100 * n}`), templateId }));
  await stream.write(completionWork(team, '2026-03-01T12:00:00.000000Z', 'a record', { journeys }));
  const { contactId } = journeys[1]!;
  await stream.write([
    { kind: 'update', key: journeyKey(team, contactId, templateId), set: { counted: 'no JSON' }, expect: {} },
  ]);
  failures.length = 0;
  await workAll();
  expect(failures).toEqual([contactId]);
  expect(await waits()).toBe(false);
});

test('a repeat of an invocation adds no work', async () => {
  await importAll(numbers(300).map((n) => link(1, n)));
  await publishAll();
  await imported({ account_number: '1', product });
  const records = stream.take();
  const waiting = async () => (await stream.query({ pk: completionWorkPartition(team) })).items;
  await publishRecords(records);
  const stored = await waiting();
  for (let repeat = 0; repeat < 3; repeat++) await publishRecords(records);
  expect(stored.length).toBeGreaterThan(0);
  expect(await waiting()).toEqual(stored);
});

test('a contact on which the code fails holds up no other, and the work of a team is part of its reset', async () => {
  const people = numbers(300);
  await start([1, 2, 3]);
  await importAll(people.map((n) => link(1, n)));
  await publishAll();
  await imported({ account_number: '1', product });
  await publishAll();
  await stream.write([{ kind: 'update', key: contactKey(team, idOf('p2')), set: { data: 'no JSON' }, expect: {} }]);
  const { pk, sk } = (await nextCompletionWork(stream, team))!;
  expect(isKeptByReset(team, { pk, sk })).toBe(false);
  failures.length = 0;
  await workAll();
  expect(failures).toEqual([idOf('p2')]);
  expect(await completed([1, 3], 0)).toBe(2);
});

test.each([Object.assign(new Error('no'), { name: 'AccessDeniedException' }), new StoreUnavailable('an outage')])(
  'what the store refuses, or an outage, ends the turn, and nothing of the work is lost: %s',
  async (refused) => {
    await start([1]);
    await importAll([{ ...link(1, 1), product }]);
    stream.take();
    await stream.write(completionWork(team, '2026-03-01T12:00:00.000000Z', 'a record', { contactIds: [idOf('p1')] }));
    const isOfContact = ({ pk }: { pk: string }) => pk.includes('#C#');
    const query: Database['query'] = async (input) =>
      isOfContact(input) ? Promise.reject(refused) : stream.query(input);
    const database = { ...bound(stream), query };
    const working = {
      ...dependencies(database),
      onContactFailure: () => failures.push('passed over'),
    };
    failures.length = 0;
    await expect(workCompletions(working, team, () => true)).rejects.toBe(refused);
    expect(failures).toEqual([]);
    await workAll();
    expect(await completed([1], 0)).toBe(1);
  },
);
