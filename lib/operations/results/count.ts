import { difference, firstGroups, sumOf } from '../../domain/counts.ts';
import { changedAt } from '../../domain/journey.ts';
import { countsOf } from '../../domain/journey-counts.ts';
import type { Write } from '../../store/database.ts';
import type { JourneyKey } from '../../store/journey-items.ts';
import { type JourneyWithActions, loadJourneyWithActions, timesOf } from '../../store/journeys.ts';
import { additionsOf, type CountChange, countersShard, markOf } from '../../store/results.ts';
import { together } from '../../store/together.ts';
import { untilAllWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/** Journeys that are read at the same time. */
const readAtOnce = 16;
/** Journeys of one transaction. People who change one of them at the same time wait for it. */
const journeysAtOnce = 20;
/** Groups of counters of one transaction, which has at most 100 writes. */
const groupsAtOnce = 75;

/**
 * Adds what these journeys count now, and have not counted yet, to the counters of their templates, and moves them to
 * their positions in the lists of these. It can be repeated. A journey that does not exist any more counts nothing.
 * @param read those that were just read. They are read again only if another writer was first
 */
export async function countJourneys(
  dependencies: Pick<Service, 'database' | 'pause'>,
  teamId: string,
  journeys: readonly JourneyKey[],
  read: readonly JourneyWithActions[] = [],
): Promise<void> {
  const { database } = dependencies;
  const distinct = new Map(journeys.map((key) => [nameOf(key), key]));
  const known = new Map(read.map((stored) => [nameOf(keyOf(stored)), stored]));
  await untilAllWritten(dependencies, 'too many conflicts on a journey', [...distinct.values()], async (pending) => {
    const load = (key: JourneyKey) => known.get(nameOf(key)) ?? loadJourneyWithActions(database, teamId, key);
    const stored = await together(pending, readAtOnce, async (key) => load(key));
    known.clear();
    const changes = stored.flatMap((journey) => (journey && changeOf(journey)) ?? []);
    const moved = changes.filter((change) => groupsOf(change) === 0);
    const written = await database.write(moved.map((change) => markOf(teamId, change)));
    const left = moved.filter((_, index) => !written[index]);
    await inShards(transactionsOf(changes.filter((change) => groupsOf(change) > 0)), async (group) => {
      const isWritten = await database.transact(writesOf(teamId, group));
      for (const change of group) if (!isWritten || change.isPart) left.push(change);
    });
    return left.map(({ before }) => keyOf(before));
  });
}

const nameOf = ({ contactId, templateId }: JourneyKey) => `${contactId} ${templateId}`;
const keyOf = ({ journey: { contact_id: contactId, template_id: templateId } }: Pick<JourneyWithActions, 'journey'>) =>
  ({ contactId, templateId }) satisfies JourneyKey;

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

/** `isPart`: more groups have changed than one transaction can write. */
type Change = CountChange & { isPart: boolean };
type Transaction = [Change, ...Change[]];

/** `undefined` if the journey has counted everything and is at its position. */
function changeOf(before: JourneyWithActions): Change | undefined {
  const { journey, counted, actions } = before;
  const change = difference(countsOf(before), counted.counts);
  const added = firstGroups(change, groupsAtOnce);
  const updatedAt = changedAt(journey, timesOf(before)).updated_at;
  const views = actions.filter(({ kind }) => kind === 'viewed').map(({ at, last }) => last ?? at);
  const lastViewed = views.sort().at(-1) ?? null;
  const isListed = counted.listed_at === updatedAt && counted.last_viewed === lastViewed;
  if (isListed && Object.keys(change).length === 0) return undefined;
  const counts = sumOf([counted.counts, added]);
  const isPart = Object.keys(change).length > groupsAtOnce;
  return { before, counts, added, updatedAt, lastViewed, isPart };
}

const groupsOf = ({ added }: CountChange): number => Object.keys(added).length;

/** Changes of one template for each transaction. */
function transactionsOf(changes: readonly Change[]): Transaction[] {
  const transactions: Transaction[] = [];
  for (const own of Map.groupBy(changes, ({ before }) => before.journey.template_id).values()) {
    let groups = new Set<string>();
    for (const [index, change] of own.entries()) {
      const names = Object.keys(change.added);
      const isFull = transactions.at(-1)?.length === journeysAtOnce || groups.union(new Set(names)).size > groupsAtOnce;
      if (index === 0 || isFull) {
        transactions.push([change]);
        groups = new Set();
      } else transactions.at(-1)!.push(change);
      for (const name of names) groups.add(name);
    }
  }
  return transactions;
}

function writesOf(teamId: string, changes: Transaction): Write[] {
  const { journey } = changes[0].before;
  const added = sumOf(changes.map((change) => change.added));
  return [...changes.map((change) => markOf(teamId, change)), ...additionsOf(teamId, journey, added)];
}
