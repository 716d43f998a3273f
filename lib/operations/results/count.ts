import { type Counts, difference, firstOf, isWithin, sumOf } from '../../domain/journeys/counts.ts';
import { changedAt } from '../../domain/journeys/journey.ts';
import { type CountedMessage, countsOf } from '../../domain/results/journey-counts.ts';
import { type JourneyKey, keyOfJourney, nameOfJourney } from '../../store/journeys/journey-items.ts';
import { type JourneyWithActions, loadJourneyWithActions, timesOf } from '../../store/journeys/journeys.ts';
import { loadJourneyRecords } from '../../store/messages/records.ts';
import { additionsOf, type CountChange, countedText, countersShard, markOf } from '../../store/results/results.ts';
import type { Write } from '../../store/table/database.ts';
import { isInvalidRequest } from '../../store/table/errors.ts';
import { together } from '../../store/table/together.ts';
import { untilAllWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/** Journeys that are read at the same time. */
const readAtOnce = 16;
/** Journeys of one transaction. People who change one of them at the same time wait for it. */
const journeysAtOnce = 20;
/**
 * Groups of counters of one transaction, and counters of one group in it. With the journeys, a transaction has at most 95
 * of 100 writes. A write of 100 counters is an expression of 1.2 of 4 KB; their names, which are not part of it, can have
 * any length. A group is an item with a limit of its own: see `answersGroup`. What exceeds another limit, as that of
 * 4 MB for all items of a transaction, is refused, and then counted group by group.
 */
const atOnce: Limits = { groups: 75, counters: 100 };
const oneGroup: Limits = { ...atOnce, groups: 1 };
type Limits = Parameters<typeof firstOf>[1];

export type CountService = Service & {
  /** Called if the store refuses a group of counters for good. It is set aside: only a recount tries it again. */
  onSetAside?(error: unknown, ids: { team_id: string; contact_id: string; template_id: string }): void;
};

/**
 * Adds what these journeys count now, and have not counted yet, to the counters of their templates, and moves them to
 * their positions in the lists of these. It can be repeated. A journey that does not exist any more counts nothing.
 * @param read those that were just read. They are read again only if another writer was first
 * @param triesAgain also counts what was set aside before
 * @param messaged the names of those whose messages can have changed: only their messages are read
 */
export async function countJourneys(
  service: CountService,
  teamId: string,
  journeys: readonly JourneyKey[],
  read: readonly JourneyWithActions[] = [],
  triesAgain = false,
  messaged: ReadonlySet<string> | 'all' = new Set(),
): Promise<void> {
  const { database } = service;
  const distinct = new Map(journeys.map((key) => [nameOfJourney(key), key]));
  const known = new Map(read.map((stored) => [nameOfJourney(keyOf(stored)), stored]));
  await untilAllWritten(service, 'too many conflicts on a journey', [...distinct.values()], async (pending) => {
    const load = async (key: JourneyKey): Promise<CountedStored | undefined> => {
      const name = nameOfJourney(key);
      const found = known.get(name) ?? (await loadJourneyWithActions(database, teamId, key));
      if (!found || (messaged !== 'all' && !messaged.has(name))) return found;
      const of = { contactId: key.contactId, journeyId: found.journey.id };
      const messages = (await loadJourneyRecords(database, teamId, of)).map(({ record }) => record);
      return { ...found, messages };
    };
    const stored = await together(pending, readAtOnce, async (key) => load(key));
    known.clear();
    const changes = stored.flatMap((journey) => (journey && changeOf(journey, triesAgain ? [] : undefined)) ?? []);
    const moved = changes.filter((change) => groupsOf(change) === 0);
    const written = await database.write(moved.map((change) => markOf(teamId, change)));
    let left = moved.filter((_, index) => !written[index]).map(({ before }) => before);
    await inShards(transactionsOf(changes.filter((change) => groupsOf(change) > 0)), async (group) => {
      const lost = await countGroup(service, teamId, group);
      left = left.concat(lost);
    });
    return left.map(keyOf);
  });
}

const keyOf = ({ journey }: Pick<JourneyWithActions, 'journey'>): JourneyKey => keyOfJourney(journey);

/** Transactions that write the counters of one shard conflict, so they come one after another. */
async function inShards(
  transactions: readonly Transaction[],
  work: (changes: Transaction) => Promise<void>,
): Promise<void> {
  const shards = Map.groupBy(transactions, ([{ before }]) => countersShard(before.journey));
  await together([...shards.values()], shards.size, async (own) => {
    for (const changes of own) await work(changes);
  });
}

type CountedStored = JourneyWithActions & { messages?: readonly CountedMessage[] };
type Change = CountChange & { before: CountedStored };
type Transaction = [Change, ...Change[]];

/** @returns the journeys that another writer has changed */
async function countGroup(service: CountService, teamId: string, changes: Transaction): Promise<JourneyWithActions[]> {
  let remaining: (Change | undefined)[] = changes;
  if (changes.length > 1) {
    try {
      if (!(await service.database.transact(writesOf(teamId, changes)))) return changes.map(({ before }) => before);
      remaining = changes.map((change) => changeOf(afterIt(change)));
    } catch (error) {
      if (!isInvalidRequest(error)) throw error;
    }
  }
  const lost: JourneyWithActions[] = [];
  for (const change of remaining) if (change && !(await countAlone(service, teamId, change))) lost.push(change.before);
  return lost;
}

/** Counts a journey in as many transactions as it needs. @returns false if another writer has changed it */
async function countAlone({ database, onSetAside }: CountService, teamId: string, first: Change): Promise<boolean> {
  let most = atOnce;
  for (let change: Change | undefined = first; change; ) {
    const tried: Change = withAdded(change, firstOf(change.added, most));
    const groups = Object.keys(tried.added);
    try {
      if (!(await database.transact(writesOf(teamId, [tried])))) return false;
      change = changeOf(afterIt(tried));
    } catch (error) {
      if (!isInvalidRequest(error) || groups.length === 0) throw error;
      if (groups.length > 1) most = oneGroup;
      else {
        const aside: Change = { ...withAdded(tried, {}), setAside: [...tried.setAside, ...groups] };
        if (!(await database.transact([markOf(teamId, aside)]))) return false;
        const { contact_id, template_id } = tried.before.journey;
        onSetAside?.(error, { team_id: teamId, contact_id, template_id });
        change = changeOf(afterIt(aside));
      }
    }
  }
  return true;
}

/** `undefined` if the journey has counted everything but what is set aside, and is at its position. */
function changeOf(before: CountedStored, setAside = before.counted.setAside): Change | undefined {
  const { journey, counted, actions } = before;
  const found = Object.entries(difference(countsOf(before, counted.counts), counted.counts));
  const change = Object.fromEntries(found.filter(([group]) => !setAside.includes(group)));
  const updatedAt = changedAt(journey, timesOf(before)).updated_at;
  const views = actions.filter(({ kind }) => kind === 'viewed').map(({ at, last }) => last ?? at);
  const lastViewed = views.sort().at(-1) ?? null;
  const isListed = counted.listed_at === updatedAt && counted.last_viewed === lastViewed;
  if (isListed && Object.keys(change).length === 0) return undefined;
  return withAdded({ before, counts: {}, added: {}, setAside, updatedAt, lastViewed }, firstOf(change, atOnce));
}

const withAdded = (change: Change, added: Counts): Change => ({
  ...change,
  ...{ added, counts: sumOf([change.before.counted.counts, added]) },
});

/** The journey after this change was written. */
const afterIt = ({ before, counts, setAside, updatedAt, lastViewed }: Change): CountedStored => ({
  ...before,
  counted: { counts, text: countedText(counts), setAside, listed_at: updatedAt, last_viewed: lastViewed },
});

const groupsOf = ({ added }: CountChange): number => Object.keys(added).length;

/** Changes of one template for each transaction. */
function transactionsOf(changes: readonly Change[]): Transaction[] {
  const transactions: Transaction[] = [];
  for (const own of Map.groupBy(changes, ({ before }) => before.journey.template_id).values()) {
    let named: Counts = {};
    for (const [index, change] of own.entries()) {
      const together = namesIn([named, change.added]);
      const isFull = transactions.at(-1)?.length === journeysAtOnce || !isWithin(together, atOnce);
      if (index === 0 || isFull) {
        transactions.push([change]);
        named = namesIn([change.added]);
      } else {
        transactions.at(-1)!.push(change);
        named = together;
      }
    }
  }
  return transactions;
}

/** What one transaction adds to, also if the sum is zero. */
const namesIn = (all: readonly Counts[]): Counts =>
  sumOf(
    all.map((counts) =>
      Object.fromEntries(
        Object.entries(counts).map(([group, counters]) => [
          group,
          Object.fromEntries(Object.keys(counters).map((name) => [name, 1])),
        ]),
      ),
    ),
  );

function writesOf(teamId: string, changes: Transaction): Write[] {
  const { journey } = changes[0].before;
  const added = sumOf(changes.map((change) => change.added));
  return [...changes.map((change) => markOf(teamId, change)), ...additionsOf(teamId, journey, added)];
}
