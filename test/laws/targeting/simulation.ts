import { AdminFailure } from '../../../bin/admin/failure.ts';
import { judgeEverybody } from '../../../bin/admin/operations/targeting/existing.ts';
import { resumeTargeting } from '../../../bin/admin/operations/targeting/resume.ts';
import { updateTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { groupOf, type Lane } from '../../../lib/domain/waiting-work/lane.ts';
import { erasePerson } from '../../../lib/operations/erasure/erase.ts';
import { moveDue } from '../../../lib/operations/events/move-due.ts';
import { publish } from '../../../lib/operations/events/publish.ts';
import { completionsThatWait, workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { importsThatWait, workTeam } from '../../../lib/operations/imports/work.ts';
import { targetingThatWaits } from '../../../lib/operations/targeting/targeting-that-waits.ts';
import { workMarks } from '../../../lib/operations/targeting/work-marks.ts';
import { workWalks } from '../../../lib/operations/targeting/work-walks.ts';
import { sweep } from '../../../lib/operations/waiting-work/sweep.ts';
import { takeTurn } from '../../../lib/operations/waiting-work/turn.ts';
import { wake } from '../../../lib/operations/waiting-work/wake.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { completionLane } from '../../../lib/store/events/completion-work.ts';
import { type Database, type Item, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { heldPartition, marksPartition, targetingLanes, walksPartition } from '../../../lib/store/table/keys.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { type EventProcess, type Kind, uuidOf, World, type WorldDependencies } from '../events/world.ts';
import { TimedQueue, visibilityTimeout, wakeQueueOf } from '../waiting-work/timed-queue.ts';
import { campaignNames, campaigns } from './campaigns.ts';
import { History } from './history.ts';
import { type Asked, examineErased, examineRest, examineTold } from './law.ts';
import type { FaultKind, Settings } from './settings.ts';
import { administratorTask, clientTask, firstDecisions, importOf, persons, reachBack, type Task } from './tasks.ts';

export type Outcome = {
  problems: string[];
  met: ReadonlyMap<FaultKind, number>;
  /** Journeys that were started or opened again, and notes. */
  starts: number;
  trace: readonly string[];
};

const sweepEvery = 60_000;
const mostCalmSteps = 15_000;
/** Milliseconds in which a worker may begin something. */
const workTime = 40_000;
const hour = 3_600_000;

/**
 * Clients, an administrator, erasures, the publisher on two shards, the workers of all lanes and the sweep; then the faults
 * end, and the law is checked at rest: before and after everybody is judged.
 */
export async function simulate(settings: Settings, isTraced = false): Promise<Outcome> {
  const world = await World.open<FaultKind>(settings, isTraced, await itemsAtFirst(settings));
  world.clock = evening + world.random.pick([0, 0, 0, 19 * 60_000]);
  const schedule = new Schedule(world, settings);
  await schedule.run();
  const { problems, met, trace } = world;
  return { problems, met, starts: schedule.history.starts, trace: trace ?? [] };
}

/** Before the night in which everybody is judged from two o'clock on. */
const evening = Date.parse('2026-03-02T01:40:00Z');
const atFirst = new Map<string, Item[]>();

/** The team with its campaigns, none of which is live. The same for all schedules with these settings. */
async function itemsAtFirst(settings: Settings): Promise<Item[]> {
  const name = `${settings.startsADay} ${settings.duration}`;
  const known = atFirst.get(name);
  if (known) return known;
  const world = await World.open<FaultKind>(settings, false);
  let ids = 0;
  const newId = () => uuidOf(900_000 + ids++);
  const calm = serviceOn(world.table.model, { now: () => evening, newId, newSlug: newId, pause: async () => {} });
  await updateTeam(calm, world.team, { max_starts_a_day: settings.startsADay });
  await importOf(world, firstDecisions(), settings)(calm);
  const items = [...world.table.model.items.values()];
  atFirst.set(name, items);
  return items;
}

/**
 * An instance of a function: it runs one invocation at a time, and remembers the campaigns until it is killed. Calls that
 * an invocation has left go on in the next one.
 */
class Instance {
  readonly content: ContentCache;
  #current: WorldDependencies | undefined;
  #last: EventProcess | undefined;

  constructor() {
    const database: Database = {
      get: (...given) => this.#current!.database.get(...given),
      query: (...given) => this.#current!.database.query(...given),
      write: (...given) => this.#current!.database.write(...given),
      transact: (...given) => this.#current!.database.transact(...given),
    };
    this.content = new ContentCache(database, () => this.#current!.now());
  }

  async run(
    dependencies: WorldDependencies,
    process: EventProcess,
    work: (own: WorldDependencies) => Promise<unknown>,
  ): Promise<void> {
    this.#current = dependencies;
    process.calls.push(...(this.#last?.calls.splice(0) ?? []));
    this.#last = process;
    await work({ ...dependencies, content: this.content });
  }
}

type Shard = { position: number; current: EventProcess | undefined; content: ContentCache };

class Schedule {
  readonly history: History;
  readonly #world: World<FaultKind>;
  readonly #settings: Settings;
  readonly #queue = new TimedQueue();
  readonly #shards: Shard[];
  /** What instances that serve clients remember. */
  readonly #remembered: ContentCache;
  /** Instances of workers that run nothing now. */
  readonly #idle: Instance[] = [];
  readonly #contactIds: readonly string[];
  /** Persons whose erasure has begun, and those who were erased. */
  readonly #erasing = new Set<string>();
  readonly #erased = new Set<string>();
  #tasks: number;
  #acts: number;
  #nextSweep: number;

  constructor(world: World<FaultKind>, settings: Settings) {
    this.#world = world;
    this.#settings = settings;
    this.#contactIds = persons.map((uniqueId) => derivedContactId(world.team, uniqueId));
    this.history = new History(world, this.#contactIds, settings.startsADay);
    world.watch = this.history;
    const cache = () => new ContentCache(world.table.model, () => world.clock);
    this.#shards = [0, 1].map(() => ({ position: 0, current: undefined, content: cache() }));
    this.#remembered = cache();
    this.#tasks = settings.tasks;
    this.#acts = settings.acts;
    this.#nextSweep = world.clock + world.random.below(sweepEvery);
  }

  async run(): Promise<void> {
    const world = this.#world;
    const { random } = world;
    this.#act();
    for (let step = 0; step < this.#settings.steps && world.problems.length === 0; step++) {
      this.#disturb();
      if (random.chance(0.12)) this.#ask();
      if (random.chance(0.04)) this.#act();
      if (random.chance(0.01)) this.#erase(random.pick(persons));
      if (random.chance(0.25)) this.#publish();
      if (random.chance(0.3)) this.#deliver();
      await this.#step();
    }
    world.isCalm = true;
    world.log(() => '=== calm');
    world.beginOutage(0);
    world.table.endAll();
    while (this.#tasks > 0 && world.problems.length === 0) {
      this.#ask();
      await this.#step();
    }
    await this.#restAndResume('changed');
    const night = Date.parse('2026-03-02T02:00:01Z');
    if (world.clock < night) {
      world.clock = night + this.#settings.skew;
      this.#sweep(false);
    } else if (campaignNames.some((name) => this.history.rules[name].isTargeting)) {
      this.#start('administrator', (dependencies) => judgeEverybody(dependencies, world.team));
    }
    await this.#restAndResume('fresh');
    if (this.#settings.reachesBack) await this.#reachBack();
    if (world.problems.length > 0) return;
    await examineTold(world, this.history, this.#contactIds);
    for (const uniqueId of this.#erased) {
      const contactId = derivedContactId(world.team, uniqueId);
      if (!this.history.person(contactId)) examineErased(world, contactId, (problem) => world.violation(problem));
    }
  }

  /** Starts a process with the queue of wakes, and with the campaigns as it knows them. */
  #start(
    kind: Kind,
    run: (dependencies: WorldDependencies, process: EventProcess) => Promise<unknown>,
    remembered?: ContentCache,
  ): EventProcess {
    const world = this.#world;
    const process = world.start(kind, async (given, own) => {
      const queue = wakeQueueOf({
        ...{ queue: this.#queue, random: world.random, clock: () => world.clock },
        happens: (fault) => world.happens(fault),
        log: (text) => world.log(() => `${own.name} ${text()}`),
        turn: (call, milliseconds) => world.turn(own, call, milliseconds),
      });
      const content = remembered ?? new ContentCache(given.database, given.now);
      const wait = (milliseconds: number) => world.turn(own, () => undefined, milliseconds);
      try {
        await run({ ...given, content, queue, wait }, own);
      } catch (error) {
        if (error instanceof AdminFailure) world.violation(`${own.name}: ${JSON.stringify(error.details)}`);
        else throw error;
      }
    });
    this.history.began(process);
    return process;
  }

  #ask(): void {
    if (this.#tasks === 0) return;
    this.#tasks -= 1;
    if (persons.every((each) => this.#erasing.has(each))) return;
    const task = clientTask(this.#world, this.history, (uniqueId) => this.#erasing.has(uniqueId));
    const asking = (dependencies: WorldDependencies) =>
      task(dependencies).catch((error: unknown) => {
        // It asks for something else later.
        if (error instanceof Problem && error.code === 'unavailable') this.#tasks += 1;
        throw error;
      });
    this.#start('client', asking, this.#remembered);
  }

  /** There is one administrator at a time. */
  #act(): void {
    const { random } = this.#world;
    if (this.#acts === 0 || this.#world.running('administrator').length > 0) return;
    this.#acts -= 1;
    const stopped = campaignNames.filter((name) => this.#isStopped(name));
    if (stopped.length > 0 && random.chance(0.5)) this.#start('administrator', this.#resuming(random.pick(stopped), 2));
    else this.#start('administrator', administratorTask(this.#world, this.history, this.#settings));
  }

  #isStopped(name: (typeof campaignNames)[number]): boolean {
    const { table, team } = this.#world;
    const item = table.model.read({ pk: `T#${team}#G`, sk: `RULE#${campaigns[name].id}` });
    return item?.live === true && item.stopped_at !== null;
  }

  #resuming(name: (typeof campaignNames)[number], most: number): Task {
    const { permitted } = this.history;
    permitted.set(name, (permitted.get(name) ?? 0) + most);
    return (dependencies) => resumeTargeting(dependencies, this.#world.team, campaigns[name].id, most);
  }

  /** An erasure that was interrupted is run again, until it has completed. */
  #erase(uniqueId: string): void {
    const world = this.#world;
    if (world.running('delivery').length > 0) return;
    this.#erasing.add(uniqueId);
    this.#start('delivery', async (dependencies) => {
      const files = {
        list: async function* () {},
        read: async () => undefined,
        write: async () => {},
        remove: async () => {},
      };
      const service = { ...dependencies, files, erasures: { add: async () => {} }, onProgress: () => {} };
      await erasePerson(service, world.team, uniqueId);
      this.#erasing.delete(uniqueId);
      this.#erased.add(uniqueId);
      world.log(() => `${uniqueId} is erased`);
    });
  }

  /** Invokes the publisher for a shard, as the event source mapping does: one batch until it is published. */
  #publish(): void {
    const world = this.#world;
    const { random, table } = world;
    const place = random.below(2);
    const shard = this.#shards[place]!;
    const isRunning = shard.current && world.scheduler.processes.includes(shard.current);
    if (isRunning && !world.happens('publisher overtaken')) return;
    const { position } = shard;
    const records = table.shards[place]!.slice(position, position + 1 + random.below(20));
    if (records.length === 0) return;
    const process: EventProcess = this.#start(
      'publisher',
      async (dependencies) => {
        const waking = (lane: Lane) => wake(dependencies, lane);
        const failed = await publish(
          {
            ...dependencies,
            ...(world.happens('no time to settle') ? { settleTime: 0 } : {}),
            ...(world.happens('marks together') ? { markTogether: 1 } : {}),
            wakeCompletions: (team) => waking(completionLane(team)),
            wakeTargeting: waking,
            onFailure: (error) => {
              if (!(error instanceof StoreUnavailable)) world.violation(`publish: ${(error as Error).stack}`);
            },
          },
          records,
        );
        if (shard.current !== process || world.happens('records repeated')) return;
        const first = records.findIndex(({ dynamodb }) => failed.includes(dynamodb!.SequenceNumber!));
        shard.position = position + (first === -1 ? records.length : first);
      },
      shard.content,
    );
    shard.current = process;
  }

  /** A worker receives the next message, if there is one. */
  #deliver(): void {
    const world = this.#world;
    const message = this.#queue.receive(world.clock, world.random);
    if (!message || world.happens('receive response lost')) return;
    const isShort = world.happens('time runs out') || (world.isCalm && world.random.chance(0.1));
    const end = world.clock + (isShort ? world.random.below(60) : workTime);
    const instance = this.#idle.pop() ?? new Instance();
    const invocation = async (dependencies: WorldDependencies, own: EventProcess) => {
      const onFailure = (error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      };
      const turning = { ...dependencies, onFailure, onNotPostponed: () => {} };
      const work = () => this.#work(dependencies, message.lane, () => world.clock < end);
      if (!(await takeTurn(turning, message, message.receipt, work))) return;
      await world.turn(own, () => {
        if (!world.happens('delete response lost')) this.#queue.delete(message.receipt);
      });
    };
    this.#start('worker', async (dependencies, own) => {
      await instance.run(dependencies, own, (remembering) => invocation(remembering, own));
      this.#idle.push(instance);
    });
  }

  async #work(dependencies: WorldDependencies, lane: Lane, hasTime: () => boolean) {
    const { team } = this.#world;
    const onFault = (error: unknown) => this.#world.violation(`${groupOf(lane)}: ${(error as Error).stack}`);
    const judging = { ...dependencies, onRuleFailure: onFault, onPassedOver: onFault };
    switch (lane.work) {
      case 'imports':
        return (await workTeam(dependencies, team, hasTime)).outcome;
      case 'completions':
        return workCompletions({ ...dependencies, onContactFailure: onFault }, team, hasTime);
      case 'targeting':
        return workMarks(judging, team, Number(lane.id), hasTime);
      case 'walks':
        return workWalks(judging, team, hasTime);
      default:
        throw new Error('no such lane');
    }
  }

  #sweep(all: boolean): void {
    const { team } = this.#world;
    this.#start('sweeper', async (dependencies) => {
      const { queue } = dependencies;
      const queues = {
        imports: queue,
        completions: queue,
        webhooks: queue,
        targeting: queue,
        walks: queue,
        messages: queue,
      };
      const standings = [importsThatWait, completionsThatWait, targetingThatWaits, moveDue];
      const subjects = standings.map((standing) => () => standing(dependencies, team));
      await sweep({ ...dependencies, queues }, { subjects, all });
    });
  }

  #disturb(): void {
    const world = this.#world;
    const { processes } = world.scheduler;
    if (processes.length > 0 && world.happens('crash')) this.#kill(world.random.pick(processes));
    if (processes.length > 0 && world.happens('process slow')) world.random.pick(processes).isFrozen = true;
    if (processes.length > 0 && world.happens('stall')) {
      world.random.pick(processes).isFrozen = true;
      world.table.endAll();
      world.clock += visibilityTimeout + 1_000;
    }
    if (world.happens('two sweeps')) this.#sweep(false);
    if (world.happens('restart with empty queues')) {
      for (const process of [...processes]) this.#kill(process);
      this.#queue.forget();
      this.#sweep(true);
    }
    if (world.happens('store outage')) world.beginOutage(world.random.pick([5_000, 60_000]));
    if (world.happens('message lost')) this.#queue.lose(world.random);
    if (world.happens('message doubled')) this.#queue.double(world.random);
  }

  #kill(victim: EventProcess): void {
    this.#world.log(() => `${victim.name} is killed`);
    this.#world.scheduler.kill(victim);
  }

  /** Runs one call of a process. If none can run, advances the clock to the next event. */
  async #step(): Promise<void> {
    const world = this.#world;
    const { random, scheduler, table } = world;
    world.steps++;
    world.clock += 1 + random.below(5);
    if (random.chance(0.2)) table.showMore(random);
    if (random.chance(0.03) || world.isCalm) for (const process of scheduler.processes) process.isFrozen = false;
    if (world.clock >= this.#nextSweep) {
      this.#nextSweep = world.clock + sweepEvery;
      this.#sweep(false);
    }
    const ready = scheduler.runnable(world.clock);
    if (ready.length > 0) return scheduler.step(random.pick(ready), world.clock, random);
    table.endAll();
    this.#publish();
    this.#deliver();
    if (scheduler.runnable(world.clock).length > 0) return;
    const next = Math.min(scheduler.nextCallAt(), this.#queue.nextAt(), this.#nextSweep);
    if (next > world.clock && Number.isFinite(next) && scheduler.processes.length > 0) {
      world.clock = Math.min(next, this.#nextSweep);
    } else if (this.#isPublished()) world.clock = Math.max(world.clock, next);
  }

  #isPublished(): boolean {
    const { table } = this.#world;
    return this.#shards.every(({ position }, place) => position >= table.shards[place]!.length);
  }

  /** Runs until nothing is left to do, and examines what is stored then, unless a brake holds somebody back. */
  async #rest(asked: Asked): Promise<void> {
    const world = this.#world;
    for (let step = 0; world.problems.length === 0; step++) {
      if (step > mostCalmSteps) {
        world.violation(`no rest: ${world.scheduler.processes.map(({ name }) => name).join()} ${this.#left().join()}`);
        return;
      }
      for (const uniqueId of this.#erasing) this.#erase(uniqueId);
      this.#publish();
      this.#deliver();
      await this.#step();
      if (world.scheduler.processes.length === 0 && this.#left().length === 0) break;
    }
    const isStopped = campaignNames.some((name) => this.#isStopped(name));
    if (isStopped) return;
    if (world.problems.length === 0) await examineRest(world, this.history, this.#contactIds, asked);
  }

  /** What is not done yet. */
  #left(): string[] {
    const { table, team, clock } = this.#world;
    const has = (pk: string, prefix?: string) =>
      table.model.page({ pk, ...(prefix ? { prefix } : {}), limit: 1 }).items.length > 0;
    if (!this.#isPublished()) return ['stream'];
    table.endAll();
    const partitions = [
      ...Array.from({ length: targetingLanes }, (_, lane) => marksPartition(team, lane)),
      ...[walksPartition(team), `T#${team}#Q#COMPLETIONS`],
    ];
    const soon = clock + hour;
    const isDue = this.#contactIds
      .flatMap((id) => this.history.person(id)?.journeys ?? [])
      .some(({ journey, dueAt, actions }) => {
        const isEnded = journey.cancelled_at ?? journey.expired_at ?? actions.find(({ kind }) => kind === 'finished');
        return !isEnded && dueAt !== undefined && Date.parse(dueAt) < soon;
      });
    return [
      ...partitions.filter((pk) => has(pk)),
      ...(has(`T#${team}#Q`, 'OPEN#') ? ['imports'] : []),
      ...(isDue ? ['due'] : []),
      ...this.#erasing,
    ];
  }

  /** Permits what the brakes hold back. */
  async #restAndResume(asked: Asked): Promise<void> {
    const world = this.#world;
    await this.#rest(asked);
    const stopped = () => campaignNames.find((name) => this.#isStopped(name));
    // What one gives, or keeps from starting until its journeys expire, can stop another.
    for (let name = stopped(); name && world.problems.length === 0; name = stopped()) {
      this.#start('administrator', this.#resuming(name, 1000));
      await this.#rest(asked);
    }
    for (const name of campaignNames) {
      const pk = heldPartition(world.team, campaigns[name].id);
      const isRunning = this.history.rules[name].isTargeting;
      if (isRunning && world.table.model.page({ pk }).items.length > 0) {
        world.violation(`people of ${name} are held back by no brake`);
      }
    }
  }

  async #reachBack(): Promise<void> {
    const live = campaignNames.filter((name) => this.history.rules[name].isTargeting);
    // One with priority first: while its journeys are open, the others start nothing.
    for (const name of live.toSorted((a, b) => Number(b === 'first') - Number(a === 'first'))) {
      if (this.#world.problems.length > 0) return;
      this.#start('administrator', reachBack(this.#world, this.history, name, 1000));
      await this.#restAndResume('fresh');
    }
  }
}
