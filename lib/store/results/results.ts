import * as z from 'zod';
import { type Counts, sumOf } from '../../domain/journeys/counts.ts';
import type { Journey } from '../../domain/journeys/journey.ts';
import { journeyItemKey, keyOfJourney } from '../journeys/journey-items.ts';
import type { JourneyWithActions } from '../journeys/journeys.ts';
import { all, type Database, type Item, type Upsert, type Write } from '../table/database.ts';
import {
  countersKey,
  countersPartition,
  groupOfCounters,
  isErasedCounters,
  journeyListKey,
  shardOf,
} from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

/**
 * The counters of the results of a template. A journey is marked with what it has counted in the transaction that adds
 * it, so nothing is counted twice.
 */

/** A journey as it counts now. */
export type CountChange = {
  before: Pick<JourneyWithActions, 'journey' | 'counted'>;
  counts: Counts;
  /** What is added to the counters. */
  added: Counts;
  /** Groups that the store does not take, see {@link CountedState}. */
  setAside: readonly string[];
  updatedAt: string;
  lastViewed: string | null;
};

/** Marks the journey, on the condition that it still exists and has counted what was read. */
export function markOf(teamId: string, { before, counts, setAside, updatedAt, lastViewed }: CountChange): Upsert {
  const { journey, counted } = before;
  const isChanged = setAside.length !== counted.setAside.length;
  return {
    kind: 'update',
    key: journeyItemKey(teamId, keyOfJourney(journey)),
    set: {
      counted: countedText(counts),
      ...(isChanged ? { set_aside: setAside.length > 0 ? JSON.stringify(setAside) : undefined } : {}),
      ...(lastViewed === null ? {} : { last_viewed: lastViewed }),
      ...journeyListKey(teamId, journey, updatedAt),
    },
    expect: { journey_id: journey.id, counted: counted.text },
  };
}

/** As a journey stores its counts: the condition of its next change. */
export const countedText = (counts: Counts): string => JSON.stringify(counts);

type Counted = Pick<Journey, 'template_id' | 'contact_id'>;

/** The shard to whose counters a journey is added, with those that are counted in its transaction. */
export const countersShard = ({ contact_id }: Counted): number => shardOf(contact_id);

/** Adds to the counters of a template: one write for each group. @param journey the first of those that are counted */
export const additionsOf = (teamId: string, journey: Counted, added: Counts): Write[] =>
  additions(teamId, journey.template_id, countersShard(journey), added);

/** `moves` says how often a group has changed. */
const additions = (teamId: string, templateId: string, shard: number, added: Counts): Write[] =>
  Object.entries(added).map(([group, counters]) => ({
    kind: 'add',
    key: countersKey(teamId, templateId, shard, group),
    add: { ...counters, moves: 1 },
  }));

const countersItem = itemReader(
  'group of counters',
  z.object({ pk: z.string(), sk: z.string(), moves: z.int() }).catchall(z.int()),
);

/** What all journeys of the template have counted, erased ones included. */
export async function loadCounts(database: Database, teamId: string, templateId: string): Promise<Counts> {
  const items = await all(database, { pk: countersPartition(teamId, templateId) });
  return sumOf(items.filter((item) => !isErasedCounters(item)).map(countsIn));
}

/** The group of the item, without how often it has changed. */
export function countsIn(item: Item): Counts {
  const { pk, sk, moves, ...counters } = countersItem(item);
  return { [groupOfCounters({ pk, sk })]: counters };
}
