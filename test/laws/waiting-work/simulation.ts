import { Problem } from '../../../lib/domain/values/problem.ts';
import { groupOf } from '../../../lib/domain/waiting-work/lane.ts';
import { workTeam } from '../../../lib/operations/imports/work.ts';
import { sweep } from '../../../lib/operations/waiting-work/sweep.ts';
import { takeTurn } from '../../../lib/operations/waiting-work/turn.ts';
import { type EventProcess, World, type WorldDependencies } from '../events/world.ts';
import type { FaultKind, Settings } from './settings.ts';
import { TimedQueue, visibilityTimeout, wakeQueueOf } from './timed-queue.ts';
import { done, givenUp, reasons, type User, usersOf } from './users.ts';

export type Outcome = { problems: string[]; met: ReadonlyMap<FaultKind, number>; trace: readonly string[] };

const sweepEvery = 60_000;
/** Milliseconds after the last fault within which everything that waits must be done. */
const longestWait = 120_000;
const mostCalmSteps = 6000;
/** Milliseconds in which a worker may begin something. */
const workTime = 40_000;

/** Clients store work of all users; workers and the sweep run. Then the faults end, and the law is checked. */
export async function simulate(settings: Settings, isTraced = false): Promise<Outcome> {
  const world = await World.open<FaultKind>(settings, isTraced);
  const users = await usersOf(world, settings.pieces);
  await new Schedule(world, users, settings).run();
  return { problems: world.problems, met: world.met, trace: world.trace ?? [] };
}

type Piece = { user: User; piece: number };
type Worker = { process: EventProcess; group: string; until: number };

class Schedule {
  readonly #world: World<FaultKind>;
  readonly #users: readonly User[];
  readonly #steps: number;
  readonly #queue = new TimedQueue();
  /** Work that is not stored yet, or whose client got no response. */
  readonly #waiting: Piece[];
  readonly #stored: Piece[] = [];
  readonly #clients = new Map<EventProcess, Piece>();
  readonly #spoilt = new Set<Piece>();
  #workers: Worker[] = [];
  #nextSweep: number;

  constructor(world: World<FaultKind>, users: readonly User[], { pieces, steps }: Settings) {
    this.#world = world;
    this.#users = users;
    this.#steps = steps;
    this.#waiting = Array.from({ length: pieces }, (_, piece) => users.map((user) => ({ user, piece }))).flat();
    this.#nextSweep = world.clock + world.random.below(sweepEvery);
  }

  async run(): Promise<void> {
    const world = this.#world;
    for (let step = 0; step < this.#steps && world.problems.length === 0; step++) {
      this.#disturb();
      if (world.random.chance(0.15)) this.#store();
      if (world.random.chance(0.3)) this.#deliver();
      await this.#step();
    }
    world.isCalm = true;
    world.log(() => '=== calm');
    world.beginOutage(0);
    world.table.endAll();
    for (const process of world.scheduler.processes) process.isFrozen = false;
    await this.#settle();
    for (const piece of this.#stored) if (world.problems.length === 0) await this.#examine(piece);
  }

  #dependencies(dependencies: WorldDependencies, process: EventProcess): WorldDependencies {
    const world = this.#world;
    const queue = wakeQueueOf({
      ...{ queue: this.#queue, random: world.random, clock: () => world.clock, happens: (kind) => world.happens(kind) },
      log: (text) => world.log(() => `${process.name} ${text()}`),
      turn: (run, milliseconds) => world.turn(process, run, milliseconds),
    });
    return { ...dependencies, queue };
  }

  #store(): void {
    const world = this.#world;
    const piece = this.#waiting.shift();
    if (!piece) return;
    const process = world.start('client', async (given, own) => {
      try {
        await piece.user.store(this.#dependencies(given, own), piece.piece);
        this.#stored.push(piece);
        if (piece.user.spoil && world.happens('work defective')) {
          this.#spoilt.add(piece);
          world.table.endAll();
          piece.user.spoil(piece.piece);
        }
        this.#clients.delete(own);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    });
    this.#clients.set(process, piece);
  }

  /** A worker receives the next message, if there is one. */
  #deliver(): void {
    const world = this.#world;
    const message = this.#queue.receive(world.clock, world.random);
    if (!message || world.happens('receive response lost')) return;
    const user = this.#users.find(({ lane }) => groupOf(lane) === message.group)!;
    const { processes } = world.scheduler;
    this.#workers = this.#workers.filter(({ process, until }) => processes.includes(process) && until > world.clock);
    const hasWorker = this.#workers.some(({ group }) => group === message.group);
    if (hasWorker && !world.met.has('message lost')) world.violation(`two workers are at ${message.group}`);
    const isShort = world.happens('time runs out') || (world.isCalm && world.random.chance(0.1));
    const end = world.clock + (isShort ? world.random.below(60) : workTime);
    const process = world.start('worker', async (given, own) => {
      const onFailure = (error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      };
      const dependencies = this.#dependencies(given, own);
      const turn = { ...message, hasTime: () => world.clock < end };
      const turning = { ...dependencies, onFailure, onNotPostponed: () => {} };
      if (!(await takeTurn(turning, turn, message.receipt, () => user.work(dependencies, turn)))) return;
      await world.turn(own, () => {
        if (!world.happens('delete response lost')) this.#queue.delete(message.receipt);
      });
    });
    this.#workers.push({ process, group: message.group, until: world.clock + visibilityTimeout });
  }

  #sweep(all: boolean): void {
    const world = this.#world;
    world.start('sweeper', async (given, own) => {
      const dependencies = this.#dependencies(given, own);
      const { queue } = dependencies;
      const queues = {
        imports: queue,
        completions: queue,
        webhooks: queue,
        targeting: queue,
        walks: queue,
        messages: queue,
      };
      const subjects = this.#users.map((user) => () => user.standing(dependencies));
      const imports = async (teamId: string) => {
        const worked = workTeam(dependencies, teamId, () => true);
        return worked.then(
          ({ outcome }) => outcome === 'empty',
          (error: unknown) => {
            if (!(error instanceof Problem)) throw error;
            return false;
          },
        );
      };
      await sweep({ ...dependencies, queues }, { subjects, all, work: { imports } });
    });
  }

  #disturb(): void {
    const world = this.#world;
    const { processes } = world.scheduler;
    world.disturb();
    if (processes.length > 0 && world.happens('stall')) {
      // All processes pause for longer than the visibility timeout, and one of them even longer.
      world.random.pick(processes).isFrozen = true;
      world.table.endAll();
      world.clock += visibilityTimeout + 1_000;
    }
    if (world.happens('sweep stops')) {
      // For longer than a minute is read again: what is due meanwhile waits for the next sweep. Nothing else runs so long.
      for (const process of [...processes]) world.kill(process);
      world.table.endAll();
      world.clock += world.random.below(4 * 3600_000);
      this.#nextSweep = world.clock;
    }
    if (world.happens('two sweeps')) this.#sweep(false);
    if (world.happens('restart with empty queues')) {
      for (const process of [...processes]) world.kill(process);
      this.#queue.forget();
      this.#sweep(true);
    }
    if (world.happens('store outage')) world.beginOutage(world.random.pick([5_000, 60_000]));
    if (world.happens('message lost')) this.#queue.lose(world.random);
    if (world.happens('message doubled')) this.#queue.double(world.random);
  }

  /** Runs one call of a process. If none can run, advances the clock to the next event. */
  async #step(): Promise<void> {
    const world = this.#world;
    const { scheduler, table } = world;
    world.passTime(0.03);
    // A client without a response sends again.
    for (const [process, piece] of this.#clients) {
      if (scheduler.processes.includes(process)) continue;
      this.#clients.delete(process);
      this.#waiting.push(piece);
    }
    if (world.clock >= this.#nextSweep) {
      this.#nextSweep = world.clock + sweepEvery;
      this.#sweep(false);
    }
    if (await world.runOne()) return;
    table.endAll();
    const next = Math.min(scheduler.nextCallAt(), this.#queue.nextAt(), this.#nextSweep);
    if (this.#waiting.length > 0) this.#store();
    else if (next > world.clock && Number.isFinite(next)) world.clock = next;
    this.#deliver();
  }

  /** Runs until every lane is empty, within the time limit. */
  async #settle(): Promise<void> {
    const world = this.#world;
    let latest = world.clock + longestWait;
    for (let step = 0; world.problems.length === 0; step++) {
      // A receiver that has failed is tried again after a wait, and what is stored now may be due later.
      for (const user of this.#users) latest = Math.max(latest, (user.pausedUntil?.() ?? 0) + longestWait);
      const isOver = this.#waiting.length + this.#clients.size + world.scheduler.processes.length === 0;
      if (isOver && this.#users.every((user) => user.isEmpty())) return;
      if (world.clock > latest || step > mostCalmSteps) {
        const names = world.scheduler.processes.map(({ name }) => name).join();
        const lanes = this.#users.filter((user) => !user.isEmpty()).map(({ lane }) => groupOf(lane));
        world.violation(`work still waits two minutes after the last fault in ${lanes.join()}; running: ${names}`);
      }
      if (this.#waiting.length > 0) this.#store();
      this.#deliver();
      await this.#step();
    }
  }

  /** Everything that was stored is done, or is set aside alone, with its reason, because it is defective. */
  async #examine(stored: Piece): Promise<void> {
    const { user, piece } = stored;
    const outcome = await user.outcome(piece);
    const deaths = [
      'crash',
      'stall',
      'restart with empty queues',
      'call refused',
      'response lost',
      'store outage',
    ] as const;
    const attempts = deaths.reduce((sum, kind) => sum + (this.#world.met.get(kind) ?? 0), 0);
    const isExplained =
      (this.#spoilt.has(stored) && reasons.includes(outcome)) || (outcome.startsWith(givenUp) && attempts >= 5);
    if (outcome !== done && !isExplained) this.#world.violation(`piece ${piece} of ${groupOf(user.lane)} ${outcome}`);
  }
}
