import { hasRule } from '../../domain/campaigns/targeting-rule.ts';
import type { Template } from '../../domain/campaigns/template.ts';
import type { Contact } from '../../domain/contacts/contact.ts';
import { dueAtOf, type PlannedTemplate } from '../../domain/journeys/due-moments.ts';
import { type Applied, applyJourney, type JourneyChange } from '../../domain/journeys/journey.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { contactCheck, loadContacts } from '../../store/contacts/contacts.ts';
import type { StoredJourney } from '../../store/journeys/journey-items.ts';
import {
  byAge,
  insertionsOf,
  itemsOfJourney,
  judgedWrite,
  loadAccountJourneys,
  loadJourneys,
  updateOf,
} from '../../store/journeys/journeys.ts';
import { chunksOf, type Database } from '../../store/table/database.ts';
import { together } from '../../store/table/together.ts';
import { untilAllWritten } from '../retry.ts';
import type { Service } from '../service.ts';

export type JourneyStart = {
  contact: Pick<Contact, 'id' | 'inserted_at'>;
  template: Pick<Template, 'id' | 'name' | 'journey_creation_strategy'> &
    Partial<Pick<Template, 'targeting_groups'>> &
    PlannedTemplate;
  change?: JourneyChange;
};

type Task = Required<JourneyStart> & { contactId: string; templateId: string; id: string; slug: string; now: string };
/** `version`: of what is decided on journeys about accounts, if the template starts such now. */
type Decision = { task: Task; stored: StoredJourney | undefined; applied: Applied; version: number | undefined };

/** Contacts whose journeys about accounts are queried in parallel. */
const queriesAtOnce = 16;

/** Journeys that one transaction can create, with the check of a contact for each: it has at most 100 writes. */
const journeysAtOnce = (areDue: boolean, areDecided: boolean) =>
  Math.floor(100 / (itemsOfJourney + 1 + (areDue ? 1 : 0) + (areDecided ? 1 : 0)));

/**
 * Creates or updates these journeys, each with a different contact and template, and returns them in the same order. A
 * lost race is retried, so concurrent requests for the same journey all get one journey with one slug. `undefined` for a
 * contact that was erased since it was read: its journey would have been erased too.
 */
export async function startJourneys(
  service: Service,
  teamId: string,
  starts: readonly JourneyStart[],
): Promise<(Applied | undefined)[]> {
  const { database, now, newId, newSlug } = service;
  const received = now();
  const tasks = starts.map((start, index): Task => {
    const fresh = { id: newId(), slug: newSlug(), now: timestamp(received, index) };
    return { change: {}, ...start, contactId: start.contact.id, templateId: start.template.id, ...fresh };
  });
  const results = new Map<Task, Applied>();
  await untilAllWritten(service, 'too many conflicts on a journey', tasks, async (pending, round) => {
    const present = round === 0 ? pending : await ofPresentContacts(database, teamId, pending);
    const decisions = await decide(database, teamId, present);
    for (const { task, applied } of await save(service, teamId, decisions)) results.set(task, applied);
    return present.filter((task) => !results.has(task));
  });
  return tasks.map((task) => results.get(task));
}

async function ofPresentContacts(database: Database, teamId: string, tasks: readonly Task[]): Promise<Task[]> {
  const ids = tasks.map(({ contactId }) => contactId);
  const found = await loadContacts(database, teamId, ids);
  return tasks.filter(({ contact }, index) => found[index]?.contact.inserted_at === contact.inserted_at);
}

async function decide(database: Database, teamId: string, tasks: readonly Task[]): Promise<Decision[]> {
  const found = await loadJourneys(database, teamId, tasks);
  // A template with a rule can have had this strategy when it started journeys.
  const canHaveSeveral = ({ template }: Task) => startsSeveral(template) || hasRule(template);
  const aboutAccounts = new Map(
    await together(
      tasks.filter(canHaveSeveral),
      queriesAtOnce,
      async (task) => [task, await loadAccountJourneys(database, teamId, task)] as const,
    ),
  );
  return tasks.map((task, index) => {
    const several = aboutAccounts.get(task);
    const stored = newestOf((several?.journeys ?? []).concat(found[index] ?? []));
    const version = startsSeveral(task.template) ? several?.version : undefined;
    return { task, stored, applied: applyJourney(stored?.journey, task.change, task), version };
  });
}

const startsSeveral = ({ journey_creation_strategy: strategy }: JourneyStart['template']): boolean =>
  strategy === 'ONE_FOR_ONE';

/** A contact that has several journeys of a template has them about accounts: a call means the newest. */
const newestOf = (journeys: readonly StoredJourney[]): StoredJourney | undefined =>
  journeys.toSorted((a, b) => byAge(a.journey, b.journey)).at(-1);

/** A journey that an erasure has not deleted yet, of a contact that was created again: the new one has to wait. */
const isOfErased = ({ task, stored }: Decision): boolean =>
  stored !== undefined && stored.contactSince !== task.contact.inserted_at;

/** Writes the decisions. @returns those that are final: nothing had to be written, or the write succeeded. */
async function save(
  { database, now }: Pick<Service, 'database' | 'now'>,
  teamId: string,
  all: readonly Decision[],
): Promise<Decision[]> {
  const decisions = all.filter((decision) => !isOfErased(decision));
  const unchanged = decisions.filter(({ applied }) => !applied.changed);
  const created = decisions.filter(({ applied }) => applied.created);
  const updated = decisions.filter(({ applied, stored }) => applied.changed && stored);
  const written = await database.write(
    updated.map(({ applied, stored }) => updateOf(teamId, applied.journey, stored!)),
  );
  const saved = [...unchanged, ...updated.filter((_, index) => written[index])];
  const areDue = created.some(({ task, applied }) => dueAtOf(task.template, applied.journey, now()) !== undefined);
  const areDecided = created.some(({ version }) => version !== undefined);
  for (const group of chunksOf(created, journeysAtOnce(areDue, areDecided))) {
    const decisions = group.flatMap(({ task: { contact }, version }) =>
      version === undefined ? [] : [{ contact, version }],
    );
    const versions = new Map(decisions.map((each) => [each.contact.id, each]));
    const contacts = new Map(group.map(({ task: { contact } }) => [contact.id, contact]));
    const checks = [...contacts.values()].map((contact) => contactCheck(teamId, contact));
    const journeys = group.flatMap(({ task, applied }) =>
      insertionsOf(teamId, applied.journey, task.contact.inserted_at, dueAtOf(task.template, applied.journey, now())),
    );
    const decided = [...versions.values()].map(({ contact, version }) => judgedWrite(teamId, contact, version));
    if (await database.transact([...checks, ...decided, ...journeys])) {
      for (const decision of group) saved.push(decision);
    }
  }
  return saved;
}
