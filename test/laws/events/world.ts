import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import type { Webhook } from '../../../lib/domain/events/webhook.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { createWebhook } from '../../../lib/operations/events/webhooks.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { type Database, type Item, StoreUnavailable, type Write } from '../../../lib/store/table/database.ts';
import { type Key, targetingRuleKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { ModelQueue } from '../../support/models/model-queue.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn, type TestedService } from '../../support/operations/operations.ts';
import { Random } from '../random.ts';
import { type Process, Scheduler } from '../scheduler.ts';
import type { ScheduleSettings } from '../weather.ts';
import { History } from './history.ts';
import type { FaultKind } from './settings.ts';
import { StreamedTable } from './table.ts';

export type Kind =
  | 'client'
  | 'worker'
  | 'publisher'
  | 'completion'
  | 'delivery'
  | 'reader'
  | 'sweeper'
  | 'administrator';
export type EventProcess = Process & { kind: Kind; skew: number };
/** Sees each item that becomes visible, and what a process has committed, before all of it is visible. */
export type Watch = {
  shown(key: Key, before: Item | undefined, after: Item | undefined): void;
  committed(writes: readonly Write[], process: EventProcess): void;
};

/** What operations need, for one process. */
export type WorldDependencies = TestedService;

const start = Date.parse('2026-03-01T12:00:00Z');
export const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const templateId = uuidOf(1);
/** A campaign whose journeys expire after a minute and a half. */
export const shortTemplateId = uuidOf(9);
export const shortDuration = 90_000;
/** A campaign with a rule, which is not live unless a schedule makes it so. */
export const targetedTemplateId = uuidOf(10);
export const pages = { objective: uuidOf(2), open: uuidOf(3), view: uuidOf(4) };
const document = {
  objectives: [{ id: uuidOf(5), key: 'enrolled' }],
  templates: [
    {
      id: templateId,
      name: 'Welcome',
      template_pages: [
        {
          id: uuidOf(6),
          order: 0,
          page: { id: pages.objective, completion_condition: 'objective', objective_id: uuidOf(5) },
        },
        {
          id: uuidOf(7),
          order: 1,
          page: { id: pages.open, completion_condition: 'open', completion_product_type: 'savings' },
        },
        { id: uuidOf(8), order: 2, page: { id: pages.view, completion_condition: 'view' } },
      ],
    },
    { id: shortTemplateId, name: 'Short', journey_duration_hours: shortDuration / 3_600_000 },
    {
      ...{ id: targetedTemplateId, name: 'Targeted', status: 'live' },
      targeting_groups: [{ conditions: [{ field: 'contact.meta_public.targeted', operator: 'is_set' }] }],
      template_pages: [{ id: uuidOf(11), order: 0, page: { id: uuidOf(12), completion_condition: 'view' } }],
    },
  ],
};

type Base = { items: Item[]; team: string; webhook: Webhook; content: ContentCache };

/** A team with its campaign and a webhook. The same for all schedules. */
async function makeBase(): Promise<Base> {
  const database = new ModelDatabase();
  let ids = 100;
  const own = { now: () => start, newId: () => uuidOf(ids++), newSecret: () => 'a'.repeat(43), pause: async () => {} };
  const dependencies = { ...serviceOn(database, own), wake: async () => {} };
  const { team_id: team } = await createTeam(dependencies, { name: 'Test', features: [] });
  await putContent(database, team, document);
  database.damage(targetingRuleKey(team, targetedTemplateId), { live: false });
  const target = { team_id: team, url: 'https://receiver.example.com/', types: null };
  const { webhook } = await createWebhook(dependencies, target, undefined);
  const content = new ContentCache(database, () => start);
  await content.load(team);
  await content.lookups(team);
  return { items: [...database.items.values()], team, webhook, content };
}
let base: Promise<Base> | undefined;

/** Of processes, and of the store by call. */
type CommonFault = 'crash' | 'process slow' | 'call refused' | 'response lost' | 'transaction torn';
type WorldSettings<Fault extends string> = Omit<ScheduleSettings<Fault | CommonFault>, 'steps'>;

/** The clock, the table and the processes of one schedule. */
export class World<Fault extends string = FaultKind> {
  readonly random: Random;
  readonly scheduler = new Scheduler<EventProcess>();
  readonly table: StreamedTable;
  readonly history = new History();
  readonly queue = new ModelQueue();
  readonly problems: string[] = [];
  readonly met = new Map<Fault | CommonFault, number>();
  readonly trace: string[] | undefined;
  readonly team: string;
  readonly webhook: Webhook;
  readonly onBus: ServiceEvent[] = [];
  readonly received: ServiceEvent[] = [];
  readonly content: ContentCache;
  watch: Watch | undefined;
  readonly #settings: WorldSettings<Fault>;
  isCalm = false;
  isWoken = false;
  /** There is a message for the lane of completions. */
  hasCompletions = false;
  clock = start;
  steps = 0;
  #outageUntil = 0;
  #ids = 1000;
  #started = 0;

  static async open<Fault extends string = FaultKind>(
    settings: WorldSettings<Fault>,
    isTraced: boolean,
    items?: readonly Item[],
  ): Promise<World<Fault>> {
    base ??= makeBase();
    const made = await base;
    const world = new World<Fault>(settings, made, isTraced);
    await world.table.model.write((items ?? made.items).map((item) => ({ kind: 'insert', item })));
    return world;
  }

  private constructor(settings: WorldSettings<Fault>, { team, webhook, content }: Base, isTraced: boolean) {
    this.#settings = settings;
    this.random = new Random(settings.seed);
    this.table = new StreamedTable(
      () => this.clock,
      (key, before, after) => {
        this.history.shown(key, before, after);
        this.watch?.shown(key, before, after);
      },
    );
    this.trace = isTraced ? [] : undefined;
    [this.team, this.webhook, this.content] = [team, webhook, content];
  }

  log(text: () => string): void {
    this.trace?.push(
      `${String(this.steps).padStart(4)} ${((this.clock - start) / 1000).toFixed(3).padStart(8)}s  ${text()}`,
    );
  }

  violation(problem: string): void {
    this.log(() => `VIOLATION: ${problem}`);
    this.problems.push(problem);
  }

  happens(kind: Fault | CommonFault): boolean {
    const probability = this.#settings.weather[kind];
    if (this.isCalm || probability === 0 || !this.random.chance(probability)) return false;
    this.met.set(kind, (this.met.get(kind) ?? 0) + 1);
    this.log(() => `*** ${kind}`);
    return true;
  }

  /** Time passes: writes can become visible, and slow processes can go on. */
  passTime(thawing: number): void {
    this.steps++;
    this.clock += 1 + this.random.below(5);
    if (this.random.chance(0.2)) this.table.showMore(this.random);
    if (this.random.chance(thawing)) for (const process of this.scheduler.processes) process.isFrozen = false;
  }

  /** Runs one call of a process. @returns false if none can run */
  async runOne(): Promise<boolean> {
    const ready = this.scheduler.runnable(this.clock);
    if (ready.length === 0) return false;
    await this.scheduler.step(this.random.pick(ready), this.clock, this.random);
    return true;
  }

  /** Kills a process, or makes one slow. */
  disturb(): void {
    const { processes } = this.scheduler;
    if (processes.length > 0 && this.happens('crash')) this.kill(this.random.pick(processes));
    if (processes.length > 0 && this.happens('process slow')) this.random.pick(processes).isFrozen = true;
  }

  kill(victim: EventProcess): void {
    this.log(() => `${victim.name} is killed`);
    this.scheduler.kill(victim);
  }

  beginOutage(milliseconds: number): void {
    this.#outageUntil = this.clock + milliseconds;
  }

  start(kind: Kind, run: (dependencies: WorldDependencies, process: EventProcess) => Promise<void>): EventProcess {
    const skew = this.random.below(2 * this.#settings.skew + 1) - this.#settings.skew;
    const process: EventProcess = { name: `${kind}${++this.#started}`, kind, skew, calls: [], isFrozen: false };
    this.log(() => `${process.name} starts`);
    this.scheduler.start(
      process,
      async () => {
        await run(this.dependenciesOf(process), process);
        this.log(() => `${process.name} ends`);
      },
      (error) => {
        if (error instanceof Problem && error.code !== 'internal_error')
          this.log(() => `${process.name} fails: ${error.message}`);
        else this.violation(`${process.name} threw ${error instanceof Error ? error.stack : String(error)}`);
      },
    );
    return process;
  }

  running(kind: Kind): EventProcess[] {
    return this.scheduler.processes.filter((process) => process.kind === kind);
  }

  turn<T>(process: EventProcess, run: () => T | Promise<T>, milliseconds = 1 + this.random.below(8)): Promise<T> {
    return this.scheduler.call(process, this.clock + milliseconds, run);
  }

  dependenciesOf(process: EventProcess) {
    const database = this.#databaseOf(process);
    const newId = () => uuidOf(this.#ids++);
    return serviceOn(database, {
      ...{ newId, newSlug: newId, content: this.content, queue: this.queue },
      now: () => this.clock + process.skew,
      pause: (round: number) => this.turn(process, () => undefined, 1 + this.random.below(20 * round)),
      onErased: async () => undefined,
    });
  }

  /** The table for one process: every call waits for its turn, may be refused, or may lose its response. */
  #databaseOf(process: EventProcess): Database {
    const { table } = this;
    const reach = <T>(what: () => string, isWrite: boolean, run: () => Promise<T>): Promise<T> =>
      this.turn(process, async () => {
        this.log(() => `${process.name} ${what()}`);
        if (this.clock < this.#outageUntil || this.happens('call refused')) throw new StoreUnavailable('refused');
        const value = await run();
        if (isWrite && this.happens('response lost')) throw new StoreUnavailable('the response was lost');
        return value;
      });
    const short = (key: { pk: string; sk: string }) => `${key.pk.slice(39)}|${key.sk}`;
    return {
      get: (keys) =>
        reach(
          () => `gets ${keys.map(short).join()}`,
          false,
          () => table.model.get(keys),
        ),
      query: (input) =>
        reach(
          () => `queries ${input.pk.slice(39)}`,
          false,
          () => table.model.query(input),
        ),
      write: (writes) =>
        reach(
          () => `writes ${writes.map((each) => short(each.kind === 'insert' ? each.item : each.key)).join()}`,
          true,
          async () => {
            const written = await table.write(writes);
            const committed = writes.filter((_, index) => written[index]);
            this.watch?.committed(committed, process);
            return written;
          },
        ),
      transact: async (writes) => {
        let end: (() => void) | undefined;
        await reach(
          () => `transacts ${writes.map((each) => short(each.kind === 'insert' ? each.item : each.key)).join()}`,
          true,
          async () => {
            const torn = writes.length > 1 && this.happens('transaction torn') ? this.random : undefined;
            end = table.transact(writes, torn, () => {
              this.history.committed(writes, (key) => table.model.read(key) !== undefined);
              this.watch?.committed(writes, process);
            });
          },
        );
        if (!end) return false;
        await this.turn(process, end);
        return true;
      },
    };
  }
}
