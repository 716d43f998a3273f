import type { DynamoDBRecord } from 'aws-lambda';
import { cancelBatch } from '../../../bin/admin/operations/imports/cancel.ts';
import { listFailed } from '../../../bin/admin/operations/imports/failed.ts';
import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import { begin } from '../../../lib/domain/imports/chunk.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { deliverWebhook } from '../../../lib/operations/events/deliver-webhook.ts';
import { listEvents } from '../../../lib/operations/events/list-events.ts';
import { publish } from '../../../lib/operations/events/publish.ts';
import { wakeWebhooks } from '../../../lib/operations/events/wake-webhooks.ts';
import { redriveChunk } from '../../../lib/operations/imports/redrive.ts';
import { failChunk, workTeam } from '../../../lib/operations/imports/work.ts';
import { loadWebhook } from '../../../lib/store/events/webhooks.ts';
import { loadWork, saveState } from '../../../lib/store/imports/import-work.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import { hasLane, workLane } from './lane.ts';
import { examine } from './law.ts';
import type { FaultKind, Settings } from './settings.ts';
import { type Task, tasksOf } from './tasks.ts';
import { type EventProcess, World } from './world.ts';

export type Outcome = {
  problems: string[];
  met: ReadonlyMap<FaultKind, number>;
  facts: number;
  trace: readonly string[];
};

/** Writers, the publisher on two shards, its waiting work, readers of the feed and a webhook; then the faults end, and the law is checked. */
export async function simulate(settings: Settings, isTraced = false): Promise<Outcome> {
  const world = await World.open(settings, isTraced);
  const schedule = new Schedule(world, settings);
  await schedule.run();
  const { problems, met, history, trace } = world;
  return { problems, met, facts: history.facts.length + history.endings.length, trace: trace ?? [] };
}

/** A reader that keeps its cursor. */
export type Reader = { type: string | undefined; cursor: string | undefined; seen: ServiceEvent[]; isIdle: boolean };

const mostCalmSteps = 8000;

class Schedule {
  readonly #world: World;
  readonly #settings: Settings;
  readonly #tasks: Task[];
  #sent: { process: EventProcess; task: Task; isOver(): boolean }[] = [];
  readonly #shards: { position: number; current: EventProcess | undefined }[] = [0, 1].map(() => ({
    ...{ position: 0, current: undefined },
  }));
  readonly #readers: Reader[] = [undefined, undefined, 'journey.*'].map((type) => ({
    ...{ type, cursor: undefined, seen: [], isIdle: false },
  }));

  constructor(world: World, settings: Settings) {
    this.#world = world;
    this.#settings = settings;
    this.#tasks = tasksOf(world, settings.tasks);
  }

  async run(): Promise<void> {
    const { random, scheduler } = this.#world;
    for (let step = 0; step < this.#settings.steps && this.#world.problems.length === 0; step++) {
      this.#disturb();
      if (random.chance(0.15)) this.#send();
      if (random.chance(0.1)) this.#import();
      if (random.chance(0.25)) this.#publish();
      if (random.chance(0.1)) this.#read(random.pick(this.#readers), false);
      if (random.chance(0.1)) this.#deliver(false);
      if (random.chance(0.1)) workLane(this.#world, false);
      await this.#step();
      if (this.#tasks.length === 0 && scheduler.processes.length === 0 && random.chance(0.1)) break;
    }
    await this.#calm();
    if (this.#world.problems.length === 0) await examine(this.#world, this.#readers);
  }

  async #step(): Promise<void> {
    const world = this.#world;
    world.passTime(0.05);
    if (await world.runOne()) return;
    const next = world.scheduler.nextCallAt();
    if (Number.isFinite(next) && next > world.clock) world.clock = next;
  }

  #disturb(): void {
    const world = this.#world;
    world.disturb();
    if (world.happens('store outage')) world.beginOutage(world.random.pick([500, 5000]));
  }

  /** A client, which sends again until it gets a response. */
  #send(): void {
    const world = this.#world;
    const task = this.#tasks.shift();
    if (!task) return;
    let isDone = false;
    const process = world.start('client', async (dependencies) => {
      await task(dependencies).catch((error: unknown) => {
        if (!(error instanceof Problem) || error.code === 'internal_error') throw error;
        if (error.code === 'unavailable') this.#tasks.push(task);
      });
      isDone = true;
    });
    this.#sent.push({ process, task, isOver: () => isDone });
  }

  /** A client that was killed sends again. */
  #again(): void {
    const { processes } = this.#world.scheduler;
    const over = this.#sent.filter(({ process }) => !processes.includes(process));
    this.#tasks.push(...over.filter(({ isOver }) => !isOver()).map(({ task }) => task));
    this.#sent = this.#sent.filter((each) => !over.includes(each));
  }

  #import(): void {
    const world = this.#world;
    const { random, team } = world;
    if (world.running('worker').length > 1) return;
    const act = world.isCalm ? 0 : random.below(10);
    const ends = world.steps + 60;
    world.start('worker', async (dependencies) => {
      if (act < 6) await workTeam(dependencies, team, () => world.isCalm || world.steps < ends);
      else if (act < 8) {
        // Like a worker that cannot read the records.
        const { state, open } = await loadWork(dependencies.database, team, 1);
        const [chunk] = open;
        if (!chunk || chunk.cancelled) return;
        const begun = begin(state, chunk, timestamp(dependencies.now()));
        if (await saveState(dependencies.database, team, state, begun)) await failChunk(dependencies, chunk, 'a test');
      } else if (act < 9) {
        for (const chunk of await listFailed(dependencies, team)) await redriveChunk(dependencies, chunk);
      } else await cancelBatch(dependencies, team, random.pick(['one', 'two'])).catch(unlessGone);
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
    const records = table.shards[place]!.slice(shard.position, shard.position + 1 + random.below(12));
    if (records.length === 0) return;
    const { position } = shard;
    const process: EventProcess = world.start('publisher', async (dependencies) => {
      const turn = () => world.turn(process, () => undefined);
      const failed = await publish(
        {
          ...dependencies,
          ...(world.happens('no time to settle') ? { settleTime: 0 } : {}),
          wakeCompletions: async () => {
            await turn();
            if (!world.happens('wake lost')) world.hasCompletions = true;
          },
          bus: {
            put: async (events) => {
              await turn();
              if (world.happens('bus refuses')) throw new StoreUnavailable('refused');
              world.onBus.push(...events);
            },
          },
          wake: async (team, before) => {
            const wake = async () => {
              await turn();
              if (!world.happens('wake lost')) world.isWoken = true;
            };
            await wakeWebhooks({ ...dependencies, wake }, team, before).catch(unlessUnavailable);
          },
          onFailure: (error) => {
            if (!(error instanceof StoreUnavailable)) world.violation(`publish: ${(error as Error).stack}`);
          },
        },
        records as DynamoDBRecord[],
      );
      if (shard.current !== process) return;
      const first = records.findIndex(({ dynamodb }) => failed.includes(dynamodb!.SequenceNumber!));
      shard.position = position + (first === -1 ? records.length : first);
    });
    shard.current = process;
  }

  /** @param isTold everything is told, so that an empty page is the end */
  #read(reader: Reader, isTold: boolean): void {
    const world = this.#world;
    if (world.running('reader').length > 1) return;
    const { type } = reader;
    world.start('reader', async (dependencies) => {
      const { cursor } = reader;
      const limit = 1 + world.random.below(10);
      const page = await listEvents(dependencies, world.team, { type, cursor, limit });
      reader.seen.push(...page.events);
      // Two runs of one reader may overlap: each has its own page, and one of the cursors is kept.
      if (!world.happens('reader forgets') && reader.cursor === cursor) reader.cursor = page.next_cursor;
      reader.isIdle = isTold && !page.has_more && page.events.length === 0;
    });
  }

  /** The queue passes one message of the webhook at a time; the schedule wakes it too. */
  #deliver(isScheduled: boolean): void {
    const world = this.#world;
    if (world.running('delivery').length > 0 || !(world.isWoken || isScheduled)) return;
    world.isWoken = false;
    const { webhook_id } = world.webhook;
    const process: EventProcess = world.start('delivery', async (dependencies) => {
      const send = ({ body }: { body: string }) =>
        world.turn(process, () => {
          if (world.happens('receiver fails')) return 503;
          world.received.push((JSON.parse(body) as { data: ServiceEvent }).data);
          return world.happens('response of the receiver lost') ? 'timeout' : 204;
        });
      const until = world.clock + 40_000;
      const { outcome } = await deliverWebhook(
        { ...dependencies, send, retentionDays: 365 },
        { team_id: world.team, webhook_id },
        () => world.clock < until,
      );
      if (outcome === 'more') world.isWoken = true;
    });
  }

  /** Ends all faults, and runs until everything is done. */
  async #calm(): Promise<void> {
    const world = this.#world;
    world.isCalm = true;
    world.log(() => '=== calm');
    world.beginOutage(0);
    for (let step = 0; world.problems.length === 0; step++) {
      if (step > mostCalmSteps) return world.violation('not everything was told');
      for (const process of world.scheduler.processes) process.isFrozen = false;
      if (step % 20 === 0) this.#again();
      if (this.#tasks.length > 0) this.#send();
      if (step % 20 === 0 && (await this.#hasOpenChunks())) this.#import();
      this.#publish();
      if (step % 10 === 0) this.#deliver(true);
      if (step % 10 === 0 && (await hasLane(world))) workLane(world, true);
      const isTold = await this.#isTold();
      if (!isTold) for (const reader of this.#readers) reader.isIdle = false;
      else for (const reader of this.#readers) if (!reader.isIdle) this.#read(reader, true);
      await this.#step();
      if (isTold && world.scheduler.processes.length === 0) {
        if (this.#readers.every(({ isIdle }) => isIdle) && (await this.#isDelivered())) return;
        this.#deliver(true);
        // The next attempt at the receiver may be due later.
        if (world.running('delivery').length === 0) world.clock += 60_000;
      }
    }
  }

  async #hasOpenChunks(): Promise<boolean> {
    return (await loadWork(this.#world.table.model, this.#world.team, 1)).open.length > 0;
  }

  async #isTold(): Promise<boolean> {
    const { scheduler, table } = this.#world;
    const working = ['client', 'worker', 'publisher', 'completion'];
    if (scheduler.processes.some(({ kind }) => working.includes(kind))) return false;
    if (await hasLane(this.#world)) return false;
    if (this.#tasks.length + this.#sent.length > 0 || (await this.#hasOpenChunks())) return false;
    table.endAll();
    return this.#shards.every(({ position }, place) => position === table.shards[place]!.length);
  }

  async #isDelivered(): Promise<boolean> {
    const { table, team, webhook } = this.#world;
    const { progress } = (await loadWebhook(table.model, team, webhook.webhook_id))!;
    const [head] = await table.model.get([{ pk: `T#${team}#E`, sk: 'HEAD' }]);
    const pending = await table.model.query({ pk: `T#${team}#W#${webhook.webhook_id}`, prefix: 'RETRY#' });
    return progress.position.seq > Number(head?.seq ?? 0) && pending.items.length === 0;
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
}
function unlessUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error;
}
