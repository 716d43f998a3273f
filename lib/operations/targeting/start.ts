import { dueAtOf } from '../../domain/journeys/due-moments.ts';
import { reopened, targetedJourney } from '../../domain/journeys/journey.ts';
import { type BrakeTime, onlyCounts, startsLeft, taken } from '../../domain/targeting/brake.ts';
import { judge } from '../../domain/targeting/judge.ts';
import type { Judgement, JudgingContext, Note, Start } from '../../domain/targeting/judgement.ts';
import type { Person } from '../../domain/targeting/person.ts';
import type { Rule } from '../../domain/targeting/rule.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { contactCheck } from '../../store/contacts/contacts.ts';
import { keyOfJourney } from '../../store/journeys/journey-items.ts';
import { insertionsOf, judgedWrite, loadJourneys, reopeningOf } from '../../store/journeys/journeys.ts';
import type { Write } from '../../store/table/database.ts';
import { type HeldContact, holdContacts } from '../../store/targeting/marks.ts';
import { noteInsertion } from '../../store/targeting/notes.ts';
import { brakeWrite, ruleCheck, type StoredRule, startsAddition } from '../../store/targeting/rules.ts';
import { type Walk, walkWrite } from '../../store/targeting/walks.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { JourneyService } from '../service.ts';
import { countIfOld } from './count-contacts.ts';
import { type LoadedPerson, loadPeople } from './load-person.ts';
import { brakeTimeOf, contextOf, loadTeamRules, type TeamRules } from './team-rules.ts';

/**
 * What bounds the journeys: the brakes of the templates, or, for `include-existing`, what is left to its walk. The walk is
 * replaced by each write of it.
 */
export type Bound = { kind: 'brakes' } | { kind: 'walk'; walk: Walk & { over: { kind: 'existing' } } };

/** Someone for whom rules hold. */
export type Decided = LoadedPerson & { judgement: Judgement };

/** What became of rules that hold. */
export type Started = {
  /** Number of journeys, those that were opened again and notes included. */
  started: number;
  /** Whom a brake holds back, or the bound of a walk. */
  held: readonly HeldContact[];
  /** Contacts with so many accounts that they are not targeted. */
  tooMany: number;
};
export const nothing: Started = { started: 0, held: [], tooMany: 0 };
export const sumOf = (a: Started, b: Started): Started => ({
  started: a.started + b.started,
  held: [...a.held, ...b.held],
  tooMany: a.tooMany + b.tooMany,
});

/** Writes of a transaction, less those of the rules. */
const mostWrites = 90;
const writesOfJourney = 4;

/** The rules that the bound is for. */
export function rulesFor({ rules }: TeamRules, bound: Bound): Rule[] {
  if (bound.kind === 'brakes') return rules;
  const { template_id, revision, from } = bound.walk.over;
  const own = rules.filter((rule) => rule.template.id === template_id && rule.revision === revision);
  return own.map((rule) => ({ ...rule, since: from }));
}

/** Judges these people. @param onDefect is called with a rule that fails, which is then left out */
export function decide(
  rules: readonly Rule[],
  people: readonly (LoadedPerson | undefined)[],
  context: JudgingContext,
  onDefect: StartService['onRuleFailure'],
): Decided[] {
  return people.flatMap((loaded): Decided[] => {
    if (!loaded) return [];
    const judgement = judgeAll(rules, loaded.person, context, onDefect);
    return judgement.starts.length + judgement.notes.length === 0 ? [] : [{ ...loaded, judgement }];
  });
}

function judgeAll(
  rules: readonly Rule[],
  person: Person,
  context: JudgingContext,
  onDefect: StartService['onRuleFailure'],
): Judgement {
  try {
    return judge(rules, person, context);
  } catch (error) {
    const sound = rules.filter((rule) => {
      try {
        return judge([rule], person, context);
      } catch (defect) {
        onDefect(defect, rule.template.id, person.contact.id);
        return false;
      }
    });
    // Then it is the person on whom the code fails.
    if (rules.length > 0 && sound.length === 0) throw error;
    return judge(sound, person, context);
  }
}

export type StartService = JourneyService & {
  /** Called with the error if the code fails on a rule, which is then not judged for the contact. */
  onRuleFailure(error: unknown, templateId: string, contactId: string): void;
};

/**
 * Starts what rules give these people, several in a transaction. If another writer was first, each is read and judged
 * alone. What a brake holds back is noted.
 */
export async function startAll(
  service: StartService,
  teamId: string,
  team: TeamRules,
  decided: readonly Decided[],
  bound: Bound,
): Promise<Started> {
  let total: Started = nothing;
  const add = (more: Started) => {
    total = sumOf(total, more);
  };
  for (const group of groupsOf(decided)) {
    const done = group.every(isWhole) ? await startOrRepeat(service, teamId, team, group, bound) : undefined;
    if (done) add(done);
    else for (const { person } of group) add(await startAlone(service, teamId, person.contact.id, bound));
  }
  return total;
}

/**
 * Other workers of the team write the same brakes, so a group is started again with what they have left: one by one, those
 * of all workers would hinder each other still more. If the brakes are as they were, another writer has changed a person.
 */
async function startOrRepeat(
  service: StartService,
  teamId: string,
  team: TeamRules,
  group: readonly Decided[],
  bound: Bound,
): Promise<Started | undefined> {
  return untilWritten(service, 'too many conflicts on the brake of a rule', async (round) => {
    if (round > 0) {
      const [before, stored] = [rulesFor(team, bound), team.stored];
      Object.assign(team, await loadTeamRules(service, teamId));
      const after = new Map(rulesFor(team, bound).map((rule) => [rule.template.id, rule]));
      const isSame = ({ template, revision, since }: Rule) =>
        after.get(template.id)?.revision === revision && after.get(template.id)?.since === since;
      const time = brakeTimeOf(team, service.now());
      const isOvertaken = before.some(({ template: { id } }) => {
        const [earlier, now] = [stored.get(id), team.stored.get(id)];
        // Where enough is left, what others count hinders nobody.
        const hasRoom = now && onlyCounts(now.brake, 0, 0, time) && startsLeft(now.brake, time) >= group.length;
        return !hasRoom && earlier?.version !== now?.version;
      });
      // The first time, the other transaction may not have ended yet.
      if (!before.every(isSame) || (round > 1 && !isOvertaken)) return undefined;
    }
    return (await startGroup(service, teamId, team, group, bound)) ?? lostRace;
  });
}

async function startAlone(service: StartService, teamId: string, contactId: string, bound: Bound): Promise<Started> {
  let total: Started = nothing;
  await untilWritten(service, 'too many conflicts on what targeting starts', async () => {
    const team = await loadTeamRules(service, teamId);
    const people = await loadPeople(service, teamId, [contactId], team.content);
    const [one] = decide(rulesFor(team, bound), people, contextOf(team, service.now()), service.onRuleFailure);
    if (!one) return undefined;
    const done = await startGroup(service, teamId, team, [one], bound);
    if (!done) return lostRace;
    total = { ...total, started: total.started + done.started, held: done.held };
    // The rest of very many is judged again.
    return isWhole(one) || done.started === 0 ? undefined : lostRace;
  });
  return total;
}

const writesOf = ({ judgement: { starts, notes } }: Decided): number =>
  2 + starts.length * writesOfJourney + notes.length;
const isWhole = (one: Decided): boolean => writesOf(one) <= mostWrites;

function groupsOf(decided: readonly Decided[]): Decided[][] {
  const groups: Decided[][] = [];
  let size = mostWrites;
  for (const each of decided) {
    if (size + writesOf(each) > mostWrites) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(each);
    size += writesOf(each);
  }
  return groups;
}

/** What one transaction starts, and whom the bound holds back. */
type Plan = { writes: Write[]; started: number; held: HeldContact[] };

async function startGroup(
  service: StartService,
  teamId: string,
  team: TeamRules,
  group: readonly Decided[],
  bound: Bound,
): Promise<Started | undefined> {
  const { database, now } = service;
  if (bound.kind === 'brakes' && mayStop(team, group, now())) await countIfOld(service, teamId, team);
  const time = brakeTimeOf(team, now());
  const allowance = bound.kind === 'brakes' ? new Brakes(team, time) : new WalkBound(team, bound);
  const plan: Plan = { writes: [], started: 0, held: [] };
  for (const one of group)
    plan.writes = plan.writes.concat(await writesFor(service, teamId, team, one, allowance, plan));
  const ofBound = allowance.writes(teamId, service.newId);
  const writes = [...plan.writes, ...ofBound];
  // Others may count in the same brake at the same time.
  const losesConflicts = ofBound.some(({ kind }) => kind === 'update');
  if (writes.length > 0 && !(await database.transact(writes, { losesConflicts }))) return undefined;
  allowance.commit();
  const done: Started = { started: plan.started, held: plan.held, tooMany: 0 };
  if (bound.kind !== 'brakes' || plan.held.length === 0) return done;
  const lost = new Set(await holdContacts(database, teamId, plan.held, { rules: team.stored, at: time.now }));
  // Their brake was resumed meanwhile.
  const others = [...new Set([...lost].map(({ contact }) => contact.id))];
  let total: Started = { ...done, held: plan.held.filter((each) => !lost.has(each)) };
  for (const id of others) total = sumOf(total, await startAlone(service, teamId, id, bound));
  return total;
}

/** True if one of the brakes would stop because of these people. */
function mayStop(team: TeamRules, group: readonly Decided[], now: number): boolean {
  const time = brakeTimeOf(team, now);
  const wanted = Map.groupBy(
    group.flatMap(({ judgement: { starts, notes } }) => [...starts, ...notes]),
    ({ template_id }) => template_id,
  );
  return [...wanted].some(([templateId, all]) => {
    const { brake } = team.stored.get(templateId)!;
    return brake.stopped_at === null && all.length > startsLeft(brake, time);
  });
}

/** How many journeys of each template may start. */
interface Allowance {
  /** False if no more of the template may start. */
  take(templateId: string): boolean;
  /** The writes of the transaction that starts what was taken. */
  writes(teamId: string, newToken: () => string): Write[];
  commit(): void;
}

class Brakes implements Allowance {
  readonly #team: TeamRules;
  readonly #time: BrakeTime;
  readonly #asked = new Map<string, { starts: number; wanted: number }>();
  #after: StoredRule[] = [];

  constructor(team: TeamRules, time: BrakeTime) {
    this.#team = team;
    this.#time = time;
  }

  take(templateId: string): boolean {
    const { starts, wanted } = this.#asked.get(templateId) ?? { starts: 0, wanted: 0 };
    const isLeft = starts < startsLeft(this.#team.stored.get(templateId)!.brake, this.#time);
    this.#asked.set(templateId, { starts: starts + (isLeft ? 1 : 0), wanted: wanted + 1 });
    return isLeft;
  }

  writes(teamId: string): Write[] {
    this.#after = [];
    return [...this.#asked].flatMap(([templateId, { starts, wanted }]): Write[] => {
      const rule = this.#team.stored.get(templateId)!;
      if (starts === 0 && rule.brake.stopped_at !== null) return [];
      const brake = taken(rule.brake, starts, wanted, this.#time);
      this.#after.push({ ...rule, brake, version: rule.version + 1 });
      return onlyCounts(rule.brake, starts, wanted, this.#time)
        ? [startsAddition(teamId, rule, starts, this.#time.limit - starts)]
        : [brakeWrite(teamId, { ...rule, brake }, rule)];
    });
  }

  commit(): void {
    for (const rule of this.#after) this.#team.stored.set(rule.template_id, rule);
  }
}

class WalkBound implements Allowance {
  readonly #team: TeamRules;
  readonly #bound: Extract<Bound, { kind: 'walk' }>;
  #taken = 0;
  #token = '';

  constructor(team: TeamRules, bound: Extract<Bound, { kind: 'walk' }>) {
    this.#team = team;
    this.#bound = bound;
  }

  take(): boolean {
    if (this.#taken === this.#bound.walk.over.left) return false;
    this.#taken += 1;
    return true;
  }

  writes(teamId: string, newToken: () => string): Write[] {
    if (this.#taken === 0) return [];
    this.#token = newToken();
    const { walk } = this.#bound;
    const rule = this.#team.stored.get(walk.over.template_id)!;
    return [ruleCheck(teamId, rule), walkWrite(teamId, this.#after(), walk, this.#token)];
  }

  #after() {
    const { walk } = this.#bound;
    return { ...walk, started: walk.started + this.#taken, over: { ...walk.over, left: walk.over.left - this.#taken } };
  }

  commit(): void {
    if (this.#taken > 0) this.#bound.walk = { ...this.#after(), token: this.#token };
  }
}

/** The writes of one person, which are all or none. */
async function writesFor(
  service: StartService,
  teamId: string,
  { content }: TeamRules,
  { person, judged, judgement }: Decided,
  allowance: Allowance,
  plan: Plan,
): Promise<Write[]> {
  const { contact } = person;
  const at = timestamp(service.now());
  const writes: Write[] = [];
  const isTaken = ({ template_id }: Start | Note): boolean => {
    if (writes.length + writesOfJourney + 2 > mostWrites) return false;
    if (allowance.take(template_id)) return true;
    plan.held.push({ template_id, contact });
    return false;
  };
  for (const start of judgement.starts.filter(isTaken)) {
    const own = await writesOfStart(service, teamId, content, person, start, at);
    for (const write of own) writes.push(write);
    plan.started += 1;
  }
  for (const note of judgement.notes.filter(isTaken)) {
    const { template_id, account_id, revision } = note;
    writes.push(noteInsertion(teamId, contact, { template_id, account_id, revision, at }));
    plan.started += 1;
  }
  return writes.length === 0 ? [] : [contactCheck(teamId, contact), judgedWrite(teamId, contact, judged), ...writes];
}

async function writesOfStart(
  { database, newId, newSlug, now }: StartService,
  teamId: string,
  { templates }: TeamRules['content'],
  { contact }: Person,
  { template_id, account_id, revision, reopens }: Start,
  at: string,
): Promise<Write[]> {
  const template = templates.find(({ id }) => id === template_id)!;
  const isOneForOne = template.journey_creation_strategy === 'ONE_FOR_ONE';
  if (reopens === undefined) {
    const context = { id: newId(), slug: newSlug(), contactId: contact.id, template, now: at };
    const journey = targetedJourney(context, { account_id, isOneForOne, revision });
    return insertionsOf(teamId, journey, contact.inserted_at, dueAtOf(template, journey, now()));
  }
  // The strategy of the template can be another one than when the journey was started.
  const keys = (account_id === null ? [false] : [false, true]).map((is_one_for_one) =>
    keyOfJourney({ contact_id: contact.id, template_id, account_id, is_one_for_one }),
  );
  const stored = (await loadJourneys(database, teamId, keys)).find((each) => each?.journey.id === reopens);
  // Another writer has reopened it, or it was erased.
  if (!stored || stored.journey.cancelled_at === null) return [];
  const journey = reopened(stored.journey, at);
  return reopeningOf(teamId, journey, stored, dueAtOf(template, journey, now()));
}
