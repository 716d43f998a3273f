import { beforeEach, expect, test } from 'vitest';
import { recountTemplates } from '../../../bin/admin/operations/results/recount.ts';
import { erasureOf } from '../../../lib/store/erasure/person-items.ts';
import { loadCounts } from '../../../lib/store/results/results.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { WriteRefused } from '../../../lib/store/table/errors.ts';
import { countersKey, journeyKey, teamPartition } from '../../../lib/store/table/keys.ts';
import type { ModelDatabase } from '../../support/models/model-database.ts';
import { database, dependencies, team, templateId } from '../../support/operations/journey-operations.ts';
import { count, numbers, openCampaign, type Person, pages, person } from '../../support/operations/results-world.ts';
import { withStoreLimits } from './store-limits.ts';

let people: Person[];
beforeEach(async () => {
  await openCampaign();
  people = [];
  for (let n = 0; n < 5; n++) people.push(await person(`p${n}`));
  for (const each of people) await each.view('view');
  await count(people);
});

/** All items of the team in one page. `meanwhile` happens after they were read. */
async function* scan(meanwhile?: () => Promise<unknown>) {
  const items = [...(database as ModelDatabase).items.values()].filter(({ pk }) => pk.startsWith(teamPartition(team)));
  yield items.slice(0, 3);
  await meanwhile?.();
  yield items.slice(3);
}
const recount = (meanwhile?: () => Promise<unknown>) => recountOn(database, meanwhile);
async function recountOn(table: Database, meanwhile?: () => Promise<unknown>) {
  const using = { ...dependencies(table), scanTeam: () => scan(meanwhile) };
  return (await recountTemplates(using, team, [{ id: templateId, name: 'Campaign' }]))[0]!;
}
const tamper = () =>
  database.transact([
    { kind: 'add', key: countersKey(team, templateId, 0, `page/${pages.view}`), add: { viewed: 3, moves: 1 } },
    { kind: 'add', key: countersKey(team, templateId, 0, 'page/gone'), add: { viewed: 2, moves: 1 } },
  ]);

test('a recount finds no difference, however often it is run', async () => {
  for (let run = 0; run < 2; run++) {
    expect(await recount()).toMatchObject({ journeys: 5, missed: 0, differences: [], unsettled: 0 });
  }
});

test('a recount counts journeys that were missed', async () => {
  await people[0]!.decide('declined');
  await person('late');
  expect(await recount()).toMatchObject({ journeys: 6, missed: 2, differences: [], unsettled: 0 });
  expect(await numbers()).toMatchObject({
    journeys: { created: 6 },
    pages: [
      [5, 5, 0],
      [0, 0, 1],
      [0, 0, 0],
    ],
  });
});

test('a recount says how many groups of counters the table refuses, of all people', async () => {
  for (const each of people.slice(0, 2)) await each.decide('declined');
  const transact: Database['transact'] = async (writes, ...options) => {
    const isRefused = writes.some((write) => write.kind === 'add' && write.key.sk.includes(pages.consent));
    if (isRefused) throw new WriteRefused('ValidationError');
    return database.transact(writes, ...options);
  };
  expect(await recountOn({ ...bound(database), transact })).toMatchObject({ journeys: 5, not_counted: 2 });
});

test('a recount corrects what is wrong, and only that', async () => {
  await tamper();
  const { differences } = await recount();
  expect(differences.map(({ group, counter, by }) => [group, counter, by])).toEqual([
    [`page/${pages.view}`, 'viewed', -3],
    ['page/gone', 'viewed', -2],
  ]);
  expect(await numbers()).toMatchObject({
    pages: [
      [5, 5, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
  });
});

test('a recount and an erasure have room for a person with hundreds of answers on a hundred pages', async () => {
  const choices = Array.from({ length: 400 }, (_, n) => ({ key: `q${n}`, option_key: 'x' }));
  const answers = Array.from({ length: 100 }, (_, n) => {
    const own = n === 0 ? choices : choices.slice(0, n < 90 ? 2 : 160);
    return { page_id: `p${n}`, block_id: 'b', id: 'r', answer: 'declined', at: 'then', count: 1, choices: own };
  });
  const { pk, sk } = journeyKey(team, people[0]!.key.contactId, templateId);
  const set = { answers: JSON.stringify(answers), answers_number: 1 };
  await database.write([{ kind: 'update', key: { pk, sk }, set, expect: {} }]);
  await count(people);
  const before = await loadCounts(database, team, templateId);
  const wrong = Object.fromEntries(choices.map(({ key }) => [JSON.stringify([key, 'x']), 1]));
  await database.transact([
    { kind: 'add', key: countersKey(team, templateId, 0, 'answers/p0/b'), add: { ...wrong, moves: 1 } },
  ]);
  const { differences } = await recountOn(withStoreLimits(database));
  expect(differences).toHaveLength(400);
  const [item] = await database.get([{ pk, sk }]);
  const writes = erasureOf(team, { kind: 'journeys', item: item! });
  expect(await withStoreLimits(database).transact(writes)).toBe(true);
  expect(writes.length).toBeLessThanOrEqual(95);
  expect(await loadCounts(database, team, templateId)).toEqual(before);
  expect(await recount()).toMatchObject({ journeys: 4, differences: [], unsettled: 0 });
});

test('a recount does not compare what changes meanwhile', async () => {
  await tamper();
  const late = async () => {
    await people[1]!.decide('declined');
    await count(people);
  };
  let hasHappened = false;
  const once = async () => {
    if (!hasHappened) await late();
    hasHappened = true;
  };
  expect(await recount(once)).toMatchObject({ unsettled: 1, differences: [{ by: -3 }, { by: -2 }] });
  expect(await recount()).toMatchObject({ unsettled: 0, differences: [] });
  expect(await numbers()).toMatchObject({
    pages: [
      [5, 5, 0],
      [0, 0, 1],
      [0, 0, 0],
    ],
  });
});

test('a recount compares nothing if a person is erased meanwhile', async () => {
  await tamper();
  const erase = async () => {
    const { contactId } = people[4]!.key;
    const { items } = await database.query({ pk: `${teamPartition(team)}#C#${contactId}`, prefix: 'JOURNEY#' });
    const journey = items.find(({ sk }) => sk === `JOURNEY#${templateId}`);
    if (journey) await database.transact(erasureOf(team, { kind: 'journeys', item: journey }));
  };
  const { unsettled, differences } = await recount(erase);
  expect([unsettled > 0, differences]).toEqual([true, []]);
  expect((await recount()).differences).toHaveLength(2);
  expect(await numbers()).toMatchObject({
    journeys: { created: 5 },
    pages: [
      [5, 5, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
  });
});
