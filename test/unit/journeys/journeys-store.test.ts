import { describe, expect, test } from 'vitest';
import type { KeptResponse } from '../../../lib/domain/journeys/answer.ts';
import { addAnswers } from '../../../lib/domain/journeys/given-answer.ts';
import type { Journey } from '../../../lib/domain/journeys/journey.ts';
import {
  insertionsOf,
  loadContactAggregate,
  loadJourneys,
  loadJourneyWithActions,
  loadResponses,
  loadResponsesTo,
  loadShownAggregate,
  recordActions,
  responseInsertions,
  timesOf,
} from '../../../lib/store/journeys/journeys.ts';
import type { QueryInput, Upsert } from '../../../lib/store/table/database.ts';
import { journeyKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { journeyOf } from '../../support/samples/samples.ts';

const id = (number: number) => `8f3c1a52-7f0e-4b5d-9a63-00000000000${number}`;
const time = (hour: number) => `2026-03-01T0${hour}:00:00.000000Z`;
const [team, contactId, templateId] = [id(1), id(2), id(3)];
const place = { contactId, templateId };
const journey = () => journeyOf({ id: id(4), contact_id: contactId, template_id: templateId });

async function stored(...journeys: Journey[]) {
  const database = new ModelDatabase();
  for (const each of journeys) expect(await database.transact(insertionsOf(team, each, time(0), undefined))).toBe(true);
  const write = async (upsert: Upsert) => (await database.write([upsert]))[0];
  const load = async () => (await loadJourneys(database, team, [place]))[0]!;
  return { database, write, load };
}

test('however many actions are recorded together, each transaction holds them and the check of the journey', async () => {
  const { database } = await stored(journey());
  const actions = Array.from({ length: 250 }, (_, n) => ({ kind: 'viewed' as const, page_id: `p${n}`, at: time(1) }));
  expect(await recordActions(database, team, journey(), actions)).toEqual({ others: [], ending: undefined });
});

const response = (number: number): KeptResponse => ({
  ...{ id: id(number), page_id: id(6), block_id: id(7), block_type: 'questions', at: time(number) },
  ...{ answer: null, values: [], text: '', typed_name: null, content_revision: null, identity_proved: false },
  ...{ shows_private: false, identity_facts_changed_at: null, identity_facts_changed_by: null },
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
});

test('an answer of another form is an error that names its kind', async () => {
  const { database } = await stored(journey());
  database.damage(journeyKey(team, contactId, templateId), { answers: '[{"answer":"x"}]' });
  await expect(loadJourneyWithActions(database, team, place)).rejects.toThrow('a stored journey is invalid: answers.0');
});
