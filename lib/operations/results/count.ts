import { difference, firstGroups, sumOf } from '../../domain/counts.ts';
import { changedAt } from '../../domain/journey.ts';
import { countsOf } from '../../domain/journey-counts.ts';
import type { Database, Write } from '../../store/database.ts';
import type { JourneyKey } from '../../store/journey-items.ts';
import { type JourneyWithActions, loadJourneyWithActions, timesOf } from '../../store/journeys.ts';
import { additionsOf, type CountChange, markOf } from '../../store/results.ts';
import { type RetryDependencies, untilAllWritten } from '../retry.ts';

export type CountDependencies = RetryDependencies & { database: Database };

/** Journeys that are read at the same time. */
const readAtOnce = 16;
/** Journeys of one transaction. People who change one of them at the same time wait for it. */
const journeysAtOnce = 20;
/** Groups of counters of one transaction, which has at most 100 writes. */
const groupsAtOnce = 75;

/**
 * Adds what these journeys count now, and have not counted yet, to the counters of their templates, and moves them to
 * their positions in the lists of these. It can be repeated. A journey that does not exist any more counts nothing.
 */
export async function countJourneys(
  dependencies: CountDependencies,
  teamId: string,
  journeys: readonly JourneyKey[],
): Promise<void> {
  const { database } = dependencies;
  const distinct = new Map(journeys.map((key) => [`${key.contactId} ${key.templateId}`, key]));
  await untilAllWritten(dependencies, 'too many conflicts on a journey', [...distinct.values()], async (pending) => {
    const changes = (await loadAll(database, teamId, pending)).flatMap((stored) => changeOf(stored) ?? []);
    const moved = changes.filter((change) => groupsOf(change) === 0);
    const written = await database.write(moved.map((change) => markOf(teamId, change)));
    const left = moved.filter((_, index) => !written[index]);
    for (const group of transactionsOf(changes.filter((change) => groupsOf(change) > 0))) {
      const isWritten = await database.transact(writesOf(teamId, group));
      for (const change of group) if (!isWritten || change.isPart) left.push(change);
    }
    return left.map(({ before: { journey } }) => ({ contactId: journey.contact_id, templateId: journey.template_id }));
  });
}

async function loadAll(database: Database, teamId: string, keys: readonly JourneyKey[]): Promise<JourneyWithActions[]> {
  const found: JourneyWithActions[] = [];
  const queue = keys.values();
  const worker = async () => {
    for (const key of queue) {
      const stored = await loadJourneyWithActions(database, teamId, key);
      if (stored) found.push(stored);
    }
  };
  await Promise.all(Array.from({ length: Math.min(readAtOnce, keys.length) }, worker));
  return found;
}

/** `isPart`: more groups have changed than one transaction can write. */
type Change = CountChange & { isPart: boolean };

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
function transactionsOf(changes: readonly Change[]): Change[][] {
  const transactions: Change[][] = [];
  for (const own of Map.groupBy(changes, ({ before }) => before.journey.template_id).values()) {
    let groups = new Set<string>();
    for (const [index, change] of own.entries()) {
      const names = Object.keys(change.added);
      const isFull = transactions.at(-1)?.length === journeysAtOnce || groups.union(new Set(names)).size > groupsAtOnce;
      if (index === 0 || isFull) {
        transactions.push([]);
        groups = new Set();
      }
      transactions.at(-1)!.push(change);
      for (const name of names) groups.add(name);
    }
  }
  return transactions;
}

function writesOf(teamId: string, changes: readonly Change[]): Write[] {
  const { journey } = changes[0]!.before;
  const added = sumOf(changes.map((change) => change.added));
  return [...changes.map((change) => markOf(teamId, change)), ...additionsOf(teamId, journey, added)];
}
