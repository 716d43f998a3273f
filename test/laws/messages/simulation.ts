import { pauseMessages, resumeMessages } from '../../../bin/admin/operations/messages/messages.ts';
import { updateTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import type { Lane } from '../../../lib/domain/waiting-work/lane.ts';
import { type OutgoingMail, RefusedForGood, type Sender, TryLater, UnknownOutcome } from '../../../lib/email/sender.ts';
import { leaveByContact, returnByContact } from '../../../lib/operations/contacts/leave.ts';
import { erasePerson } from '../../../lib/operations/erasure/erase.ts';
import { moveDue } from '../../../lib/operations/events/move-due.ts';
import { completionsThatWait, workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { cancelJourney } from '../../../lib/operations/journeys/cancel.ts';
import { takeFeedback } from '../../../lib/operations/messages/feedback.ts';
import { messagesThatWait } from '../../../lib/operations/messages/messages-that-wait.ts';
import { type SendService, sendMessages } from '../../../lib/operations/messages/send.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import { sweep } from '../../../lib/operations/waiting-work/sweep.ts';
import { takeTurn } from '../../../lib/operations/waiting-work/turn.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import type { JournalEntry } from '../../../lib/store/suppression/journal.ts';
import { type Item, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { messageLanePartition, messageStateKey } from '../../../lib/store/table/keys.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import { type EventProcess, type Kind, uuidOf, World, type WorldDependencies } from '../events/world.ts';
import { TimedQueue, visibilityTimeout, wakeQueueOf } from '../waiting-work/timed-queue.ts';
import { campaign, persons, templateIds } from './campaign.ts';
import { History } from './history.ts';
import type { FaultKind, Settings } from './settings.ts';

export type Outcome = {
  problems: string[];
  met: ReadonlyMap<FaultKind, number>;
  /** Messages that were handed over. */
  sent: number;
  trace: readonly string[];
};

const sweepEvery = 60_000;
const mostCalmSteps = 80_000;
/** Milliseconds in which a worker may begin something. */
const workTime = 40_000;
const hour = 3_600_000;
const secret = Buffer.alloc(32, 7).toString('base64url');
const addresses = ['shared@example.com', 'own@example.com', 'Other@Example.com'];

type Dependencies = WorldDependencies & SendService;

/**
 * Clients, people who leave and come back, erasures, an administrator, the workers and their provider; then the faults end,
 * and the law is checked four days later.
 */
export async function simulate(settings: Settings, isTraced = false): Promise<Outcome> {
  const world = await World.open<FaultKind>(settings, isTraced);
  let ids = 0;
  const newId = () => uuidOf(900_000 + ids++);
  const calm = serviceOn(world.table.model, { now: () => world.clock, newId, newSlug: newId, pause: async () => {} });
  // Some begin shortly before the quiet hours.
  world.clock += world.random.pick([0, 7.9]) * hour;
  await moveDue(calm, world.team);
  await updateTeam(calm, world.team, {
    ...{ senders: ['@bank.example'], postal_address: 'Main Street 1', has_earlier_leavings: true },
    ...{ messages_a_second: world.random.pick([1, 10]), max_messages_a_week: 2 },
  });
  const schedule = new Schedule(world, settings);
  await importContent({ ...calm, fits: () => true }, world.team, campaign(schedule.scheduledAt, false) as never);
  // No journey begins before the messages went live, on whatever clock.
  world.clock += 10_000;
  for (const [index, unique_id] of persons.entries()) {
    const wants = { email: addresses[index % 2]!, email_opted_in: true, email_verified: true };
    for (const template_id of templateIds) {
      await upsertContact(calm, world.team, record({ unique_id, ...wants, journey: { template_id } }));
    }
  }
  await schedule.run();
  const { problems, met, trace } = world;
  return { problems, met, sent: schedule.history.sent.length, trace: trace ?? [] };
}

/** As the commands wake. */
const waking = (service: Dependencies) => ({ ...service, wake: (lane: Lane) => service.queue.wake(lane) });

type Report = { type: 'delivered' | 'bounced' | 'complained'; permanent: boolean; mail: OutgoingMail };

class Schedule {
  readonly history: History;
  readonly scheduledAt: string;
  readonly #world: World<FaultKind>;
  readonly #settings: Settings;
  readonly #queue = new TimedQueue();
  readonly #journal: JournalEntry[] = [];
  readonly #reports: Report[] = [];
  #epoch = '';
  #snapshot: Item[] = [];
  /** Those whose erasure had begun and not completed at the time of the snapshot. */
  #erasingThen: ReadonlySet<string> = new Set();
  /** What is still to be done after the table was restored. */
  #isRestoring = false;
  /** Persons whose erasure has begun. One that was interrupted is run again, until it has completed. */
  readonly #erasing = new Set<string>();
  #isMuted = false;
  #tasks: number;
  #nextSweep: number;

  constructor(world: World<FaultKind>, settings: Settings) {
    this.#world = world;
    this.#settings = settings;
    this.#tasks = settings.tasks;
    this.#nextSweep = world.clock + world.random.below(sweepEvery);
    this.scheduledAt = new Date(world.clock + 300_000).toISOString();
    this.history = new History(world);
    world.watch = this.history;
  }

  async run(): Promise<void> {
    const world = this.#world;
    const { random } = world;
    this.#takeSnapshot();
    for (let step = 0; step < this.#settings.steps && world.problems.length === 0; step++) {
      this.#disturb();
      if (random.chance(0.04)) this.#act();
      if (random.chance(0.1)) this.#report();
      if (random.chance(0.3)) this.#deliver();
      await this.#step();
    }
    world.isCalm = true;
    world.log(() => '=== calm');
    world.beginOutage(0);
    world.table.endAll();
    await this.#rest();
    this.history.resumes();
    this.#start('administrator', async (service) => {
      for (const templateId of [undefined, ...templateIds]) {
        await resumeMessages(waking(service), world.team, templateId);
      }
    });
    await this.#rest();
    if (this.#isMuted) this.#mute(false);
    await this.#rest();
    // What waits for a time: the quiet hours, the cap, the 72 hours.
    for (let halfDays = 0; halfDays < 10 && world.problems.length === 0; halfDays++) {
      world.clock += 12 * hour;
      this.#nextSweep = world.clock;
      await this.#rest();
    }
    if (world.problems.length === 0) this.history.examine();
  }

  /** Starts a process with everything that it needs. */
  #start(kind: Kind, run: (service: Dependencies, process: EventProcess) => Promise<unknown>): EventProcess {
    const world = this.#world;
    // It dies with the table that it uses.
    const epoch = this.#epoch;
    return world.start(kind, async (given, own) => {
      const queue = wakeQueueOf({
        ...{ queue: this.#queue, random: world.random, clock: () => world.clock },
        happens: (fault) => world.happens(fault),
        log: (text) => world.log(() => `${own.name} ${text()}`),
        turn: (call, milliseconds) => world.turn(own, call, milliseconds),
      });
      const written = this.#journal;
      const journal = {
        add: async (entry: JournalEntry) => {
          await world.turn(own, () => {
            if (world.happens('call refused')) throw new StoreUnavailable('refused');
            this.#journal.push(entry);
            // Somebody who shares the address may come back.
            if (entry.change === 'removed') this.history.comesBack(entry.contact_id, entry.hash);
          });
        },
        entries: async function* (this: void) {
          yield* written;
        },
      };
      await run(
        {
          ...given,
          ...{ queue, journal, eventEpoch: epoch, content: new ContentCache(given.database, given.now) },
          wait: (milliseconds) => world.turn(own, () => undefined, milliseconds),
          messages: { secret: async () => secret },
          senderFor: () => this.#senderOf(own),
          render: async ({ message, contact }) => {
            const subject = message.message.is_transactional ? 'transactional' : 'marketing';
            const from = { name: 'Bank', address: 'hello@bank.example' };
            return { mail: { from, subject, html: '', text: contact.id, headers: {}, values: {} } };
          },
          renderVerification: async () => ({ fault: null }),
          onPaused: () => {},
          onListMismatch: () => world.violation('the secret is another one'),
          onMessageFailure: (error) => world.violation(`a message failed: ${(error as Error).stack}`),
        },
        own,
      );
    });
  }

  /** The provider does not know of the calm. */
  #fails(kind: FaultKind): boolean {
    const { random, met } = this.#world;
    if (!random.chance(this.#settings.weather[kind])) return false;
    met.set(kind, (met.get(kind) ?? 0) + 1);
    return true;
  }

  /** What is handed over counts from the call on, whatever the answer is. */
  #senderOf(process: EventProcess): Sender {
    const world = this.#world;
    return {
      send: (mail) => {
        if (this.#fails('provider is busy')) return world.turn(process, () => Promise.reject(new TryLater()));
        this.history.handedOver(mail);
        if (this.#fails('provider refuses')) {
          const refusal = { bounced: true, isAddress: world.random.chance(0.5) };
          return world.turn(process, () => Promise.reject(new RefusedForGood('', refusal)));
        }
        const type = world.random.pick(['delivered', 'delivered', 'bounced', 'complained'] as const);
        this.#reports.push({ type: 'delivered', permanent: false, mail });
        if (type !== 'delivered' && world.random.chance(0.3)) {
          this.#reports.push({ type, permanent: world.random.chance(0.5), mail });
        }
        const isLost = this.#fails('answer lost');
        return world.turn(
          process,
          async () => {
            if (isLost) throw new UnknownOutcome();
            return { providerId: mail.tags.message };
          },
          world.random.below(3000),
        );
      },
    };
  }

  /** Somebody does something. */
  #act(): void {
    const world = this.#world;
    const { random, team } = world;
    if (this.#isRestoring) this.#restoring();
    if (this.#isRestoring || this.#tasks === 0) return;
    this.#tasks -= 1;
    const unique_id = random.pick(persons);
    const contactId = derivedContactId(team, unique_id);
    const kind = random.below(20);
    if (kind < 13) {
      const fields = {
        ...{ unique_id, email: random.pick(addresses) },
        ...(random.chance(0.8) ? { email_opted_in: random.chance(0.9) } : {}),
        ...(random.chance(0.8) ? { email_verified: random.chance(0.9) } : {}),
        ...(random.chance(0.7) ? { journey: { template_id: random.pick(templateIds) } } : {}),
      };
      this.#start('client', (service) => upsertContact(service, team, record(fields)));
    } else if (kind < 15) this.#consent(contactId);
    else if (kind < 16) {
      const journeys = this.history.journeysOf(contactId);
      if (journeys.length > 0) {
        this.#start('client', (service) => cancelJourney(service, team, String(random.pick(journeys).journey_id)));
      }
    } else if (kind < 17) this.#erase(unique_id);
    else if (kind < 18) this.#mute(!this.#isMuted);
    else this.#pause();
  }

  /** One person at a time leaves or comes back, so that it is known who has left. */
  #consent(contactId: string): void {
    const { team, random } = this.#world;
    if (this.#world.running('delivery').length > 0) return;
    const act = { source: { kind: 'link' } } as const;
    if (random.chance(0.7)) {
      const from = this.#journal.length;
      this.#start('delivery', async (service) => {
        const left = await leaveByContact(service, team, contactId, act);
        if (left === 'left') this.history.left(contactId, this.#journal.slice(from));
      });
    } else {
      this.history.comesBack(contactId, undefined);
      this.#start('delivery', (service) => returnByContact(service, team, contactId, act));
    }
  }

  #erase(uniqueId: string): void {
    const world = this.#world;
    if (world.running('delivery').length > 0) return;
    const files = {
      list: async function* () {},
      read: async () => undefined,
      write: async () => {},
      remove: async () => {},
    };
    this.#erasing.add(uniqueId);
    this.#start('delivery', async (service) => {
      await erasePerson(
        { ...service, files, erasures: { add: async () => {} }, onProgress: () => {} },
        world.team,
        uniqueId,
      );
      this.#erasing.delete(uniqueId);
      this.history.erased(derivedContactId(world.team, uniqueId));
    });
  }

  /** There is one administrator at a time. */
  #pause(): void {
    const { random, team } = this.#world;
    if (this.#world.running('administrator').length > 0) return;
    const templateId = random.pick([undefined, random.pick(templateIds)]);
    const by = { by: 'admin', reason: 'a wrong message' };
    if (random.chance(0.5)) {
      this.#start('administrator', async (service) => {
        await pauseMessages(service, team, by, templateId);
        if (templateId === undefined) this.history.paused();
      });
    } else {
      if (templateId === undefined) this.history.resumes();
      this.#start('administrator', (service) => resumeMessages(waking(service), team, templateId));
    }
  }

  #mute(isMuted: boolean): void {
    const world = this.#world;
    if (!world.isCalm && world.running('administrator').length > 0) return;
    const document = campaign(this.scheduledAt, isMuted);
    this.#start('administrator', async (service) => {
      await importContent({ ...service, fits: () => true }, world.team, document as never);
      this.#isMuted = isMuted;
    });
  }

  #takeSnapshot(): void {
    this.#snapshot = [...this.#world.table.model.items.values()];
    this.#erasingThen = new Set(this.#erasing);
  }

  /** The table is as it was before. What was handed over since is known to the provider alone. */
  #restore(): void {
    const world = this.#world;
    for (const process of [...world.scheduler.processes]) world.kill(process);
    world.table.endAll();
    const { model } = world.table;
    for (const { pk, sk } of model.items.values()) model.damage({ pk, sk });
    void model.write(this.#snapshot.map((item) => ({ kind: 'insert', item })));
    this.#queue.forget();
    this.#epoch = `${this.#epoch}+`;
    this.#isRestoring = true;
    this.#isMuted = false;
    for (const uniqueId of this.#erasingThen) this.#erasing.add(uniqueId);
    this.history.restored();
  }

  /** The messages are resumed, which applies the leavings of the journal first. */
  #restoring(): void {
    const { team } = this.#world;
    if (this.#world.running('administrator').length > 0) return;
    this.#start('administrator', async (service) => {
      await resumeMessages(waking(service), team);
      this.#isRestoring = false;
    });
  }

  /** The provider reports a message: in any order, and perhaps twice. */
  #report(): void {
    const world = this.#world;
    const { random } = world;
    if (this.#reports.length === 0 || (world.happens('report late') && !world.isCalm)) return;
    const report = random.pick(this.#reports);
    if (!this.#fails('report doubled')) this.#reports.splice(this.#reports.indexOf(report), 1);
    const { type, permanent, mail } = report;
    const at = new Date(world.clock).toISOString();
    const isListing = type === 'complained' || (type === 'bounced' && permanent);
    this.#start('reader', async (service) => {
      try {
        await takeFeedback(service, { type, permanent, tags: mail.tags, at });
        if (isListing) this.history.listed(mail.tags.address);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        this.#reports.push(report);
      }
    });
  }

  /** A worker receives the next message, if there is one. */
  #deliver(): void {
    const world = this.#world;
    const message = this.#queue.receive(world.clock, world.random);
    if (!message || world.happens('receive response lost')) return;
    const isShort = world.happens('time runs out') || (world.isCalm && world.random.chance(0.1));
    const end = world.clock + (isShort ? world.random.below(60) : workTime);
    this.#start('worker', async (service, own) => {
      const onFailure = (error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      };
      const turning = { ...service, onFailure, onNotPostponed: () => {} };
      const work = () => this.#work(service, message.lane, () => world.clock < end);
      if (!(await takeTurn(turning, message, message.receipt, work))) return;
      await world.turn(own, () => {
        if (!world.happens('delete response lost')) this.#queue.delete(message.receipt);
      });
    });
  }

  async #work(service: Dependencies, lane: Lane, hasTime: () => boolean) {
    const { team } = this.#world;
    const onContactFailure = (error: unknown) => this.#world.violation(`completions: ${(error as Error).stack}`);
    if (lane.work === 'messages') return sendMessages(service, team, hasTime);
    if (lane.work !== 'completions') return 'empty' as const;
    const own = { ...service, messageQueue: service.queue, onContactFailure, wait: async () => {} };
    return workCompletions(own, team, hasTime);
  }

  #sweep(all: boolean): void {
    const { team } = this.#world;
    this.#start('sweeper', async (service) => {
      const { queue } = service;
      const queues = {
        imports: queue,
        completions: queue,
        webhooks: queue,
        targeting: queue,
        walks: queue,
        messages: queue,
      };
      const subjects = [completionsThatWait, messagesThatWait, moveDue].map(
        (standing) => () => standing(service, team),
      );
      await sweep({ ...service, queues }, { subjects, all });
    });
  }

  #disturb(): void {
    const world = this.#world;
    const { processes } = world.scheduler;
    world.disturb();
    if (world.random.chance(0.04)) world.clock += 20_000;
    if (processes.length > 0 && world.happens('stall')) {
      world.random.pick(processes).isFrozen = true;
      world.table.endAll();
      world.clock += visibilityTimeout + 1_000;
    }
    if (world.happens('hours pass')) {
      world.table.endAll();
      world.clock += world.random.below(14 * hour);
      this.#nextSweep = world.clock;
    }
    if (world.random.chance(0.01)) {
      world.table.endAll();
      this.#takeSnapshot();
    }
    if (world.happens('table restored')) this.#restore();
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
    world.passTime(world.isCalm ? 1 : 0.03);
    if (world.clock >= this.#nextSweep) {
      this.#nextSweep = world.clock + sweepEvery;
      this.#sweep(false);
    }
    if (await world.runOne()) return;
    table.endAll();
    this.#deliver();
    if (scheduler.runnable(world.clock).length > 0) return;
    const next = Math.min(scheduler.nextCallAt(), this.#queue.nextAt(), this.#nextSweep);
    if (next > world.clock && Number.isFinite(next)) world.clock = next;
  }

  /** Runs until nothing is left to do now. */
  async #rest(): Promise<void> {
    const world = this.#world;
    const sweeps = this.#nextSweep;
    for (let step = 0; world.problems.length === 0; step++) {
      if (step > mostCalmSteps) {
        world.violation(`no rest: ${world.scheduler.processes.map(({ name }) => name).join()}`);
        return;
      }
      if (this.#isRestoring) this.#restoring();
      for (const uniqueId of this.#erasing) this.#erase(uniqueId);
      if (this.#reports.length > 0) this.#report();
      this.#deliver();
      await this.#step();
      // The mover and the sweep have come by since.
      const isSwept = this.#nextSweep > sweeps + 2 * sweepEvery;
      if (isSwept && world.scheduler.processes.length === 0 && this.#isDone()) return;
    }
  }

  #isDone(): boolean {
    const { table, team } = this.#world;
    if (this.#isRestoring || this.#erasing.size > 0 || this.#reports.length > 0) return false;
    const isEmpty = (pk: string) => table.model.page({ pk, limit: 1 }).items.length === 0;
    const isPaused = (table.model.read(messageStateKey(team))?.paused ?? null) !== null;
    return isEmpty(`T#${team}#Q#COMPLETIONS`) && (isPaused || isEmpty(messageLanePartition(team)));
  }
}
