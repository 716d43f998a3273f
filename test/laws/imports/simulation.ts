import { importLane } from '../../../lib/domain/imports/chunk.ts';
import { loadWork } from '../../../lib/store/imports/import-work.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { type Key, payloadKey, teamsKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { visibilityTimeout } from '../waiting-work/timed-queue.ts';
import { Actors } from './actors.ts';
import { examine } from './law.ts';
import { Renames } from './renames.ts';
import { type Post, repeatOf, requestsOf } from './requests.ts';
import type { FaultKind, Settings } from './settings.ts';
import { type ImportProcess, World } from './world.ts';

export type Outcome = {
  /** Violations of the guarantees. */
  problems: string[];
  met: ReadonlyMap<FaultKind, number>;
  /** Numbers of the draws that became faults. */
  fired: readonly number[];
  chunks: number;
  steps: number;
  trace: readonly string[];
};

/**
 * One schedule of the import, generated from a seed. Clients post chunks and retry; workers, the sweeper and operators run;
 * every call of the table or the queue may fail. Then the faults end, and the guarantees are checked.
 */
export async function simulate(
  settings: Settings,
  { database = new ModelDatabase(), isTraced = false }: { database?: Database; isTraced?: boolean } = {},
): Promise<Outcome> {
  const world = new World(settings, database, isTraced);
  const schedule = new Schedule(world, settings);
  await schedule.run();
  const { problems, faults, history, steps, trace } = world;
  return { problems, met: faults.met, fired: faults.fired, chunks: history.all.length, steps, trace: trace ?? [] };
}

const sweepEvery = 60_000;
/** Milliseconds after the last fault within which all accepted chunks must be closed. */
const longestWait = 120_000;
/** Milliseconds after which API Gateway responds instead of a function, and the function is stopped. */
const requestTime = 30_000;
/** More steps than any run needs after the faults. */
const mostCalmSteps = 6000;
const mostClients = 4;

class Schedule {
  readonly #world: World;
  readonly #settings: Settings;
  readonly #actors: Actors;
  readonly #sent: Post[] = [];
  readonly #renames = new Map<string, Renames>();
  /** Payloads that will be restored, with their contents. */
  readonly #unreadable: { key: Key; data: unknown }[] = [];
  #nextSweep: number;

  constructor(world: World, settings: Settings) {
    this.#world = world;
    this.#settings = settings;
    const requests = requestsOf(world.random, world.teamIds, settings.requests);
    this.#actors = new Actors(world, this.#renames, requests);
    this.#nextSweep = world.clock + world.random.below(sweepEvery);
  }

  async run(): Promise<void> {
    const { random, scheduler, store, teamIds } = this.#world;
    await store.database.write(teamIds.map((teamId) => ({ kind: 'insert', item: teamsKey(teamId) })));
    if (this.#settings.weather.rename > 0) {
      for (const teamId of teamIds) this.#renames.set(teamId, new Renames(store.database, teamId));
      for (const renames of this.#renames.values()) await renames.begin();
    }
    for (let step = 0; step < this.#settings.steps && this.#world.problems.length === 0; step++) {
      this.#disturb();
      if (this.#actors.waiting.length > 0 && this.#running('client') < mostClients && random.chance(0.12)) this.#post();
      if (random.chance(0.3)) this.#actors.deliver();
      await this.#step();
      if (this.#actors.waiting.length === 0 && scheduler.processes.length === 0 && random.chance(0.1)) break;
    }
    await this.#calm();
    // An operator redrives or discards failed chunks, or does nothing.
    if (this.#world.problems.length === 0 && random.chance(0.5) && this.#redrive()) await this.#settle();
    if (this.#world.problems.length === 0) await examine(this.#world, this.#renames);
  }

  #running(kind: ImportProcess['kind']): number {
    return this.#world.scheduler.processes.filter((process) => process.kind === kind).length;
  }

  /** Runs one call of a process. If none can run, advances the clock to the next event. */
  async #step(): Promise<void> {
    const world = this.#world;
    const { random, scheduler, store } = world;
    world.steps++;
    world.clock += 1 + random.below(5);
    if (random.chance(0.1)) store.showMore(random);
    if (random.chance(0.03)) this.#thaw();
    if (world.clock >= this.#nextSweep) {
      this.#nextSweep = world.clock + sweepEvery;
      this.#actors.sweep(false);
    }
    if (!store.isWhole && random.chance(0.2)) {
      // Readers now see part of a transaction, and an unexpected wake may arrive at any time.
      world.queue.send(importLane(random.pick(world.teamIds)));
      this.#actors.deliver();
    }
    this.#endLateRequests();
    const ready = scheduler.runnable(world.clock);
    const workers = store.isWhole ? [] : ready.filter(({ kind }) => kind === 'worker');
    const runnable = workers.length > 0 && random.chance(0.6) ? workers : ready;
    if (runnable.length > 0) await scheduler.step(random.pick(runnable), world.clock, random);
    else this.#pass();
    if (this.#renames.size === 0 || !store.isWhole) return;
    for (const [teamId, renames] of this.#renames) {
      await renames.observe(world.steps, world.history.team(teamId).acceptances);
    }
  }

  /** Stops a function that serves a request at its timeout, at any point. */
  #endLateRequests(): void {
    const { clock, scheduler } = this.#world;
    const isLate = ({ kind, startedAt }: ImportProcess) => kind === 'client' && clock - startedAt > requestTime;
    for (const client of scheduler.processes.filter(isLate)) {
      this.#world.kill(client);
      this.#actors.again(client.post!);
    }
  }

  #thaw(): void {
    for (const process of this.#world.scheduler.processes) process.isFrozen = false;
  }

  /** True if no process can run at this moment. */
  #pass(): void {
    const world = this.#world;
    world.store.endAll();
    const next = Math.min(world.scheduler.nextCallAt(), world.queue.nextAt(), this.#nextSweep);
    // Clients do not wait for one another.
    if (this.#actors.waiting.length > 0 && this.#running('client') < mostClients) this.#post();
    else {
      if (next > world.clock) world.clock = next;
      this.#actors.deliver();
    }
  }

  #disturb(): void {
    const { faults, scheduler, random, queue } = this.#world;
    const world = this.#world;
    const { processes } = scheduler;
    if (processes.length > 0 && faults.happens('crash')) this.#crash(random.pick(processes));
    if (processes.length > 0 && faults.happens('stall')) this.#stall(random.pick(processes));
    if (processes.length > 0 && faults.happens('process slow')) random.pick(processes).isFrozen = true;
    if (faults.happens('restart with an empty queue')) this.#restart();
    if (faults.happens('store outage')) world.beginOutage(false, random.pick([10_000, 60_000, 120_000]));
    if (faults.happens('write outage')) world.beginOutage(true, 120_000);
    if (faults.happens('message lost')) {
      const lane = queue.lose(random);
      if (lane) world.history.team(lane.team_id).deaths += 1;
    }
    if (faults.happens('message doubled')) queue.double(random);
    if (faults.happens('payload gone')) this.#damage(true);
    if (faults.happens('payload unreadable for a while')) this.#damage(false);
    if (faults.happens('redrive')) this.#redrive();
    if (faults.happens('discard')) this.#actors.discardOne();
    if (faults.happens('cancel')) this.#actors.cancel();
    if (this.#renames.size > 0 && faults.happens('rename')) this.#actors.rename();
    if (this.#sent.length > 0 && faults.happens('repeat of a pair'))
      this.#actors.send(repeatOf(random.pick(this.#sent), random));
  }

  #crash(victim: ImportProcess): void {
    const { post } = victim;
    this.#world.kill(victim);
    // Some clients retry after a broken connection.
    if (post && this.#world.random.chance(0.5)) this.#actors.again(post);
  }

  /** All processes pause for longer than the visibility timeout, and one of them even longer. */
  #stall(victim: ImportProcess): void {
    const world = this.#world;
    victim.isFrozen = true;
    world.log(() => `${victim.name} stalls`);
    for (const { kind, teamId } of world.scheduler.processes) {
      if (kind === 'worker') world.history.team(teamId!).deaths += 1;
    }
    // The store continues: after this time all committed writes are visible.
    world.store.endAll();
    world.clock += world.random.pick([1_000, visibilityTimeout + 1_000, visibilityTimeout + 30_000]);
  }

  #restart(): void {
    const { scheduler, queue } = this.#world;
    for (const process of [...scheduler.processes]) this.#crash(process);
    queue.forget();
    this.#actors.sweep(true);
  }

  /** Deletes or damages the stored records of an open or failed chunk. */
  #damage(isForGood: boolean): void {
    const { history, random, store } = this.#world;
    const accepted = history.all.filter(({ status }) => status === 'open' || status === 'failed');
    if (accepted.length === 0 || !store.model) return;
    const chunk = random.pick(accepted);
    const key = payloadKey(chunk.teamId, chunk.payload_id, 0);
    const data = store.model.read(key)?.data;
    chunk.isDamaged = true;
    store.model.damage(key, isForGood && random.chance(0.5) ? undefined : { data: Buffer.from('damaged') });
    if (!isForGood) this.#unreadable.push({ key, data });
  }

  /** Restores damaged records and redrives failed chunks. @returns whether there were any */
  #redrive(): boolean {
    for (const { key, data } of this.#unreadable.splice(0)) this.#world.store.model?.damage(key, { data });
    return this.#actors.redriveAll();
  }

  #post(): void {
    const { random } = this.#world;
    // Requests of a team are often in flight at the same time.
    const place = random.chance(0.7) ? 0 : random.below(this.#actors.waiting.length);
    const [post] = this.#actors.waiting.splice(place, 1);
    if (!post) return;
    if (post.chunk_index !== undefined) this.#sent.push(post);
    this.#actors.send(post);
  }

  /** Ends all faults. Clients without a response send again. */
  async #calm(): Promise<void> {
    const { faults, store } = this.#world;
    faults.isCalm = true;
    this.#world.log(() => '=== calm');
    this.#world.endOutage();
    this.#thaw();
    store.endAll();
    await this.#settle();
    for (const renames of this.#renames.values()) {
      let id = 0;
      const service = serviceOn(store.database, {
        now: () => this.#world.clock,
        newId: () => `00000000-0000-4000-8001-${String(id++).padStart(12, '0')}`,
        pause: async () => undefined,
      });
      await renames.complete(service);
    }
  }

  /** Runs until all accepted chunks are closed, within the time limit. */
  async #settle(): Promise<void> {
    const world = this.#world;
    const latest = world.clock + longestWait;
    for (let step = 0; world.problems.length === 0; step++) {
      const isOver = world.clock > latest || step > mostCalmSteps;
      const isIdle = this.#actors.waiting.length === 0 && world.scheduler.processes.length === 0;
      if (isIdle && (await this.#isWorked())) return;
      if (isOver) {
        const names = world.scheduler.processes.map(({ name }) => name).join();
        world.violation(`chunks still wait two minutes after the last fault; running: ${names}`);
      }
      if (this.#actors.waiting.length > 0) this.#post();
      this.#actors.deliver();
      await this.#step();
    }
  }

  /** True if no chunk is open and no cancelled chunk is still listed. */
  async #isWorked(): Promise<boolean> {
    const { history, store, teamIds } = this.#world;
    if (history.all.some(({ status }) => status === 'open')) return false;
    const work = await Promise.all(teamIds.map((teamId) => loadWork(store.database, teamId, 1)));
    return work.every(({ open }) => open.length === 0);
  }
}
