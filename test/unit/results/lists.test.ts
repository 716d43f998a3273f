import { beforeAll, describe, expect, test } from 'vitest';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { startJourneys } from '../../../lib/operations/journeys/start.ts';
import { countJourneys } from '../../../lib/operations/results/count.ts';
import { listTemplateJourneys } from '../../../lib/operations/results/list-journeys.ts';
import { listTemplateResponses, readResults } from '../../../lib/operations/results/read.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { loadContacts } from '../../../lib/store/contacts/contacts.ts';
import { insertionOf, repetitionOf } from '../../../lib/store/journeys/journeys.ts';
import type { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { freshTable, reportsCapacity } from '../../support/engine/engine.ts';
import { inRounds } from '../../support/engine/round-trips.ts';
import { dependencies, idOf, team, templateId } from '../../support/operations/journey-operations.ts';
import { upsertBatch } from '../../support/operations/operations.ts';
import { openCampaign, pages, person } from '../../support/operations/results-world.ts';
import { record } from '../../support/samples/contacts.ts';

const isCounted = await reportsCapacity();
const size = 600;
let read = 0;
let database: DynamoDatabase;
let journeys: { id: string; contactId: string }[];

beforeAll(async () => {
  ({ database } = await freshTable({ onConsumed: ({ readUnits }) => (read += readUnits) }));
  await openCampaign(database);
  const uniqueIds = Array.from({ length: size }, (_, n) => `p${n}`);
  for (let at = 0; at < size; at += 200) {
    await upsertBatch(
      dependencies(),
      team,
      uniqueIds.slice(at, at + 200).map((unique_id) => record({ unique_id })),
    );
  }
  const template = { id: templateId, name: 'Campaign', template_messages: [] };
  const contacts = await loadContacts(database, team, uniqueIds.map(idOf));
  const starts = contacts.map((stored) => ({ contact: stored!.contact, template, change: {} }));
  const started = await startJourneys(dependencies(), team, starts as never);
  journeys = started.map((each) => ({ id: each!.journey.id, contactId: each!.journey.contact_id }));
});

const list = (sent: Parameters<typeof listTemplateJourneys>[2]) => listTemplateJourneys(dependencies(), team, sent);

/** A person views a page, and the publisher counts it. */
async function view({ id, contactId }: { id: string; contactId: string }, page: string, at: number): Promise<void> {
  const journey = { id, contact_id: contactId, template_id: templateId };
  await database.write([insertionOf(team, journey, { kind: 'viewed', page_id: page, at: timestamp(at) })]);
  await countJourneys(dependencies(), team, [{ contactId, templateId }]);
}

type JourneyList = Awaited<ReturnType<typeof list>>;

async function everyPage(limit: number, between: (page: number) => Promise<unknown> = async () => {}) {
  const listed: JourneyList['journeys'] = [];
  let next: string | undefined;
  for (let page = 0; page === 0 || next !== undefined; page++) {
    const found: JourneyList = await list(next === undefined ? { template_id: templateId, limit } : { cursor: next });
    expect(found.journeys.length).toBeLessThanOrEqual(limit);
    listed.push(...found.journeys);
    next = found.next_cursor;
    await between(page);
  }
  return listed;
}

describe('the list of the journeys of a template', () => {
  test('misses no journey that does not change while it is read, and has none twice with one time', async () => {
    const changed = new Set<string>();
    const later = Date.now() + 60_000;
    const listed = await everyPage(50, async (page) => {
      if (page >= 12) return;
      const moving = [3, 77, 140, 290, 450, 599].map((at) => journeys[(at + 37 * page) % size]!);
      for (const [index, journey] of moving.entries()) {
        changed.add(journey.id);
        await view(journey, `page-${page}`, later + 1000 * page + index);
      }
    });
    const keys = listed.map(({ id, updated_at }) => `${id} ${updated_at}`);
    expect(new Set(keys).size).toBe(keys.length);
    const times = listed.map(({ updated_at }) => updated_at);
    expect(times).toEqual(times.toSorted());
    const unchanged = journeys.filter(({ id }) => !changed.has(id)).map(({ id }) => id);
    expect(changed.size).toBeGreaterThan(50);
    expect(
      listed
        .filter(({ id }) => !changed.has(id))
        .map(({ id }) => id)
        .sort(),
    ).toEqual(unchanged.sort());
    const seen = new Set(listed.map(({ id }) => id));
    expect([...changed].filter((id) => !seen.has(id))).toEqual([]);
  });

  test('has each journey once, by the time of its last change, and costs the same at any depth', async () => {
    const costs: number[] = [];
    let before = read;
    const listed = await everyPage(50, async () => {
      costs.push(read - before);
      before = read;
    });
    expect(listed.map(({ id }) => id).sort()).toEqual(journeys.map(({ id }) => id).sort());
    const times = listed.map(({ updated_at }) => updated_at);
    expect(times).toEqual(times.toSorted());
    if (!isCounted) return;
    const [first, ...deeper] = costs.slice(0, -1);
    expect(deeper.length).toBeGreaterThan(9);
    // 50 journeys, 50 contacts, the shards, the content and the secret.
    expect(first).toBeLessThanOrEqual(125);
    for (const cost of deeper) expect(cost).toBeLessThanOrEqual(first! + 4);
  });
});

test('the list has the latest view, also if the clock of a function was behind the last change', async () => {
  const { id, contactId } = journeys[1]!;
  const key = { contactId, templateId };
  const viewed = { kind: 'viewed', page_id: 'seen-again', at: timestamp(Date.now() + 300_000) } as const;
  const done = { kind: 'completed', page_id: 'done', at: timestamp(Date.now() + 500_000) } as const;
  const again = timestamp(Date.now() + 400_000);
  const journey = { id, contact_id: contactId, template_id: templateId };
  for (const write of [
    ...[viewed, done].map((each) => insertionOf(team, journey, each)),
    repetitionOf(team, journey, viewed, again),
  ]) {
    await database.write([write]);
    await countJourneys(dependencies(), team, [key]);
  }
  const listed = (await everyPage(100)).find((each) => each.id === id)!;
  expect([listed.updated_at, listed.analytics_cache.last_viewed]).toEqual([done.at, again]);
});

test('the results are read in two round trips, and in one if the content is cached', async () => {
  await view(journeys[0]!, pages.view, Date.now());
  const { database: counting, rounds } = inRounds(database);
  const using = { ...dependencies(counting), content: new ContentCache(counting, () => 0) };
  expect((await readResults(using, team, templateId)).pages[0]!.viewed).toBeGreaterThan(0);
  expect(rounds()).toBe(2);
  await readResults(using, team, templateId);
  expect(rounds()).toBe(3);
});

test('a page of responses that is too large to be sent is shorter, and none is missed', async () => {
  const ofTemplate = (sent: object, most: number) =>
    listTemplateResponses(dependencies(), team, templateId, sent, (responses) => responses.length <= most);
  const ann = await person('ann');
  for (let n = 0; n < 9; n++) await ann.decide(n % 2 === 0 ? 'accepted' : 'declined');
  const ids: string[] = [];
  const sizes: number[] = [];
  let next: string | undefined;
  do {
    const page = await ofTemplate(next === undefined ? { limit: 5 } : { cursor: next }, 2);
    ids.push(...page.responses.map(({ id }) => id));
    sizes.push(page.responses.length);
    next = page.next_cursor;
  } while (next !== undefined);
  expect(sizes).toEqual([2, 2, 2, 2, 1]);
  expect(new Set(ids).size).toBe(9);
});
