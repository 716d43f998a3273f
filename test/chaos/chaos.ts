import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../support/random.ts';
import type { TeamApi } from './api.ts';
import { type Judgement, judge, maxWaitMilliseconds } from './checker.ts';
import { ContactClient } from './contact-client.ts';
import { EventClient } from './event-client.ts';
import type { FaultPlan } from './faults.ts';
import { readEverything } from './final-reads.ts';
import type { HistoryEvent } from './history.ts';
import { ImportClient } from './import-client.ts';
import { type Campaign, contentOf, JourneyClient, newCampaign } from './journey-client.ts';
import type { ServiceUnderTest } from './service.ts';
import { prepare } from './setting.ts';

export type ChaosOptions = {
  seed: number;
  /** The minimum duration of fault injection; it continues until all kills are done. */
  seconds: number;
  kills: number;
  teams: number;
  /** The file of the history. */
  history: string;
};

/** Parallel clients of one team. */
const importers = 3;
const contactClients = 2;
const journeyClients = 2;
const lookEvery = 250;
/** A chunk that is open this long after the last fault counts as stuck. */
const giveUpMilliseconds = maxWaitMilliseconds + 60_000;

/** Runs the service with faults and kills, reads the final state, and checks it. */
export async function chaos(options: ChaosOptions): Promise<{ events: readonly HistoryEvent[]; judgement: Judgement }> {
  const { seed, seconds } = options;
  const campaign = newCampaign();
  await using parts = new AsyncDisposableStack();
  const {
    service,
    history,
    plans: byPart,
    teams: apis,
    quiet,
  } = await prepare({ ...options, content: contentOf(campaign) }, parts);
  const plans = Object.values(byPart);
  const run = { isOver: false, hasGivenUp: false };
  let writes = 0;
  const number = () => writes++;
  const teams = apis.map((api, place) => new Team(api, campaign, seed, place, number, run));
  for (const plan of plans) plan.start();
  const working = Promise.all(teams.map((team) => team.work()));
  const failing = outages(plans, seed, run);
  await Promise.all([killAgainAndAgain(service, options), sleep(seconds * 1000)]);
  run.isOver = true;
  for (const plan of plans) plan.stop();
  history.add({ kind: 'calm', at: history.now() });
  const late = setTimeout(() => {
    run.hasGivenUp = true;
  }, giveUpMilliseconds);
  await Promise.all([working, failing]);
  clearTimeout(late);
  await Promise.all(teams.map((team) => team.settle()));
  await quiet();
  await Promise.all(teams.map((team) => team.readEverything()));
  return { events: history.events, judgement: judge(history.events) };
}

async function killAgainAndAgain(service: ServiceUnderTest, { seed, seconds, kills }: ChaosOptions): Promise<void> {
  const random = new Random(seed, 'kills');
  const pause = (seconds * 1000) / (kills + 1);
  for (let kill = 0; kill < kills; kill++) {
    // Sometimes soon after the start, sometimes after a longer time of work.
    await sleep(random.between(0, Math.max(100, 2 * pause - 2000)));
    if (random.chance(0.6)) await service.killService();
    else await service.killEngine();
    await service.start();
  }
}

/** At intervals, the database or the queue fails completely for some time. */
async function outages(plans: readonly FaultPlan[], seed: number, run: Run): Promise<void> {
  const random = new Random(seed, 'outages');
  while (!run.isOver) {
    await sleep(random.between(2000, 8000));
    const plan = random.pick(plans);
    plan.outage = random.pick([
      'error-500-before',
      'reset-before',
      'throttled',
      'hang-reset',
      'reset-after',
      'error-500-after',
    ]);
    await sleep(random.between(500, 5000));
    plan.outage = undefined;
  }
}

/** `isOver`: no new work is started. `hasGivenUp`: unanswered requests are no longer retried. */
type Run = { isOver: boolean; hasGivenUp: boolean };

class Team {
  readonly #api: TeamApi;
  readonly #imports: ImportClient;
  readonly #contacts: ContactClient;
  readonly #journeys: JourneyClient;
  readonly #events: EventClient;
  readonly #random: (worker: string) => Random;
  readonly #run: Run;

  constructor(api: TeamApi, campaign: Campaign, seed: number, place: number, number: () => number, run: Run) {
    const hasGivenUp = () => run.hasGivenUp;
    this.#random = (worker) => new Random(seed, `team ${place}, ${worker}`);
    this.#imports = new ImportClient(api, this.#random('imports'), () => `c${number()}`, hasGivenUp);
    this.#contacts = new ContactClient(api, this.#random('contacts'), () => `w${number()}`, hasGivenUp);
    const answers = this.#random('journeys');
    this.#journeys = new JourneyClient(api, campaign, answers, () => `a${number()}`, hasGivenUp);
    this.#events = new EventClient(api);
    this.#api = api;
    this.#run = run;
  }

  async work(): Promise<void> {
    const importing = Array.from({ length: importers }, (_, place) => this.#import(this.#random(`importer ${place}`)));
    const others = Array.from({ length: contactClients }, (_, place) =>
      this.#contact(this.#random(`contacts ${place}`)),
    );
    const persons = Array.from({ length: journeyClients }, (_, place) =>
      this.#person(this.#random(`persons ${place}`)),
    );
    let isDone = false;
    const working = Promise.all([...importing, ...others, ...persons]).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await this.#imports.look();
      await this.#events.read();
      await sleep(lookEvery);
    }
    await working;
  }

  async #import(random: Random): Promise<void> {
    while (!this.#run.isOver) {
      if (!this.#imports.isFull) {
        if (random.chance(0.8)) await this.#imports.sendPair();
        else await this.#imports.sendUpload();
      }
      await sleep(random.between(10, 250));
    }
  }

  async #contact(random: Random): Promise<void> {
    while (!this.#run.isOver) {
      const action = random.weighted({ create: 2, update: 5, upsertBatch: 1, read: 3 });
      await this.#contacts[action]();
      await sleep(random.between(10, 150));
    }
  }

  async #person(random: Random): Promise<void> {
    while (!this.#run.isOver) {
      const action = random.weighted({ start: 2, answer: 5, read: 3 });
      await this.#journeys[action]();
      await sleep(random.between(10, 200));
    }
  }

  /** Waits until no chunk is open. */
  async settle(): Promise<void> {
    const until = this.#api.history.now() + giveUpMilliseconds;
    while (this.#imports.open.size > 0 && this.#api.history.now() < until) {
      await this.#imports.look();
      await sleep(lookEvery);
    }
  }

  async readEverything(): Promise<void> {
    for (const batch of this.#imports.batches) await this.#imports.readBatch(batch, true);
    await readEverything(this.#api);
    await this.#journeys.readEverything();
    await this.#events.readEverything();
  }
}
