import { beforeEach, describe, expect, test } from 'vitest';
import { DefectiveRecords } from '../../../lib/operations/events/publish.ts';
import { confirmJourney } from '../../../lib/operations/journeys/confirm.ts';
import { readResults } from '../../../lib/operations/results/read.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { idsOf, type StreamRecord } from '../../../lib/store/events/item-changes.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import { WriteRefused } from '../../../lib/store/table/errors.ts';
import { eventPartition, linkKey } from '../../../lib/store/table/keys.ts';
import { putContent } from '../../support/operations/content.ts';
import {
  act,
  dependencies,
  documentOf,
  idOf,
  ids,
  journeysOf,
  named,
  post,
  team,
  templateId,
} from '../../support/operations/journey-operations.ts';
import {
  eventsOfAll,
  openStream,
  publishAll,
  publishRecords,
  stream,
  typesOf,
} from '../../support/operations/publishing.ts';
import { numbers, openCampaign, person } from '../../support/operations/results-world.ts';
import { readAll } from '../../support/samples/events.ts';

beforeEach(openStream);

const start = async (uniqueId: string) => {
  await post({ unique_id: uniqueId, ...named });
  const [journey] = await journeysOf(uniqueId);
  return journey!;
};

test('a person is told of from the first contact to the confirmation, in the order of the writes', async () => {
  await putContent(stream, team, documentOf());
  await post({ unique_id: 'p', name_first: 'Ann' });
  await post({ unique_id: 'p', name_first: 'Ann' });
  await post({ unique_id: 'p', name_first: 'Anna' });
  const journey = await start('p');
  for (const page_id of [ids.view, ids.view, ids.type]) await act(journey.slug!, { type: 'page_viewed', page_id });
  const { id } = journey;
  await confirmJourney(dependencies(stream), team, { templateId, journeyId: id }, true);
  await confirmJourney(dependencies(stream), team, { templateId, journeyId: id }, true);
  const events = await eventsOfAll();
  const inJourney = { contact_id: idOf('p'), journey_id: id, template_id: templateId };
  expect(events).toMatchObject([
    { type: 'contact.created', team_id: team, contact_id: idOf('p') },
    { type: 'contact.updated', contact_id: idOf('p') },
    { type: 'journey.created', ...inJourney },
    { type: 'journey.page_completed', ...inJourney, page_id: ids.view },
    { type: 'journey.page_viewed', ...inJourney, page_id: ids.view },
    { type: 'journey.page_viewed', ...inJourney, page_id: ids.type },
    { type: 'journey.verified', ...inJourney },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/Ann|"p"/);
  expect(new Set(events.map((event) => event.id)).size).toBe(7);
});

test('records that are passed again are the same events with the same ids', async () => {
  for (const name of ['Ann', 'Anna', 'Annie']) await post({ unique_id: 'p', name_first: name });
  const before = await eventsOfAll();
  expect(typesOf(before)).toEqual(['contact.created', 'contact.updated', 'contact.updated']);
  const records = stream.records.filter(
    ({ dynamodb }) => !JSON.stringify(dynamodb?.Keys).includes(eventPartition(team)),
  );
  await publishRecords(records);
  expect((await eventsOfAll()).slice(3)).toEqual(before);
});

test('after a restore of the table, an event with the ids and version of a lost one has another id', async () => {
  await post({ unique_id: 'p' });
  const records = stream.take();
  for (const eventEpoch of ['', 'restored', 'restored']) await publishRecords(records, { eventEpoch });
  const [before, after, repeat] = (await readAll(stream, undefined, 10, team)).events;
  expect(after).toEqual({ ...before, id: expect.not.stringMatching(before!.id) });
  expect(repeat).toEqual(after);
});

test('the subscriptions of the team are woken once for all events, and its journeys are counted', async () => {
  const woken: string[] = [];
  await putContent(stream, team, documentOf());
  const journey = await start('p');
  await act(journey.slug!, { type: 'page_viewed', page_id: ids.view });
  await publishAll({ wake: async (teamId) => void woken.push(teamId) });
  expect(woken).toEqual([team]);
  const dependencies = { database: stream, content: new ContentCache(stream, Date.now), now: Date.now };
  expect((await readResults(dependencies, team, templateId)).journeys).toMatchObject({ created: 1, opened: 1 });
});

test('an answer that completes nothing new is counted, and so is what it leaves out', async () => {
  await openCampaign(stream);
  const ann = await person('ann');
  const answers: unknown[] = [];
  for (const given of [
    [['How?', 'Well']],
    [
      ['How?', 'Badly'],
      ['Why?', 'x'],
    ],
    [['How?', 'Badly']],
  ] as const) {
    await ann.answer(...(given as unknown as [string, string][]));
    await publishAll();
    answers.push((await numbers()).answers);
  }
  expect(answers).toEqual([
    [[1, 0], [0]],
    [[0, 1], [1]],
    [[0, 1], [0]],
  ]);
});

describe('what fails', () => {
  const failures: object[] = [];
  const onFailure = (error: unknown, which: object) => void failures.push({ name: (error as Error).name, ...which });
  beforeEach(() => void failures.splice(0));
  const failing = (error: Error, isOf: (writes: string) => boolean) => {
    const transact = stream.transact.bind(stream);
    stream.transact = async (writes) => {
      if (isOf(JSON.stringify(writes))) throw error;
      return transact(writes);
    };
  };
  const sequenceOf = ({ dynamodb }: StreamRecord) => dynamodb!.SequenceNumber!;
  const isOfContact = ({ dynamodb }: StreamRecord) => JSON.stringify(dynamodb?.Keys?.sk) === '{"S":"CONTACT"}';

  test.each([
    new StoreUnavailable('a test'),
    new WriteRefused('AccessDeniedException'),
    Object.assign(new Error(), { name: 'ResourceNotFoundException' }),
  ])(
    'because of an outage ($name) is reported from the first record of its team, and other teams are told',
    async (error) => {
      const first = team;
      await post({ unique_id: 'p' });
      await post({ unique_id: 'q' });
      const records = stream.take();
      const other = '11111111-1111-4111-8111-111111111111';
      const text = JSON.stringify(records.at(-1)).replaceAll(first, other);
      failing(error, (writes) => writes.includes(first));
      const failed = await publishRecords([...records, JSON.parse(text)], { onFailure });
      const contacts = records.filter(isOfContact);
      const sequence = sequenceOf(contacts[0]!);
      expect(failed).toEqual([sequence]);
      expect(failures).toEqual([{ name: error.name, sequence, team_id: first, records: contacts.length }]);
      expect((await readAll(stream, undefined, 10, other)).events).toHaveLength(1);
      expect((await readAll(stream, undefined, 10, first)).events).toHaveLength(0);
    },
  );

  test('because of an outage beside a defect of another team fails the batch, so that the defect is separated', async () => {
    await post({ unique_id: 'p' });
    const [record] = stream.take().filter(isOfContact);
    const other = '11111111-1111-4111-8111-111111111111';
    const ofOther: StreamRecord = JSON.parse(JSON.stringify(record).replaceAll(team, other));
    const transact = stream.transact.bind(stream);
    stream.transact = async (writes) => {
      if (JSON.stringify(writes).includes(other)) throw new StoreUnavailable('a test');
      if (JSON.stringify(writes).includes(team)) throw new TypeError('x');
      return transact(writes);
    };
    for (const records of [
      [record!, ofOther],
      [ofOther, record!],
    ])
      await expect(publishRecords(records, { onFailure })).rejects.toThrow(DefectiveRecords);
    expect(await publishRecords([ofOther], { onFailure })).toEqual([sequenceOf(record!)]);
  });

  test('because a record cannot be read fails the batch before anything is told, and names it', async () => {
    await post({ unique_id: 'p' });
    stream.take();
    await post({ unique_id: 'p', name_first: 'Ann' });
    const [good] = stream.take();
    const [bad] = structuredClone([good!]);
    Object.assign(bad!.dynamodb!.NewImage!, { version: { S: 'x' } });
    bad!.dynamodb!.SequenceNumber = '7';
    await expect(publishRecords([good!, bad!], { onFailure })).rejects.toThrow(DefectiveRecords);
    const contact = { item: 'contact', team_id: team, contact_id: idOf('p') };
    expect(failures).toEqual([{ name: 'Problem', sequence: '7', ...contact, records: 1 }]);
    expect((await readAll(stream, undefined, 10, team)).events).toEqual([]);
  });

  test('is logged without the number of the account of a link', () => {
    const { pk, sk } = linkKey(team, idOf('p'), '1234567890');
    const record = { dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: '7' } };
    expect(idsOf(record)).toEqual({ sequence: '7', team_id: team, item: 'link', contact_id: idOf('p') });
  });

  test.each([
    ['a defect of the code', new TypeError('x')],
    ['a write that is refused', new WriteRefused('ValidationError')],
  ])('because of %s fails the batch, so that its record is separated', async (_, error) => {
    await post({ unique_id: 'p' });
    await post({ unique_id: 'q' });
    const records = stream.take().filter(isOfContact);
    failing(error, (writes) => writes.includes(idOf('q')));
    await expect(publishRecords(records, { onFailure })).rejects.toThrow(DefectiveRecords);
    expect(await publishRecords(records.slice(0, 1), { onFailure })).toEqual([]);
    await expect(publishRecords(records.slice(1), { onFailure })).rejects.toThrow(DefectiveRecords);
    expect(failures).toEqual([
      { name: error.name, sequence: sequenceOf(records[0]!), team_id: team, records: 2 },
      {
        ...{ name: error.name, sequence: sequenceOf(records[1]!), team_id: team, records: 1 },
        ...{ item: 'contact', contact_id: idOf('q') },
      },
    ]);
    expect((await readAll(stream, undefined, 10, team)).events).toMatchObject([{ contact_id: idOf('p') }]);
  });

  test('of settling, counting or the bus delays no event', async () => {
    await putContent(stream, team, documentOf());
    await start('p');
    const records = stream.take();
    failing(new Error(), (writes) => writes.includes(`#S#${templateId}`));
    await expect(publishRecords(records, { onFailure })).rejects.toThrow(DefectiveRecords);
    expect(typesOf((await readAll(stream, undefined, 10, team)).events)).toEqual([
      'contact.created',
      'journey.created',
    ]);
  });

  test('on a bus that an operator broke neither stops counting nor separates records', async () => {
    await putContent(stream, team, documentOf());
    await start('p');
    const put = async () => {
      throw Object.assign(new Error(), { name: 'ResourceNotFoundException' });
    };
    const records = stream.take();
    expect(await publishRecords(records, { onFailure, bus: { put } })).toEqual([
      sequenceOf(records.find(isOfContact)!),
    ]);
    const dependencies = { database: stream, content: new ContentCache(stream, Date.now), now: Date.now };
    expect((await readResults(dependencies, team, templateId)).journeys).toMatchObject({ created: 1 });
  });
});
