import { type Applied, applyJourney, type JourneyChange } from '../../domain/journeys/journey.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { StoredJourney } from '../../store/journeys/journey-items.ts';
import { insertionsOf, itemsOfJourney, loadJourneys, updateOf } from '../../store/journeys/journeys.ts';
import type { Database } from '../../store/table/database.ts';
import { untilAllWritten } from '../retry.ts';
import type { Service } from '../service.ts';

export type JourneyStart = {
  contactId: string;
  template: { id: string; name: string | null };
  change?: JourneyChange;
};

type Task = Required<JourneyStart> & { templateId: string; id: string; slug: string; now: string };
type Decision = { task: Task; stored: StoredJourney | undefined; applied: Applied };

/** Journeys that one transaction can create: it has at most 100 writes. */
const journeysAtOnce = Math.floor(100 / itemsOfJourney);

/**
 * Creates or updates these journeys, each with a different contact and template, and returns them in the same order. A
 * lost race is retried, so concurrent requests for the same journey all get one journey with one slug.
 */
export async function startJourneys(
  service: Service,
  teamId: string,
  starts: readonly JourneyStart[],
): Promise<Applied[]> {
  const { database, now, newId, newSlug } = service;
  const received = now();
  const tasks = starts.map((start, index): Task => {
    const fresh = { id: newId(), slug: newSlug(), now: timestamp(received, index) };
    return { change: {}, ...start, templateId: start.template.id, ...fresh };
  });
  const results = new Map<Task, Applied>();
  await untilAllWritten(service, 'too many conflicts on a journey', tasks, async (pending) => {
    const decisions = await decide(database, teamId, pending);
    for (const { task, applied } of await save(database, teamId, decisions)) results.set(task, applied);
    return pending.filter((task) => !results.has(task));
  });
  return tasks.map((task) => results.get(task)!);
}

async function decide(database: Database, teamId: string, tasks: readonly Task[]): Promise<Decision[]> {
  const found = await loadJourneys(database, teamId, tasks);
  return tasks.map((task, index) => {
    const stored = found[index];
    return { task, stored, applied: applyJourney(stored?.journey, task.change, task) };
  });
}

/** Writes the decisions. @returns those that are final: nothing had to be written, or the write succeeded. */
async function save(database: Database, teamId: string, decisions: readonly Decision[]): Promise<Decision[]> {
  const unchanged = decisions.filter(({ applied }) => !applied.changed);
  const created = decisions.filter(({ applied }) => applied.created);
  const updated = decisions.filter(({ applied, stored }) => applied.changed && stored);
  const written = await database.write(
    updated.map(({ applied, stored }) => updateOf(teamId, applied.journey, stored!)),
  );
  const saved = [...unchanged, ...updated.filter((_, index) => written[index])];
  for (let from = 0; from < created.length; from += journeysAtOnce) {
    const group = created.slice(from, from + journeysAtOnce);
    if (await database.transact(group.flatMap(({ applied }) => insertionsOf(teamId, applied.journey)))) {
      for (const decision of group) saved.push(decision);
    }
  }
  return saved;
}
