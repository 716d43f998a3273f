import { randomUUID } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishUnits } from '../../../bench/cost/units.ts';
import { newSecret, newSlug } from '../../../lib/auth/secrets.ts';
import { publish } from '../../../lib/operations/events/publish.ts';
import { createJourney } from '../../../lib/operations/journeys/create.ts';
import { recordPageAction } from '../../../lib/operations/journeys/record-action.ts';
import { journeyKeyOfSlug } from '../../../lib/operations/journeys/show.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { ContentCache, contentCachedFor } from '../../../lib/store/campaigns/content.ts';
import type { StreamRecord } from '../../../lib/store/events/item-changes.ts';
import { bound, type Database, type Item, type Upsert, type Write } from '../../../lib/store/table/database.ts';
import { type Consumed, DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { keyOf } from '../../../lib/store/table/requests.ts';
import { freshTable, reportsCapacity } from '../../support/engine/engine.ts';
import { inRounds } from '../../support/engine/round-trips.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record, samplePerson } from '../../support/samples/contacts.ts';
import { publisher } from '../../support/samples/events.ts';

const isCounted = await reportsCapacity();
const consumed: Consumed[] = [];
const table = await freshTable({ onConsumed: (each) => consumed.push(each) });
const uncounted = new DynamoDatabase({ tableName: table.tableName, client: table.client });
const { database: counted, rounds } = inRounds(table.database);

/** What the stream of the table would have: a record for each item that a write has changed. */
let records: StreamRecord[] = [];
const image = (item: Item | undefined) => item && marshall(item, { removeUndefinedValues: true });
async function recorded<T>(writes: readonly Write[], apply: () => Promise<T>): Promise<T> {
  const keys = writes.map((write) => keyOf(write.kind === 'insert' ? write.item : write.key));
  const before = await uncounted.get(keys);
  const result = await apply();
  const after = await uncounted.get(keys);
  for (const [index, key] of keys.entries()) {
    const [OldImage, NewImage] = [image(before[index]), image(after[index])];
    if (JSON.stringify(OldImage) === JSON.stringify(NewImage)) continue;
    records.push({ dynamodb: { Keys: image(key), OldImage, NewImage, SequenceNumber: '1' } });
  }
  return result;
}
const database: Database = {
  ...bound(counted),
  write: (writes: readonly Upsert[], options) => recorded(writes, () => counted.write(writes, options)),
  transact: (writes, options) => recorded(writes, () => counted.transact(writes, options)),
};

let time = Date.now();
const dependencies = {
  ...{ database, now: () => time, newId: () => randomUUID(), newSecret, newSlug },
  ...{ pause: async () => {}, wait: async () => {}, baseUrl: 'https://example.com' },
  content: new ContentCache(database, () => time),
  productCache: new ProductCache(database),
};
const page = (order: number) => ({
  id: randomUUID(),
  order,
  page: { id: randomUUID(), completion_condition: 'confirm' },
});
const pages = [page(1), page(2)] as const;
const template = { id: randomUUID(), name: 'Welcome', status: 'live', template_pages: pages };
let teamId: string;
let slug: string;
const contact = (fields: object) =>
  upsertContact(serviceOn(database), teamId, record({ unique_id: 'p', ...samplePerson, ...fields }));
const act = async (type: 'page_viewed' | 'page_completed') =>
  recordPageAction(
    dependencies,
    await journeyKeyOfSlug(database, slug),
    { type, page_id: pages[0].page.id },
    () => false,
  );

/** Publishes what has changed, and what that itself has changed. */
async function costOfEvents() {
  await dependencies.content.current(teamId);
  time += contentCachedFor;
  const before = rounds();
  consumed.length = 0;
  while (records.length > 0) {
    const taken = records;
    records = [];
    const onFailure = (error: unknown) => {
      throw error;
    };
    await publish({ ...publisher(database, () => time), ...dependencies, onFailure }, taken);
  }
  const sum = (unit: 'readUnits' | 'writeUnits') => consumed.reduce((total, each) => total + each[unit], 0);
  return { read: sum('readUnits'), write: sum('writeUnits'), trips: rounds() - before };
}

beforeAll(async () => {
  teamId = await newTeam(database);
  await putContent(database, teamId, { templates: [template] });
  await contact({});
  await costOfEvents();
});

/** The first events of a team insert the head of its log, and the first journeys of a day their counters. */
describe.runIf(isCounted)('what a change costs after its request', () => {
  test('of a contact', async () => {
    await contact({ name_first: 'Ann' });
    expect(await costOfEvents()).toEqual(publishUnits.contact);
  });

  test('along a journey: started, viewed, viewed again, completed', async () => {
    const change = { name: undefined, owner_id: undefined, source: undefined };
    const of = { id: derivedContactId(teamId, 'p') };
    ({ slug } = (
      await createJourney(dependencies, { teamId }, template.id, { contact: of, change, errors: [] })
    ).journey);
    expect(await costOfEvents()).toEqual(publishUnits.journey);
    await act('page_viewed');
    expect(await costOfEvents()).toEqual(publishUnits.view);
    await act('page_viewed');
    expect(await costOfEvents()).toEqual(publishUnits.viewAgain);
    await act('page_completed');
    expect(await costOfEvents()).toEqual(publishUnits.completion);
  });
});
