import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createLastingJourney,
  createTargetedJourney,
  importUnits,
  messageUnits,
  publishUnits,
  requestUnits,
  storedUnits,
} from '../../../bench/cost/units.ts';
import { fillLookups } from '../../../bin/admin/operations/contacts/fill-lookups.ts';
import { updateTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { newSecret, newSlug } from '../../../lib/auth/secrets.ts';
import { defaultScanUnits } from '../../../lib/domain/access/scan-budget.ts';
import { lookupField } from '../../../lib/domain/contacts/lookup.ts';
import { renderers } from '../../../lib/email/rendering.ts';
import type { OutgoingMail } from '../../../lib/email/sender.ts';
import { contactAccounts } from '../../../lib/operations/accounts/contact-accounts.ts';
import { moveDue } from '../../../lib/operations/events/move-due.ts';
import { publish } from '../../../lib/operations/events/publish.ts';
import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { channelContent } from '../../../lib/operations/journeys/channel-content.ts';
import { createJourney } from '../../../lib/operations/journeys/create.ts';
import { recordPageAction } from '../../../lib/operations/journeys/record-action.ts';
import { journeyKeyOfSlug, openJourney, showJourney } from '../../../lib/operations/journeys/show.ts';
import {
  openContent,
  recordContentAction,
  showChannelContent,
} from '../../../lib/operations/journeys/show-channel-content.ts';
import { takeFeedback } from '../../../lib/operations/messages/feedback.ts';
import { type SendService, sendMessages } from '../../../lib/operations/messages/send.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { countJourneys } from '../../../lib/operations/results/count.ts';
import { readResults } from '../../../lib/operations/results/read.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { ContentCache, contentCachedFor } from '../../../lib/store/campaigns/content.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import type { StreamRecord } from '../../../lib/store/events/item-changes.ts';
import {
  type Attributes,
  all,
  bound,
  type Database,
  type Item,
  type Upsert,
  type Write,
} from '../../../lib/store/table/database.ts';
import { type Consumed, DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import {
  accountKey,
  batchPartition,
  contactPartition,
  journeyIdKey,
  type Key,
  slugKey,
} from '../../../lib/store/table/keys.ts';
import { keyOf } from '../../../lib/store/table/requests.ts';
import { table as tableDefinition } from '../../../lib/store/table/table.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { freshTable, reportsCapacity } from '../../support/engine/engine.ts';
import { itemSize } from '../../support/engine/item-size.ts';
import { inRounds } from '../../support/engine/round-trips.ts';
import { putContent } from '../../support/operations/content.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record, samplePerson } from '../../support/samples/contacts.ts';
import { publisher } from '../../support/samples/events.ts';

const isCounted = await reportsCapacity();
const consumed: Consumed[] = [];
const table = await freshTable({ onConsumed: (each) => consumed.push(each) });
const { database, rounds } = inRounds(table.database);

/** An instance of the functions, with a clock of its own. */
let time = Date.now();
const dependencies = {
  database,
  now: () => time,
  newId: () => randomUUID(),
  newSecret,
  newSlug,
  writer: randomUUID(),
  pause: async () => {},
  wait: async () => {},
  content: new ContentCache(database, () => time),
  productCache: new ProductCache(database),
  scanUnits: defaultScanUnits,
  baseUrl: 'https://example.com',
};

const channel = { id: randomUUID(), name: 'Web', lookup_fields: ['meta_private[core_id]'] };
const page = (order: number, completion_condition: string) => ({
  id: randomUUID(),
  order,
  page: { id: randomUUID(), completion_condition, content_containers: [{ engagement_channel_id: channel.id }] },
});
const pages = [page(1, 'confirm'), page(2, 'confirm'), page(3, 'view')] as const;
const template = {
  id: randomUUID(),
  name: 'Welcome',
  status: 'live',
  is_cce_enabled: true,
  template_pages: pages,
};
const person = {
  unique_id: 'p',
  ...samplePerson,
  meta_private: { core_id: 'sought', branch: { id: 18, name: 'Midtbyen' } },
};
const accountNumbers = ['400120000001', '400120000002'];
/** Its journeys expire. */
const lasting = { id: randomUUID(), name: 'Lasting', journey_duration_hours: 24 };
const isSet = { field: 'product.type', operator: 'is_set' };
const targeted = { id: randomUUID(), name: 'Targeted', targeting_groups: [{ conditions: [isSet] }] };
let teamId: string;
let contactId: string;

beforeAll(async () => {
  teamId = await newTeam(database);
  contactId = derivedContactId(teamId, person.unique_id);
  await putContent(database, teamId, { engagement_channels: [channel], templates: [template, lasting, targeted] });
  await fillLookups(dependencies, teamId);
  await upsertContact(serviceOn(database), teamId, record(person));
  await postBatch(serviceOn(database), teamId, {
    batch_id: 'nightly',
    chunk_index: 0,
    records: accountNumbers.map((account_number) => ({
      account_number,
      contact: { unique_id: person.unique_id, role: 'primary' },
      product: { code: 'CHK', type: 'checking', name: 'Everyday Checking' },
      nickname: 'Everyday',
      balance: '1234.56',
      opened_date: '2019-04-01',
      routing_number: '121000248',
      meta_public: { branch: { name: 'North', id: 7 }, tier: 2 },
      meta_private: { crm: 'crm-1' },
    })),
  });
  await workAll(serviceOn(database), teamId);
  await contactAccounts(dependencies, teamId, contactId);
});

/** What a request costs an instance that had the content of the team some seconds ago. */
async function costOf<Result>(work: () => Promise<Result>) {
  await dependencies.content.current(teamId);
  time += contentCachedFor;
  const before = rounds();
  consumed.length = 0;
  const result = await work();
  const sum = (unit: 'readUnits' | 'writeUnits') => consumed.reduce((total, each) => total + each[unit], 0);
  return { result, units: { read: sum('readUnits'), write: sum('writeUnits'), trips: rounds() - before } };
}

describe.runIf(isCounted)('what a request costs', () => {
  const change = { name: undefined, owner_id: undefined, source: undefined };
  const start = (templateId = template.id, id = contactId) =>
    createJourney(dependencies, { teamId }, templateId, { contact: { id }, change, errors: [] });
  const act = async (slug: string, type: 'page_viewed' | 'page_completed', { page }: (typeof pages)[number]) =>
    recordPageAction(dependencies, await journeyKeyOfSlug(database, slug), { type, page_id: page.id }, () => false);

  test('by the id of a contact, and for its accounts', async () => {
    const read = await costOf(() => loadContact(database, teamId, contactId));
    expect(read.units).toEqual(requestUnits['get-contact']);
    const accounts = await costOf(() => contactAccounts(dependencies, teamId, contactId));
    expect(accounts.result).toHaveLength(accountNumbers.length);
    expect(accounts.units).toEqual(requestUnits['list-contact-accounts']);
  });

  test.each([
    ['whose journeys expire', lasting, createLastingJourney],
    ['with a rule', targeted, createTargetedJourney],
  ])('of a campaign %s: a start', async (_, { id }, units) => {
    await upsertContact(serviceOn(database), teamId, record({ unique_id: 'other' }));
    expect((await costOf(() => start(id, derivedContactId(teamId, 'other')))).units).toEqual(units);
  });

  test('along a journey: started, shown, viewed, completed', async () => {
    const started = await costOf(() => start());
    expect(started.units).toEqual(requestUnits['create-journey']);
    const { slug } = started.result.journey;
    const shown = await costOf(async () => {
      const view = await openJourney(dependencies, await journeyKeyOfSlug(database, slug));
      if (!view.closed) await showJourney(dependencies, view);
    });
    expect(shown.units).toEqual(requestUnits['show-journey']);
    expect((await costOf(() => act(slug, 'page_viewed', pages[0]))).units).toEqual(requestUnits['record-view']);
    expect((await costOf(() => act(slug, 'page_completed', pages[0]))).units).toEqual(requestUnits['record-action']);
    await countJourneys(dependencies, teamId, [{ contactId, templateId: template.id }]);
    const results = await costOf(() => readResults(dependencies, teamId, template.id));
    expect(results.result.journeys.opened).toBe(1);
    expect(results.units).toEqual(requestUnits['get-template-results']);
  });

  test('in a channel: shown and viewed', async () => {
    const field = lookupField('meta_private[core_id]')!;
    const caller = { teamId, clientId: 'client' };
    const { url } = await channelContent(dependencies, caller, channel.id, { field, value: 'sought' } as never);
    const reference = url.split('/').at(-1)!;
    const shown = await costOf(() => showChannelContent(dependencies, channel.id, reference));
    expect(shown.result.isForAll).toBe(false);
    expect(shown.units).toEqual(requestUnits['show-channel-content']);
    const viewed = await costOf(async () => {
      const content = await openContent(dependencies, channel.id, reference);
      await recordContentAction(dependencies, content, { type: 'page_viewed' });
    });
    expect(viewed.units).toEqual(requestUnits['record-content-view']);
  });
});

/** The bytes of items and of their entries in indexes, and the number of both. */
const stored = (items: readonly Item[]) => {
  const all = items.flatMap((item) => [item, ...entriesOf(item)]);
  return { bytes: all.reduce((sum, each) => sum + itemSize(each), 0), items: all.length };
};
const entriesOf = (item: Item): Attributes[] =>
  Object.values(tableDefinition.indexes)
    .filter(({ partitionKey }) => item[partitionKey] !== undefined)
    .map(({ partitionKey, sortKey, projected }) => {
      const names = new Set(['pk', 'sk', partitionKey, sortKey, ...projected]);
      return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
    });

describe.runIf(isCounted)('what is stored', () => {
  const itemsOf = (items: readonly Item[], prefix: string) => items.filter(({ sk }) => sk.startsWith(prefix));

  test.each([
    ['contact', 'CONTACT', 1],
    ['link', 'ACCOUNT#', accountNumbers.length],
    ['account', 'ACCOUNT', 1],
    ['journey', 'JOURNEY', 1],
    ['action', 'JOURNEY#', 2],
    ['chunk', '', 1],
  ] as const)('of a %s', async (name, prefix, count) => {
    const { bytes, items } = stored(await found(name, prefix));
    expect(items / count).toBe(storedUnits[name].items);
    expect(bytes / count).toBeLessThanOrEqual(storedUnits[name].bytes);
    expect(bytes / count).toBeGreaterThan(0.9 * storedUnits[name].bytes);
  });

  test('of the compressed records of a chunk of the sample bank', async () => {
    const world = await DropWorld.open();
    const file = world.drop('accounts/bank.csv', readFileSync('examples/bank/accounts.csv'));
    await world.invoke(file);
    const payloads = [...world.database.items.values()].filter(({ pk }) => pk.includes('#U#')).map(itemSize);
    expect(payloads).toHaveLength(Math.ceil(6943 / 500));
    const mean = (of: (size: number) => number) => payloads.reduce((sum, size) => sum + of(size), 0) / payloads.length;
    expect(mean((size) => size)).toBeLessThanOrEqual(storedUnits.payload.bytes);
    expect(mean((size) => size)).toBeGreaterThan(0.9 * storedUnits.payload.bytes);
    expect(mean((size) => Math.ceil(size / 1024))).toBeLessThanOrEqual(importUnits.payload.write);
    expect(mean((size) => Math.ceil(size / 4096))).toBeLessThanOrEqual(importUnits.payload.read);
  });

  async function found(name: Exclude<keyof typeof storedUnits, 'payload'>, prefix: string): Promise<Item[]> {
    const own = await all(database, { pk: contactPartition(teamId, contactId) });
    const [journey, ...actions] = itemsOf(own, 'JOURNEY#');
    switch (name) {
      case 'contact':
      case 'link':
        return itemsOf(own, prefix);
      case 'account':
        return presentOf([accountKey(teamId, accountNumbers[0]!)]);
      case 'journey':
        return [
          journey!,
          ...(await presentOf([journeyIdKey(teamId, journey!.journey_id as string), slugKey(journey!.slug as string)])),
        ];
      case 'action':
        return actions;
      case 'chunk':
        return all(database, { pk: batchPartition(teamId, 'nightly') });
    }
  }
  const presentOf = async (keys: Key[]) => (await database.get(keys)) as Item[];
});

const uncounted = new DynamoDatabase({ tableName: table.tableName, client: table.client });

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
let slug: string;

/** The first events of a team insert the head of its log, and the first journeys of a day their counters. */
describe.runIf(isCounted)('what a change costs after its request', () => {
  const { database: counted, rounds } = inRounds(table.database);
  const database: Database = {
    ...bound(counted),
    write: (writes: readonly Upsert[], options) => recorded(writes, () => counted.write(writes, options)),
    transact: (writes, options) => recorded(writes, () => counted.transact(writes, options)),
  };
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

  test('of a contact', async () => {
    await contact({ name_first: 'Ann' });
    expect(await costOfEvents()).toEqual(publishUnits.contact);
  });

  test('of a new account with its holder', async () => {
    const product = { code: 'CHK', type: 'checking' };
    const importing = { ...serviceOn(database), onLostWake: () => {} };
    await postBatch(importing, teamId, {
      records: [{ account_number: '1', contact: { unique_id: 'p' }, product }],
    });
    await workAll(importing, teamId);
    // The end of the batch is another event of the same second.
    expect(await costOfEvents()).toEqual(publishUnits.account);
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

  test('of a message when many wait: due, sent, told, delivered', async () => {
    const persons = Array.from({ length: 20 }, (_, index) => `m${index}`);
    const teamId = await newTeam(database);
    const message = { type: 'email', content_block_status: 'published', payload: { subject: 'Hello' } };
    const template_messages = [{ id: randomUUID(), send_offset_hours: 1, message }];
    const campaign = { id: randomUUID(), name: 'Campaign', status: 'live', template_messages };
    const using = { ...serviceOn(database, { now: () => time }), pause: async () => {} };
    const own = { senders: ['@bank.example'], postal_address: '1 Main Street', quiet_hours: null };
    await updateTeam(using, teamId, { ...own, messages_a_second: 100 });
    const document = { templates: [{ ...campaign, email_sender_address: 'hello@bank.example' }] };
    await importContent({ ...using, fits: () => true }, teamId, document as never);
    time += 1000;
    const consents = { email_opted_in: true, email_verified: true, journey: { template_id: campaign.id } };
    for (const unique_id of persons) {
      const fields = { ...samplePerson, ...consents, unique_id, email: `${unique_id}@example.com` };
      await upsertContact(using, teamId, record(fields as never));
    }
    await costOfEvents();
    const messageQueue = { wake: async () => {}, postpone: async () => {} };
    const working = { ...using, messageQueue, onContactFailure: () => {} };
    // What the new campaign has planned.
    time += 600_000;
    await moveDue(using, teamId);
    await workCompletions(working, teamId, () => true);
    await costOfEvents();
    time += 3_600_000;
    const sent: OutgoingMail[] = [];
    const consenting = {
      ...{ ...using, messages: { secret: async () => Buffer.alloc(32, 7).toString('base64url') } },
      journal: { add: async () => {}, entries: async function* () {} },
    };
    const sending: SendService = {
      ...{ ...consenting, ...renderers(consenting), onPaused: () => {}, onListMismatch: () => {} },
      senderFor: () => ({ send: async (mail) => ({ providerId: String(sent.push(mail)) }) }),
      onMessageFailure: (error) => {
        throw error;
      },
      wait: async () => {
        time += 1000;
      },
    };
    const each = async (work: () => Promise<unknown>) => {
      consumed.length = 0;
      await work();
      const mean = (unit: 'readUnits' | 'writeUnits') =>
        consumed.reduce((total, one) => total + one[unit], 0) / persons.length;
      return { read: mean('readUnits'), write: mean('writeUnits') };
    };
    const due = await each(async () => {
      await moveDue(using, teamId);
      await workCompletions(working, teamId, () => true);
    });
    const handed = await each(() => sendMessages(sending, teamId, () => true));
    expect(sent).toHaveLength(persons.length);
    const told = await each(costOfEvents);
    const reports = await each(async () => {
      const at = new Date(time).toISOString();
      for (const { tags } of sent) await takeFeedback(sending, { type: 'delivered', tags, at });
    });
    const toldAgain = await each(costOfEvents);
    expect({ due, sent: handed, told, delivered: reports, toldAgain }).toEqual(messageUnits);
  });
});
