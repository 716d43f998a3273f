import { type Counts, difference, sumOf } from '../../../../lib/domain/journeys/counts.ts';
import { countJourneys } from '../../../../lib/operations/results/count.ts';
import { countNoted } from '../../../../lib/operations/results/count-noted.ts';
import type { Service } from '../../../../lib/operations/service.ts';
import { type JourneyKey, journeyKeyAt } from '../../../../lib/store/journeys/journey-items.ts';
import { loadJourneys } from '../../../../lib/store/journeys/journeys.ts';
import { loadNoted, loadNotedMarks, notedCounts, notedMarkOf } from '../../../../lib/store/results/targeted.ts';
import { chunksOf, type Item } from '../../../../lib/store/table/database.ts';
import { teamItemKind } from '../../../../lib/store/table/item-kinds.ts';
import { contactIdOfPartition } from '../../../../lib/store/table/keys.ts';
import { type CounterDifference, correctCounters, loadMoves, type Moves } from '../../store/results/recount.ts';

export type RecountService = Service & {
  /** All items of the team, page by page. */
  scanTeam(teamId: string): AsyncIterable<Item[]>;
};

/** What a recount found in a template. */
export type Recount = {
  template_id: string;
  name: string | null;
  journeys: number;
  /** Journeys that had not counted everything. */
  missed: number;
  /** Groups of counters that the store refused again: the results lack them. */
  not_counted: number;
  /** By how much counters were wrong. They are right now. */
  differences: CounterDifference[];
  /** Groups of counters that changed meanwhile, so that they cannot be compared. */
  unsettled: number;
};

type Named = { id: string; name: string | null };

/**
 * Makes every journey count what it has not counted, and corrects counters that differ from what the journeys have
 * counted. The service can go on: a group of counters is compared only if it did not change while the journeys were read.
 */
export async function recountTemplates(
  service: RecountService,
  teamId: string,
  templates: readonly Named[],
): Promise<Recount[]> {
  const { database } = service;
  const first = await pass(service, teamId, templates);
  // What the first pass has counted changed the counters while it read the journeys.
  const hasMissed = [...first.values()].some(({ missed }) => missed > 0);
  const last = hasMissed ? await pass(service, teamId, templates) : first;
  const recounts: Recount[] = [];
  for (const { id, name } of templates) {
    const found = last.get(id)!;
    const { differences, unsettled } = await correctCounters(database, teamId, id, found);
    const { missed } = first.get(id)!;
    const counted = { journeys: found.journeys, missed, not_counted: found.notCounted };
    recounts.push({ template_id: id, name, ...counted, differences, unsettled });
  }
  return recounts;
}

/** What the journeys of a template have counted, and how often the counters had changed before they were read. */
export type Counted = {
  journeys: number;
  missed: number;
  notCounted: number;
  sum: Counts;
  before: Moves;
};

const journeysAtOnce = 100;

async function pass(
  service: RecountService,
  teamId: string,
  templates: readonly Named[],
): Promise<Map<string, Counted>> {
  const { database, scanTeam } = service;
  const counted = new Map<string, Counted>();
  for (const { id } of templates) {
    const before = await loadMoves(database, teamId, id);
    counted.set(id, { journeys: 0, missed: 0, notCounted: 0, sum: {}, before });
  }
  for await (const items of scanTeam(teamId)) {
    const journeys = items.filter((item) => teamItemKind(teamId, item) === 'journeys').map(journeyKeyAt);
    const own = journeys.filter(({ templateId }) => counted.has(templateId));
    for (const keys of chunksOf(own, journeysAtOnce)) await add(service, teamId, keys, counted);
    for (const item of items) {
      if (teamItemKind(teamId, item) === 'judged') await addNoted(service, teamId, item, counted);
    }
  }
  return counted;
}

async function add(
  service: RecountService,
  teamId: string,
  keys: readonly JourneyKey[],
  counted: ReadonlyMap<string, Counted>,
): Promise<void> {
  const { database } = service;
  const before = await loadJourneys(database, teamId, keys);
  await countJourneys(service, teamId, keys, [], true, 'all');
  const after = await loadJourneys(database, teamId, keys);
  for (const [index, { templateId }] of keys.entries()) {
    const stored = after[index];
    const of = counted.get(templateId)!;
    // Erased since it was read.
    if (!stored) continue;
    const { counts } = stored.counted;
    const changed = difference(counts, before[index]?.counted.counts ?? {});
    of.journeys += 1;
    of.notCounted += stored.counted.setAside.length;
    if (Object.keys(changed).length > 0) of.missed += 1;
    of.sum = sumOf([of.sum, counts]);
  }
}

/** Of a person whom targeting has noted: the templates for which the person is counted. */
async function addNoted(
  service: RecountService,
  teamId: string,
  judged: Item,
  counted: ReadonlyMap<string, Counted>,
): Promise<void> {
  const { database } = service;
  const contactId = contactIdOfPartition(judged.pk);
  const noted = await loadNoted(database, teamId, contactId);
  await countNoted(
    service,
    teamId,
    noted.filter(({ templateId }) => counted.has(templateId)),
  );
  const [mark] = await loadNotedMarks(database, teamId, [contactId]);
  for (const templateId of mark?.templateIds ?? []) {
    const of = counted.get(templateId);
    if (!of) continue;
    if (!notedMarkOf(judged).templateIds.includes(templateId)) of.missed += 1;
    of.sum = sumOf([of.sum, notedCounts]);
  }
}
