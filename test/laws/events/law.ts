import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import { difference, sumOf } from '../../../lib/domain/journeys/counts.ts';
import { countsOf } from '../../../lib/domain/results/journey-counts.ts';
import { accountsOf, progressOf } from '../../../lib/operations/journeys/progress.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { logHead, readEvents } from '../../../lib/store/events/event-log.ts';
import { loadContactAggregate } from '../../../lib/store/journeys/journeys.ts';
import { loadCounts } from '../../../lib/store/results/results.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import type { Ending, Fact } from './history.ts';
import type { Reader } from './simulation.ts';
import { templateId, type World } from './world.ts';

/**
 * The law of the events: every fact is one event, which the feed, the bus and the webhook have; repeats have the same id;
 * those of a contact and of a batch are in the order of their writes; no reader skips one; completions are recorded; the results are exact.
 */
export async function examine(world: World, readers: readonly Reader[]): Promise<void> {
  const { table, team } = world;
  const { seq } = await logHead(table.model, team);
  const feed = (await readEvents(table.model, team, { seq: 1, index: 0 }, 100_000)).events;
  const distinct = firstOf(feed);
  if (feed.length > 0 && seq === 0) world.violation('the log has no head');
  examineIds(world, [...feed, ...world.onBus, ...world.received, ...readers.flatMap(({ seen }) => seen)]);
  examineContacts(world, distinct);
  examineBatches(world, distinct);
  const ways: [string, readonly ServiceEvent[], string | undefined][] = [
    ['the bus', world.onBus, undefined],
    ['the webhook', world.received, undefined],
    ...readers.map(({ type, seen }, n) => [`reader ${n}`, seen, type] as [string, ServiceEvent[], string | undefined]),
  ];
  for (const [name, got, type] of ways) {
    const wanted = distinct.filter((event) => type === undefined || event.type.startsWith('journey.'));
    // A publisher may have died between feed and bus, and the next one does not see an end that was undone since.
    const lasting = wanted.filter((event) => name !== 'the bus' || !isUndone(world, event));
    const ids = firstOf(got).map(({ id }) => id);
    const missing = lasting.find(({ id }) => !ids.includes(id));
    if (missing) world.violation(`${name} misses ${JSON.stringify(missing)}`);
    if (ids.length > wanted.length) world.violation(`${name} has more than the feed`);
    // The bus keeps no order. The webhook keeps that of each contact and batch.
    if (name.startsWith('reader') && ids.join() !== wanted.map(({ id }) => id).join()) {
      world.violation(`${name} has another order than the feed`);
    }
    if (name !== 'the webhook') continue;
    for (const [owner, own] of Map.groupBy(firstOf(got), ownerOf)) {
      const inFeed = wanted.filter((event) => ownerOf(event) === owner).map(({ id }) => id);
      if (own.map(({ id }) => id).join() !== inFeed.join()) world.violation(`${name} mixes up the events of ${owner}`);
    }
  }
  await examineCompletions(world);
}

const ownerOf = ({ contact_id, batch_id }: ServiceEvent): string => contact_id ?? batch_id!;

const firstOf = (events: readonly ServiceEvent[]): ServiceEvent[] => {
  const found = new Map<string, ServiceEvent>();
  for (const event of events) if (!found.has(event.id)) found.set(event.id, event);
  return [...found.values()];
};

const textOf = ({ type, at, records }: ServiceEvent) => `${type} ${at} ${JSON.stringify(records)}`;
const isUndone = ({ history }: World, event: ServiceEvent): boolean =>
  history.endings.some(
    (each) => each.batch === event.batch_id && timeOf(each.text) === timeOf(textOf(event)) && history.isContended(each),
  );

/** An id is always the same event. */
function examineIds(world: World, events: readonly ServiceEvent[]): void {
  const known = new Map<string, string>();
  for (const event of events) {
    const text = JSON.stringify(event);
    const before = known.get(event.id);
    if (before !== undefined && before !== text) world.violation(`one id for ${before} and ${text}`);
    known.set(event.id, text);
  }
}

function examineContacts(world: World, distinct: readonly ServiceEvent[]): void {
  const told = Map.groupBy(
    distinct.filter(({ batch_id }) => batch_id === undefined),
    ({ contact_id }) => contact_id!,
  );
  const facts = Map.groupBy(world.history.facts, ({ owner }) => owner);
  for (const owner of new Set([...told.keys(), ...facts.keys()])) {
    const all = (facts.get(owner) ?? []).map(nameOf);
    const events = (told.get(owner) ?? []).map(({ type, page_id }) => `${type} ${page_id ?? ''}`);
    // An account is another one's write: it has no order among those of the contact.
    const [expected, found] = [all, events].map((names) => [
      ...names.filter(isOwn),
      ...names.filter((name) => !isOwn(name)),
    ]);
    if (!expected || !found) continue;
    if (found.join() !== expected.join()) world.violation(`of ${owner}, ${found} was told, and ${expected} happened`);
  }
}

const isOwn = (name: string) => !name.startsWith('account.');
const nameOf = ({ type, detail }: Fact) => `${type} ${type.startsWith('journey.page') ? detail : ''}`;

function examineBatches(world: World, distinct: readonly ServiceEvent[]): void {
  const { history } = world;
  const told = distinct.filter(({ batch_id }) => batch_id !== undefined);
  for (const batch of history.batches) {
    const own = told.filter(({ batch_id }) => batch_id === batch).map(textOf);
    const endings = history.endings.filter((each) => each.batch === batch);
    // The counts of an end that was undone before it was told can lack what undid it. Two ends can have the same time.
    const isOf = (ending: Ending, text: string) =>
      timeOf(text) === timeOf(ending.text) && !endings.some((other) => other !== ending && other.text === text);
    const isTold = (ending: Ending) =>
      own.some((text) => text === ending.text || (history.isContended(ending) && isOf(ending, text)));
    const expected = endings.filter((each) => isTold(each) || !history.isContended(each)).map(({ text }) => text);
    const isSame =
      own.map(timeOf).join() === expected.map(timeOf).join() &&
      endings.every((each) => history.isContended(each) || own.includes(each.text));
    if (!isSame) world.violation(`of batch ${batch}, ${own} was told, and ${expected} happened`);
    const last = endings.at(-1);
    if (last && history.statusOf(batch).status !== 'processing' && own.at(-1) !== last.text) {
      world.violation(`batch ${batch} became ${last.text}, and ${own.at(-1)} was told last`);
    }
  }
}
/** Without the records. */
const timeOf = (text: string) => text.slice(0, text.indexOf('{'));

/** What a reader would decide from the stored facts is recorded, and what is recorded is counted, once. */
async function examineCompletions(world: World): Promise<void> {
  const { table, team } = world;
  const content = await world.content.current(team);
  const journeys: Parameters<typeof countsOf>[0][] = [];
  for (const uniqueId of ['a', 'b', 'c']) {
    const aggregate = await loadContactAggregate(table.model, team, derivedContactId(team, uniqueId));
    if (!aggregate) continue;
    journeys.push(...aggregate.journeys);
    const productCache = new ProductCache(table.model);
    const accounts = accountsOf({ productCache }, team, aggregate.links);
    for (const { unrecorded } of await progressOf(aggregate, content, accounts, world.clock)) {
      if (unrecorded.length > 0) world.violation(`of ${uniqueId}, ${JSON.stringify(unrecorded)} is not recorded`);
    }
  }
  const wrong = difference(
    sumOf(journeys.map((journey) => countsOf(journey))),
    await loadCounts(table.model, team, templateId),
  );
  if (Object.keys(wrong).length > 0) world.violation(`the results are wrong by ${JSON.stringify(wrong)}`);
}
