import { describe, expect, test } from 'vitest';
import type { JourneyAction } from '../../lib/domain/completion.ts';
import { noDetails } from '../../lib/domain/contact.ts';
import { addAnswers } from '../../lib/domain/given-answer.ts';
import type { Journey } from '../../lib/domain/journey.ts';
import type { KeptResponse } from '../../lib/domain/response.ts';
import { writeOfContact } from '../../lib/store/contacts.ts';
import type { QueryInput, Upsert } from '../../lib/store/database.ts';
import { loadAttempts, saveAttempts } from '../../lib/store/identity-checks.ts';
import {
  findJourney,
  findSlug,
  insertionOf,
  insertionsOf,
  loadActions,
  loadContactAggregate,
  loadJourneys,
  loadJourneyWithActions,
  loadResponses,
  loadResponsesTo,
  loadShownAggregate,
  reissueOf,
  repetitionOf,
  responseInsertions,
  timesOf,
  updateOf,
} from '../../lib/store/journeys.ts';
import { journeyKey } from '../../lib/store/keys.ts';
import { ModelDatabase } from '../support/model-database.ts';

const id = (number: number) => `8f3c1a52-7f0e-4b5d-9a63-00000000000${number}`;
const time = (hour: number) => `2026-03-01T0${hour}:00:00.000000Z`;
const [team, contactId, templateId] = [id(1), id(2), id(3)];
const place = { contactId, templateId };
const journey = (changes: Partial<Journey> = {}): Journey => ({
  id: id(4),
  slug: 'slug',
  contact_id: contactId,
  template_id: templateId,
  name: 'Journey',
  owner_id: null,
  source: 'api',
  completion_verified_at: null,
  inserted_at: time(1),
  updated_at: time(1),
  ...changes,
});

async function stored(...journeys: Journey[]) {
  const database = new ModelDatabase();
  for (const each of journeys) expect(await database.transact(insertionsOf(team, each))).toBe(true);
  const write = async (upsert: Upsert) => (await database.write([upsert]))[0];
  const load = async () => (await loadJourneys(database, team, [place]))[0]!;
  return { database, write, load };
}

describe('a journey', () => {
  test('is found by its contact and template, its id and its slug, until it has another slug', async () => {
    const { database, load } = await stored(journey());
    expect(await load()).toMatchObject({ journey: journey(), version: 1 });
    expect(await findJourney(database, team, id(4))).toEqual(place);
    expect(await findSlug(database, 'slug')).toEqual({ teamId: team, ...place });
    const reissued = journey({ slug: 'other', updated_at: time(2), name: 'not changed here' });
    expect(await database.transact(reissueOf(team, reissued, await load()))).toBe(true);
    expect(await load()).toMatchObject({ journey: journey({ slug: 'other', updated_at: time(2) }), version: 2 });
    expect(await findSlug(database, 'slug')).toBeUndefined();
    expect(await findSlug(database, 'other')).toEqual({ teamId: team, ...place });
  });

  test('is changed only as it was read', async () => {
    const { database, write, load } = await stored(journey());
    const before = await load();
    const changed = journey({
      name: null,
      owner_id: id(5),
      source: 'admin',
      completion_verified_at: time(2),
      updated_at: time(2),
    });
    expect(await write(updateOf(team, changed, before))).toBe(true);
    expect(await load()).toMatchObject({ journey: changed, version: 2 });
    expect(await write(updateOf(team, journey(), before))).toBe(false);
    expect(await database.transact(reissueOf(team, journey({ slug: 'other' }), before))).toBe(false);
    expect(await load()).toMatchObject({ journey: changed, version: 2 });
  });
});

describe('an action', () => {
  const action: JourneyAction = { kind: 'viewed', page_id: id(6), at: time(1) };
  const load = async (database: ModelDatabase) => (await loadActions(database, team, place, 'viewed', [id(6)]))[0];

  test('has the time of the first time and of the last, which no other call may have changed', async () => {
    const { database, write } = await stored(journey());
    expect(await load(database)).toBeUndefined();
    expect(await write(insertionOf(team, journey(), action))).toBe(true);
    expect(await write(insertionOf(team, journey(), { ...action, at: time(2) }))).toBe(false);
    expect(await load(database)).toEqual(action);
    expect(await write(repetitionOf(team, place, action, time(3)))).toBe(true);
    expect(await load(database)).toEqual({ ...action, last: time(3) });
    expect(await write(repetitionOf(team, place, action, time(2)))).toBe(false);
    expect(await write(repetitionOf(team, place, { ...action, last: time(3) }, time(4)))).toBe(true);
    expect(timesOf((await loadJourneyWithActions(database, team, place))!)).toEqual([time(4)]);
  });
});

const response = (number: number): KeptResponse => ({
  id: id(number),
  page_id: id(6),
  block_id: id(7),
  block_type: 'questions',
  answer: null,
  values: [],
  text: '',
  typed_name: null,
  content_revision: null,
  identity_proved: false,
  identity_facts_changed_at: null,
  identity_facts_changed_by: null,
  at: time(number),
});

/** Stores a response that was given then. */
async function respond(database: ModelDatabase, { at, ...response }: KeptResponse) {
  const before = (await loadJourneyWithActions(database, team, place))!;
  return database.transact(responseInsertions(team, place, before, addAnswers(before.answers, [response], at)));
}

describe('a response', () => {
  const note = (number: number, at: string, count: number) => ({
    ...{ id: id(number), page_id: id(6), block_id: id(7), answer: null, at, count },
  });

  test('is kept with the journey, which has the latest of each block', async () => {
    const { database } = await stored(journey());
    const all = () => loadResponses(database, team, place, id(4), { limit: 9 });
    for (const number of [8, 9]) expect(await respond(database, response(number))).toBe(true);
    expect(await all()).toEqual({ responses: [response(8), response(9)], next: undefined });
    const found = (await loadJourneyWithActions(database, team, place))!;
    expect(found).toMatchObject({ actions: [], answers: [note(9, time(9), 2)] });
    expect(timesOf(found)).toEqual([time(9)]);
    const stale = { journey: journey(), given: { number: 1 } };
    expect(await database.transact(responseInsertions(team, place, stale, { responses: [], given: [] }))).toBe(false);
  });

  test('is added to those that an older version has noted one by one', async () => {
    const { database } = await stored(journey());
    for (const [number, at] of [
      [2, time(2)],
      [1, time(1)],
    ] as const) {
      const { pk, sk } = journeyKey(team, contactId, templateId);
      const item = { pk, sk: `${sk}#answered#${id(6)}#${id(number)}`, block_id: id(7), answer: null, at };
      await database.write([{ kind: 'insert', item }]);
    }
    const answers = async () => (await loadJourneyWithActions(database, team, place))!.answers;
    expect(await answers()).toEqual([note(2, time(2), 2)]);
    await respond(database, response(3));
    expect(await answers()).toEqual([note(3, time(3), 3)]);
  });

  test('is not read with the contact, which a page reads', async () => {
    const { database } = await stored(journey());
    for (const number of [8, 9]) await respond(database, response(number));
    const read: string[] = [];
    const counting = Object.assign(Object.create(database), {
      query: async (input: QueryInput) => {
        const page = await database.query(input);
        read.push(...page.items.map(({ sk }) => sk));
        return page;
      },
    });
    for (const load of [loadContactAggregate, loadShownAggregate]) {
      await load(counting, team, contactId);
      expect(read.splice(0)).toEqual([journeyKey(team, contactId, templateId).sk]);
    }
  });

  test('is left out if it is gone', async () => {
    const { database } = await stored(journey());
    await respond(database, response(8));
    const answers = [response(9), response(8)];
    expect(await loadResponsesTo(database, team, journey(), answers)).toEqual([response(8)]);
  });

  test('is on the page of its place, in their order', async () => {
    const { database } = await stored(journey());
    for (const number of [7, 8, 9]) await respond(database, response(number));
    const page = (limit: number, after?: string) => loadResponses(database, team, place, id(4), { limit, after });
    const first = await page(2);
    expect(first.responses).toEqual([response(7), response(8)]);
    expect(await page(2, first.next)).toEqual({ responses: [response(9)], next: undefined });
    expect((await page(3)).next).toBeUndefined();
  });
});

test('an answer of another form is an error that names its kind', async () => {
  const { database } = await stored(journey());
  database.damage(journeyKey(team, contactId, templateId), { answers: '[{"answer":"x"}]' });
  await expect(loadJourneyWithActions(database, team, place)).rejects.toThrow('a stored journey is invalid: answers.0');
});

describe('a contact with everything', () => {
  test('has its journeys from the oldest on, with what is recorded in each', async () => {
    const age = (template: number, hour: number, own: number) =>
      journey({ id: id(own), slug: `s${own}`, template_id: id(template), inserted_at: time(hour) });
    // The items are sorted by template.
    const { database, write } = await stored(age(1, 3, 4), age(2, 1, 5), age(3, 2, 6), age(5, 1, 9), age(6, 1, 8));
    const contact = { ...noDetails, id: contactId, unique_id: 'u', inserted_at: time(1), updated_at: time(1) };
    await write(writeOfContact(team, contact, undefined, [], { writer: 'test' }));
    await write(insertionOf(team, age(3, 2, 6), { kind: 'viewed', page_id: id(6), at: time(4) }));
    const found = (await loadContactAggregate(database, team, contactId))!;
    expect(found).toMatchObject({ contact, links: [], attempts: { count: 0, pausedUntil: null } });
    expect(found.journeys.map((each) => [each.journey.id, each.actions.length])).toEqual([
      [id(5), 0],
      [id(8), 0],
      [id(9), 0],
      [id(6), 1],
      [id(4), 0],
    ]);
  });

  test('has the attempts to prove to be the contact', async () => {
    const { database, write } = await stored(journey());
    expect(await loadContactAggregate(database, team, contactId)).toBeUndefined();
    const contact = { ...noDetails, id: contactId, unique_id: 'u', inserted_at: time(1), updated_at: time(1) };
    await write(writeOfContact(team, contact, undefined, [], { writer: 'test' }));
    const attempts = { count: 3, pausedUntil: Date.parse(time(5)) };
    await saveAttempts(database, team, contactId, attempts, await loadAttempts(database, team, contactId));
    expect((await loadContactAggregate(database, team, contactId))!.attempts).toEqual(attempts);
  });
});

test('attempts are counted only from the number that was read', async () => {
  const database = new ModelDatabase();
  const load = () => loadAttempts(database, team, contactId);
  const save = async (attempts: Parameters<typeof saveAttempts>[3], from: Awaited<ReturnType<typeof load>>) =>
    saveAttempts(database, team, contactId, attempts, from);
  const none = await load();
  expect(none).toEqual({ attempts: { count: 0, pausedUntil: null }, version: 0 });
  expect(await save({ count: 1, pausedUntil: null }, none)).toBe(true);
  expect(await save({ count: 1, pausedUntil: null }, none)).toBe(false);
  const one = await load();
  expect(one).toEqual({ attempts: { count: 1, pausedUntil: null }, version: 1 });
  expect(await save({ count: 2, pausedUntil: 5000 }, one)).toBe(true);
  expect(await save({ count: 2, pausedUntil: 5000 }, one)).toBe(false);
  expect(await load()).toEqual({ attempts: { count: 2, pausedUntil: 5000 }, version: 2 });
});
